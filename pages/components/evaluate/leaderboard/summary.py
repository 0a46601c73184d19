"""The result of a run in one sentence, above its leaderboard."""

from collections.abc import Mapping, Sequence

from core.evaluation.paired import UNTESTED, Difference, interval_text
from core.runs import Other
from core.runs.analysis.leaderboard import LeaderboardRow
from pages.components.evaluate.column_names import named


def result(
    found: Sequence[LeaderboardRow],
    pairs: Mapping[str, Difference],
    measure: str,
    baseline: Other,
    *,
    searched: bool = False,
) -> str:
    """Return which retriever leads, and how far it is ahead of the next one or the baseline.

    Parameters
    ----------
    pairs : by retriever, its difference from the baseline.
    searched : whether the run is a search over settings: its best setting on these questions was
        selected on them, so that its lead is no test.
    """
    ranked = [each for each in found if each.measures[measure].mean is not None]
    ranked.sort(key=lambda each: -(each.measures[measure].mean or 0.0))
    if not ranked:
        return ""
    first = ranked[0].retriever
    told = f"{measure} {ranked[0].measures[measure].mean:.1f}%"
    if len(found) == 1:
        return f"{named(first)}: {told}."
    if searched:
        return (
            f"Highest {measure} on all questions: {ranked[0].measures[measure].mean:.1f}%, by "
            f"{named(first)}. It is the best of {len(ranked):,} settings on the questions used "
            "to select it. Only the held-out comparison above is a test."
        )
    if baseline.retriever and first in pairs:
        return _lead(first, baseline.retriever, told, pairs[first])
    if first == baseline.retriever and len(ranked) > 1 and ranked[1].retriever in pairs:
        return _lead(first, ranked[1].retriever, told, pairs[ranked[1].retriever], -1)
    return f"{named(first)} leads: {told}."


def _lead(first: str, other: str, told: str, pair: Difference, sign: int = 1) -> str:
    """Return how far ahead of another retriever the first is; with `sign` -1 `pair` is the other's.

    Parameters
    ----------
    told : the measure of the first.
    """
    ahead = f"{sign * pair.mean:z.1f}"
    interval = f" ({UNTESTED})"
    low, high = pair.low, pair.high
    if low is not None and high is not None:
        low, high = sorted((sign * low, sign * high))
        interval = f" (95% interval {interval_text(low, high, 'z.1f')})"
    if ahead == "0.0":
        of = interval.replace("interval", "interval of the difference")
        return f"{named(first)} and {named(other)} are level: {told}{of}."
    chance = ", but the difference may be chance" if low is not None and low <= 0 else ""
    return f"{named(first)} leads: {told}, {ahead} points above {named(other)}{chance}{interval}."
