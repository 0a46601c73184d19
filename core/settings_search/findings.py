"""Results of a search: settings compared on held-out questions, and recall against cost."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from core.evaluation.holm import holm
from core.evaluation.paired import UNTESTED, Difference, difference, interval_text
from core.funnel.rescue import looked_at
from core.measures import MEASURES
from core.retrievers import Spec
from core.runs.analysis.leaderboard import LeaderboardRow, leaderboard_rows
from core.runs.run import Run
from core.runs.store import Runs
from core.settings_search.grid import in_words
from core.settings_search.halves import Half, halves
from core.text.display.plurals import number, several

COMPARED = 3
"""Settings of each half, at most, that are compared with the base on the other half."""
LEVEL = 0.05
"""Holm's p below which a setting is recommended."""
Cost = Literal["seconds", "judgements", "calls", "tokens"]
COSTS: tuple[Cost, ...] = ("seconds", "judgements", "calls", "tokens")
Scores = Mapping[str, float]
"""The measure of each question with gold, in [0, 1], by its id."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A setting that was evaluated on every question.

    Parameters
    ----------
    told : what it sets otherwise than the base, in words.
    mean : of the measure over all questions, in percent; describes, as all settings were tried on
        these questions.
    halves : the same over each half.
    costs : means per question; seconds are the median.
    best_by : the costs by which no other setting is better: none has as much recall for less, or
        more for as much.
    """

    retriever: str
    told: str
    mean: float
    halves: tuple[float, float]
    costs: Mapping[Cost, float]
    best_by: tuple[Cost, ...] = ()


@dataclass(frozen=True, slots=True)
class Compared:
    """A setting chosen on one half and compared with the base on the other.

    `chosen_on` is 1 or 2; `place` counts from 1, the best on that half first. `holm` is the p of
    `held_out`, corrected for all comparisons of the search; None where it has too few questions.
    """

    retriever: str
    told: str
    chosen_on: int
    place: int
    held_out: Difference
    holm: float | None


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of a settings search; `base` is the first of `tried`."""

    base: str
    measure: str
    questions: int
    seed: int
    tried: tuple[Tried, ...]
    compared: tuple[Compared, ...]

    @property
    def settings_tried(self) -> int:
        """Number of settings tried besides the base."""
        return len(self.tried) - 1

    @property
    def chosen(self) -> Compared | None:
        """The setting to use: the best one of a half whose gain is confirmed on the other half."""
        firsts = [one for one in self.compared if one.place == 1 and _holds(one)]
        return min(firsts, key=lambda one: (one.holm, -one.held_out.mean), default=None)

    @property
    def decision(self) -> str:
        """The recommended setting and the reason, in a few sentences."""
        most = f"{number(self.settings_tried, 'setting')} tried"
        firsts = [one for one in self.compared if one.place == 1]
        if not firsts:
            none = f"none improves {self.measure} on either half of the questions"
            return f"Keep the current settings. {most}; {none}."
        best = self.chosen or max(firsts, key=lambda one: one.held_out.mean)
        gain = f"{_gain(best, self.measure)}, {self._relative_cost(best.retriever)}"
        if self.chosen:
            use = f"Use {best.told}: {gain}. {most}; {_holm(best)}."
        else:
            why = (
                "the gain may be chance"
                if best.held_out.mean > 0
                else "it does not improve the held-out half"
            )
            use = (
                f"Keep the current settings. The best alternative is {best.told}: {gain}; {why}. "
                f"{most}; {_holm(best)}."
            )
        other = next((one for one in firsts if one.chosen_on != best.chosen_on), None)
        return f"{use} {_swapped_halves_sentence(best, other, self.measure)}"

    def to_json(self) -> dict[str, Any]:
        """Return all fields, with the decision and the setting to use (None: the current ones)."""
        use = self.chosen.retriever if self.chosen else None
        more = {"settings_tried": self.settings_tried, "use": use, "decision": self.decision}
        return {**asdict(self), **more}

    def _relative_cost(self, retriever: str) -> str:
        """Describe how many judgements a setting needs, relative to the base setting."""
        by_name = {one.retriever: one.costs["judgements"] for one in self.tried}
        base_cost, new_cost = by_name[self.base], by_name[retriever]
        unit = several(looked_at(self.base))
        return (
            f"{new_cost / base_cost:.1f} times the {unit} examined"
            if base_cost
            else f"{new_cost:.1f} {unit}"
        )


def findings(runs: Runs, run: Run) -> Findings:
    """Return the results of the search `run` so far, for settings that finished all questions.

    Raises
    ------
    StoreError : the runs cannot be read.
    """
    base, measure = str(run.settings["search"]), str(run.settings["search_measure"])
    seed = int(run.settings["search_seed"])
    parts = halves(runs.questions(run.id), seed)
    done = [one for one in leaderboard_rows(runs, run) if one.asked == run.questions]
    scores = {one.retriever: scores_of(runs, run, one.retriever, measure) for one in done}
    if base not in scores:
        return Findings(base, measure, run.questions, seed, (), ())
    tried = marked(_tried_setting(one, base, scores[one.retriever], parts) for one in done)
    compared = compare(base, scores, parts)
    return Findings(base, measure, run.questions, seed, tried, compared)


def scores_of(runs: Runs, run: Run, retriever: str, measure: str) -> Scores:
    """Return the measure of each question with gold."""
    place = MEASURES.index(measure)
    measures = runs.measures(run.id, retriever).items()
    return {name: value for name, each in measures if (value := each[place]) is not None}


def compare(
    base: str, scores: Mapping[str, Scores], parts: tuple[Half, Half]
) -> tuple[Compared, ...]:
    """Compare the best settings of each half with `base` on the other half.

    Parameters
    ----------
    scores : by retriever, in the order in which they were tried: of equals the first is better.
    parts : the halves.
    """
    chosen = [
        (on, place, name)
        for on, half in enumerate(parts, start=1)
        for place, name in enumerate(_best(base, scores, half), start=1)
    ]
    held = [_paired(scores[name], scores[base], parts[2 - on]) for on, _, name in chosen]
    known = [each is not None and each.tested is not None for each in held]
    adjusted = iter(holm([each.p for each, ok in zip(held, known, strict=True) if each and ok]))
    return tuple(
        Compared(
            name,
            in_words(Spec.parse(base), Spec.parse(name)),
            on,
            place,
            each,
            next(adjusted) if ok else None,
        )
        for (on, place, name), each, ok in zip(chosen, held, known, strict=True)
        if each
    )


def mean_of(scores: Scores, half: Iterable[str]) -> float:
    """Return the mean over the questions of `half` that have gold, in percent; 0 without any."""
    values = [scores[name] for name in sorted(half) if name in scores]
    return 100 * sum(values) / len(values) if values else 0.0


def marked(tried: Iterable[Tried]) -> tuple[Tried, ...]:
    """Return the same, each with the costs by which it is Pareto-best."""
    some = list(tried)
    used = [cost for cost in COSTS if any(one.costs[cost] for one in some)]
    return tuple(
        Tried(
            one.retriever,
            one.told,
            one.mean,
            one.halves,
            one.costs,
            tuple(cost for cost in used if not any(_beats(o, one, cost) for o in some)),
        )
        for one in some
    )


def _beats(other: Tried, one: Tried, cost: Cost) -> bool:
    """Check whether `other` is at least as good in both, and better in one."""
    theirs, ours = (other.mean, -other.costs[cost]), (one.mean, -one.costs[cost])
    return theirs != ours and all(a >= b for a, b in zip(theirs, ours, strict=True))


def _tried_setting(
    one: LeaderboardRow, base: str, scores: Scores, parts: tuple[Half, Half]
) -> Tried:
    """Return the scores and costs of one setting, on all questions and on each half."""
    first, second = (mean_of(scores, half) for half in parts)
    costs: dict[Cost, float] = {
        "seconds": one.seconds_p50 or 0.0,
        "judgements": one.judgements,
        "calls": one.calls,
        "tokens": one.tokens,
    }
    words = in_words(Spec.parse(base), Spec.parse(one.retriever))
    return Tried(one.retriever, words, mean_of(scores, scores), (first, second), costs)


def _best(base: str, scores: Mapping[str, Scores], half: Half) -> list[str]:
    """Return the settings with the highest means on a half, of those above the base."""
    means = {name: mean_of(each, half) for name, each in scores.items()}
    better = [name for name in means if means[name] > means[base]]
    return sorted(better, key=lambda name: -means[name])[:COMPARED]


def _paired(scores: Scores, base: Scores, half: Half) -> Difference | None:
    both = [name for name in sorted(half) if name in scores and name in base]
    apart: Sequence[float] = [scores[name] - base[name] for name in both]
    return difference("held out", np.array(apart, dtype=np.float64)) if apart else None


def _holds(one: Compared) -> bool:
    return one.holm is not None and one.holm < LEVEL and one.held_out.mean > 0


def _gain(one: Compared, measure: str) -> str:
    """Describe the gain on held-out questions, in percentage points with its interval."""
    result = one.held_out
    interval = interval_text(result.low, result.high, "+z.1f")
    between = f" (95% interval {interval})" if interval else ""
    asked = number(result.n, "held-out question")
    return f"{result.mean:+z.1f} points {measure} on {asked}{between}"


def _holm(one: Compared) -> str:
    return UNTESTED if one.holm is None else f"Holm p = {one.holm:.3f}"


def _swapped_halves_sentence(best: Compared, other: Compared | None, measure: str) -> str:
    """Describe the setting that is chosen with the halves swapped."""
    if other is None:
        return "With the halves swapped, no setting improves on the current one."
    same = "the same setting is" if other.retriever == best.retriever else f"{other.told} is"
    return f"With the halves swapped, {same} chosen: {_gain(other, measure)}, {_holm(other)}."
