"""Leaderboard of a run: means with intervals, and paired differences from a baseline."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from core.errors import InputError
from core.evaluation.paired import Difference, difference, margin_of
from core.evaluation.role_costs import RoleCost, mean_costs
from core.measures import MEASURES
from core.runs.run import Run
from core.runs.store import Runs
from core.runs.store.listing import ALL, ANSWERS, Other, Where, clauses, column


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over `n` questions with gold, in percent, and its 95% interval (Student's t).

    None where there are too few questions for it.
    """

    n: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One retriever of a run.

    `asked` counts its questions, of which those with gold are in `measures`. Seconds are without
    the question's embedding. Judgements, calls and tokens are means over all questions, with the
    replies that were `kept`, which count those of all questions; the seconds are None for a ranking
    that was made elsewhere. `answers` has a mean for each measure of answers (`ANSWERS`), in
    percent, of the questions that were answered, or judged; None without any.
    """

    retriever: str
    configuration: str
    asked: int
    measures: Mapping[str, Interval]
    seconds_p50: float | None
    seconds_p95: float | None
    judgements: float
    calls: float
    tokens: float
    kept: int = 0
    answers: Mapping[str, float | None] = field(default_factory=dict)
    turned_to: int = 0
    decided: int = 0

    @property
    def em(self) -> float | None:
        return self.answers.get("EM")

    @property
    def f1(self) -> float | None:
        return self.answers.get("F1")


def leaderboard_rows(runs: Runs, run: Run, where: Where = ALL) -> list[LeaderboardRow]:
    """Return the measures of every retriever of a run, in the order of the run."""
    return [_leaderboard_row(runs, run, retriever, where) for retriever in run.retrievers]


def _leaderboard_row(runs: Runs, run: Run, retriever: str, where: Where) -> LeaderboardRow:
    """Summarise the rows of one retriever that match `where`.

    Percentiles of time are None without rows, and for an imported ranking, whose time is unknown.
    """
    sql, values = clauses(run.id, retriever, where)
    answers = ", ".join(map(column, ANSWERS.values()))
    rows = runs.read(
        "SELECT a.seconds - a.embed_seconds, a.judgements, a.calls, a.tokens,"
        f" a.turned_to, a.decided, a.kept, {answers}{sql}",
        *values,
    )
    table = np.array(rows, dtype=np.float64).reshape(len(rows), 7 + len(ANSWERS))
    seconds, judgements, calls, tokens, turned_to, decided, kept, *answered = table.T
    own = bool(run.configuration(retriever)) and len(rows) > 0
    means = [float(each.mean()) if len(each) else 0.0 for each in (judgements, calls, tokens)]
    measures = runs.measures(run.id, retriever, where)
    return LeaderboardRow(
        retriever=retriever,
        configuration=run.configuration(retriever),
        asked=len(rows),
        measures={
            name: interval([numbers[n] for numbers in measures.values()])
            for n, name in enumerate(MEASURES)
        },
        seconds_p50=float(np.percentile(seconds, 50)) if own else None,
        seconds_p95=float(np.percentile(seconds, 95)) if own else None,
        judgements=means[0],
        calls=means[1],
        tokens=means[2],
        kept=int(kept.sum()),
        answers=dict(zip(ANSWERS, map(_answered, answered), strict=True)),
        turned_to=int(turned_to.sum()),
        decided=int(decided.sum()),
    )


def model_costs(runs: Runs, run: Run, where: Where = ALL) -> list[tuple[str, RoleCost]]:
    """Return the mean model costs per question, by retriever and role."""
    return [
        (retriever, one)
        for retriever in run.retrievers
        for one in mean_costs(runs.model_costs(run.id, retriever, where).values())
    ]


def interval(shares: "list[float | None]") -> Interval:
    """Compute the mean of shares in [0, 1] with its confidence interval, in percent.

    None stands for a question without gold and is left out.
    """
    known = np.array([share for share in shares if share is not None], dtype=np.float64)
    if not len(known):
        return Interval(0)
    mean, margin = float(known.mean()), margin_of(known)
    if margin is None:
        return Interval(len(known), 100 * mean)
    low, high = max(mean - margin, 0.0), min(mean + margin, 1.0)
    return Interval(len(known), 100 * mean, 100 * low, 100 * high)


def _answered(shares: "np.typing.NDArray[np.float64]") -> float | None:
    known = shares[~np.isnan(shares)]
    return 100 * float(known.mean()) if len(known) else None


def against(
    runs: Runs, run: Run, baseline: Other, measure: str, where: Where = ALL
) -> dict[str, Difference]:
    """Return the difference of each retriever of `run` from the baseline.

    Questions of both with gold are compared. A retriever without such a question is left out, and
    so is the baseline itself.
    """
    theirs = _by_words(runs, baseline.run, baseline.retriever, ALL, measure)
    differences = {}
    for retriever in run.retrievers:
        if (run.id, retriever) == (baseline.run, baseline.retriever):
            continue
        ours = _by_words(runs, run.id, retriever, where, measure)
        apart = [share - theirs[words] for words, share in ours.items() if words in theirs]
        if apart:
            differences[retriever] = difference(measure, np.array(apart, dtype=np.float64))
    return differences


def between(runs: Runs, run: Run, before: Run, measure: str) -> dict[str, Difference]:
    """Compare every retriever of `run` with the same retriever of an earlier run.

    InputError if nothing is measured that is called so.
    """
    if measure not in MEASURES:
        raise InputError(f"Unknown measure {measure!r}. Choose one of {', '.join(MEASURES)}.")
    differences = {}
    for retriever in run.retrievers:
        pairs = against(runs, run, Other(before.id, retriever), measure)
        if retriever in pairs:
            differences[retriever] = pairs[retriever]
    return differences


def _by_words(runs: Runs, run: str, retriever: str, where: Where, measure: str) -> dict[str, float]:
    """Return the measure of each question with gold, by its normalised text."""
    sql, values = clauses(run, retriever, where)
    rows = runs.read(f"SELECT q.words, {column(measure)}{sql} ORDER BY q.number", *values)
    return {words: share for words, share in rows if share is not None}
