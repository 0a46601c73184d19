"""The smallest value of a numeric setting that retrieves a gold passage, as replays show it.

Whether more of a setting only adds to a ranking is checked on each retrieval, never assumed: where
the highest value ranks all that was retrieved before at the same ranks, a list was only cut, so the
rank of the passage there is the value to try. Otherwise values are tried by doubling steps, or by
the rank that the last replay gave the passage, and then by bisection: the result is the smallest
value that retrieves it next to one that does not.
"""

from dataclasses import dataclass

from core.funnel.brackets import Bracket
from core.funnel.changes import TOP_K, Dial, variants
from core.funnel.data import Fate
from core.funnel.replay import Replayed
from core.funnel.rescue import Rescue, cost
from core.funnel.search.outcomes import Outcomes
from core.funnel.search.pairs import least


@dataclass(frozen=True, slots=True)
class SmallestValue:
    """Searches values of the settings of one retrieval, for one gold passage.

    Parameters
    ----------
    whole : the retrieval without a change.
    fate : what became of the passage there.
    """

    outcomes: Outcomes
    whole: Bracket
    fate: Fate

    def of(self, dial: Dial) -> Rescue | None:
        """Return the cheapest of the variants of a setting, each at its smallest value."""
        best: Rescue | None = None
        # A larger top k that keeps the seeds looks at no more, so it comes first.
        for one in sorted(variants(self.outcomes.spec, dial), key=lambda one: not one.held):
            fix = self._smallest_fix(one)
            if fix and (best is None or cost(fix) < cost(best)):
                best = fix
            if best and not (best.extra or best.lost):
                break
        return best

    def between(self, dial: Dial) -> Rescue | None:
        """Return the same where the highest value does not retrieve it and a smaller one may."""
        return (
            self._by_growing_steps(dial) if dial.kind == "count" and dial.low <= dial.high else None
        )

    def suggested(self, dial: Dial) -> list[int]:
        """Return the ranks of its nearest misses in lists that this setting ended."""
        fate, now = self.fate, dial.low - 1
        ends = [(fate.k, fate.rank), *((one.taken, one.rank) for one in fate.near)]
        ranks = (rank for taken, rank in ends if taken == now and rank)
        return [rank for rank in dict.fromkeys(ranks) if dial.low <= rank <= dial.high]

    def _rescue_at(self, dial: Dial, value: int) -> Rescue | None:
        return self.outcomes.kept(dial.to(value))

    def _smallest_fix(self, dial: Dial) -> Rescue | None:
        """Find the smallest value of a setting that retrieves the gold; None if no value does.

        Suggested values come first, then bisection or growing steps, so that few replays are
        needed.
        """
        if dial.low > dial.high:
            return None
        known = next(
            (value for value in self.suggested(dial) if self._rescue_at(dial, value)), None
        )
        if known:
            return self._bisected(dial, dial.low - 1, known)
        if dial.kind == "count" and not self._rescue_at(dial, dial.high):
            return None
        if dial.kind == TOP_K and self._is_a_cut(highest := self.outcomes.run(dial.to(dial.high))):
            rank = self.outcomes.rank(highest)
            return None if rank is None else self._fix_at_rank(dial, max(dial.low, rank))
        return self._by_growing_steps(dial)

    def _is_a_cut(self, highest: Replayed | None) -> bool:
        """Check whether the highest top k leaves all ranks from before unchanged."""
        before = self.outcomes.before
        if before is None or highest is None:
            return False
        return all(highest.ranks.get(name) == rank for name, rank in before.ranks.items())

    def _fix_at_rank(self, dial: Dial, rank: int) -> Rescue | None:
        """Return the change to the rank in a longer list, if its replay retrieves the passage."""
        return self._rescue_at(dial, rank) or self._by_growing_steps(dial)

    def _by_growing_steps(self, dial: Dial) -> Rescue | None:
        """Return the smallest working value, found by growing steps and then bisection; None if
        none works.
        """
        low = self._least(dial)
        if low is None or low > dial.high:
            return None
        failed, value, step = low - 1, low, 1
        while not self._rescue_at(dial, value):
            if value == dial.high or self.outcomes.more_judgements(dial.to(value)) is None:
                return None
            failed, value = value, self._next(dial, value, step)
            step = step if dial.kind == "hop" else 2 * step
        return self._bisected(dial, failed, value)

    def _next(self, dial: Dial, value: int, step: int) -> int:
        """Return the rank that a top k of `value` gave the passage, or else `step` more."""
        rank = self.outcomes.pruned(self.outcomes.run(dial.to(value)))
        more = rank if dial.kind == TOP_K and rank else value + step
        return min(max(more, value + 1), dial.high)

    def _bisected(self, dial: Dial, failed: int, value: int) -> Rescue | None:
        value = least(failed + 1, value, lambda n: self._rescue_at(dial, n))
        return self._rescue_at(dial, value)

    def _least(self, dial: Dial) -> int | None:
        """Return the first value that is worth a try; None if none is."""
        if dial.kind == "hop":
            return self._least_hops(dial)
        if dial.kind == TOP_K and not self.whole.inner and self.fate.stage == "cut":
            return min(dial.high, max(dial.low, self.fate.rank or 0))
        return dial.low

    def _least_hops(self, dial: Dial) -> int | None:
        """Return the number of edges to the passage: the walk needs at least as many rounds."""
        if self.fate.stage != "far":
            return dial.low
        return None if self.fate.hop is None else max(dial.low, self.fate.hop)
