"""The effect of a change on all questions of a run: net difference and its parts.

The questions that lost gold and the others are two halves chosen by their outcome: the first can
hardly get worse, the second hardly better. So only the net over all questions is tested; the halves
describe where it comes from.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.evaluation.paired import UNTESTED, Difference, Shares, difference, interval_text
from core.retrievers import Spec
from core.reviews.losses.clusters import LOST
from core.runs import MEASURES, Row, Run, Runs
from core.runs.run import measured_rows
from core.text.display.plurals import number

KEPT = "recall"
TOLD = (KEPT, "R@5", "nDCG@10")
"""The measures of an effect: the recall of all that is retrieved, and how high it stands."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the questions, described and not tested: they were chosen by their outcome.

    `means` has the mean difference of each of `TOLD`, in percentage points; `better`, `equal` and
    `worse` count questions by recall.
    """

    n: int
    means: Mapping[str, float]
    better: int
    equal: int
    worse: int


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a change on the questions with gold, paired by question.

    More that is retrieved may push gold down the ranking, so recall alone would hide the price.

    Parameters
    ----------
    net : over all of them, a difference for each of `TOLD`; empty where no question has gold.
    inside, elsewhere : those of a group, and the others; None where there are none.
    won, lost : ids of questions whose recall is higher, and lower, than before.
    judgements : the mean number of lists looked at, before and after.
    """

    net: tuple[Difference, ...]
    inside: Part | None
    elsewhere: Part | None
    won: tuple[str, ...]
    lost: tuple[str, ...]
    judgements: tuple[float, float]


def effect(before: Iterable[Row], after: Iterable[Row], group: Collection[str]) -> Effect:
    """Return how results changed between two runs, over the questions that both have.

    Parameters
    ----------
    group : ids of the questions that are also summed up apart from the others.
    """
    was = {row.question.id: row for row in before}
    now = {row.question.id: row for row in after if row.question.id in was}
    earlier, later = (_shares(rows) for rows in ([was[name] for name in now], list(now.values())))
    apart = {name: later[name] - earlier[name] for name in later if name in earlier}
    return Effect(
        net=_paired_differences(list(apart.values())),
        inside=_summary([one for name, one in apart.items() if name in group]),
        elsewhere=_summary([one for name, one in apart.items() if name not in group]),
        won=tuple(name for name, one in apart.items() if one[0] > 0),
        lost=tuple(name for name, one in apart.items() if one[0] < 0),
        judgements=(judgements([was[name] for name in now]), judgements(list(now.values()))),
    )


def effect_of(
    runs: Runs,
    before: tuple[Run, str],
    after: tuple[Run, str],
    group: Collection[str] = (),
    without: str = "",
) -> Effect:
    """Compare a retriever of one run with one of another.

    Parameters
    ----------
    before, after : each a run and one of its retrievers.
    group : ids of questions; those that lost gold before, if there are none.
    without : the id of a question that is left out, as the change was chosen for it.

    Raises
    ------
    StoreError : the runs cannot be read.
    """
    (run, retriever), (again, changed) = before, after
    wanted = group or [row.question.id for row in runs.every(run.id, retriever, LOST)]
    rows = (row for row in runs.every(run.id, retriever) if row.question.id != without)
    return effect(rows, runs.every(again.id, changed), {*wanted})


def run_with_retriever(runs: Runs, run: Run, retriever: str) -> Run | None:
    """Return the newest finished run of `retriever` on the same questions and content, if any."""
    for other in runs.all():
        same = (other.question_set, other.questions, other.content) == (
            *(run.question_set, run.questions, run.content),
        )
        if same and other.state == "finished" and retriever in other.retrievers:
            return other
    return None


def of_trial(run: Run, found: Sequence[Run]) -> list[tuple[Run, str]]:
    """Return the retrievers that `run` evaluated with a change, each with its run among `found`."""
    parent = next((one for one in found if one.id == run.settings.get("trial_of")), None)
    if parent is None:
        return []
    keys = {spec.card.key for name in run.retrievers if (spec := Spec.known(name))}
    return [
        (parent, name)
        for name in parent.retrievers
        if (spec := Spec.known(name)) and spec.card.key in keys
    ]


def net_told(one: Difference) -> str:
    """Return a net difference in words, with its interval, p and number of questions.

    >>> net_told(Difference("recall", 43, -1.29, -4.0, 1.42, 3, 36, 4, 0.4061))
    '-1.3 points recall over 43 questions (95% interval -4.0 to +1.4), p = 0.406'
    """
    interval = interval_text(one.low, one.high, "+z.1f")
    between = f" (95% interval {interval})" if interval else ""
    p = UNTESTED if one.tested is None else f"p = {one.tested:.3f}"
    over = number(one.n, "question")
    return f"{one.mean:+z.1f} points {one.measure} over {over}{between}, {p}"


def counts_told(one: Difference | Part) -> str:
    """Return how many questions are better, the same and worse."""
    return f"{one.better:,} better, {one.equal:,} the same, {one.worse:,} worse"


def judgements(rows: Collection[Row]) -> float:
    """Return the mean number of lists looked at; 0 without rows."""
    return sum(row.judgements for row in rows) / len(rows) if rows else 0.0


def _shares(rows: Sequence[Row]) -> dict[str, Shares]:
    """Return the `TOLD` measures of each row with gold, by question id."""
    places = [MEASURES.index(name) for name in TOLD if name != KEPT]
    return {
        row.question.id: np.array([row.recall, *(measures[at] for at in places)], dtype=np.float64)
        for row, measures in zip(rows, measured_rows(rows), strict=True)
        if row.recall is not None
    }


def _paired_differences(differences: Sequence[Shares]) -> tuple[Difference, ...]:
    """Return the paired difference of each measure; empty without questions."""
    if not differences:
        return ()
    columns = np.array(differences).T
    return tuple(difference(name, each) for name, each in zip(TOLD, columns, strict=True))


def _summary(differences: Sequence[Shares]) -> Part | None:
    """Return the mean differences, and how many questions improved, stayed or got worse."""
    if not differences:
        return None
    table = np.array(differences)
    means = {name: 100 * float(mean) for name, mean in zip(TOLD, table.mean(axis=0), strict=True)}
    better, worse = int((table[:, 0] > 0).sum()), int((table[:, 0] < 0).sum())
    return Part(len(table), means, better, len(table) - better - worse, worse)
