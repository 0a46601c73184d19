"""Scores of passages or edges by one measure: all known, or computed where needed."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import NamedTuple, Protocol

import numpy as np

from core.ranking import Scores, best
from core.store.adjacency import Numbers

LISTED = 1_000
"""Items of a large index that a search lists first, by each measure."""
MOST = 4_000
"""The longest list, used if shorter ones may miss an item of the ranking."""


class First(NamedTuple):
    """The highest scores: `numbers` ascend, and no other item scores above `rest`."""

    numbers: Numbers
    rest: float


class Scored(Protocol):
    """The scores of all passages, or of all edges, for one question, by number.

    `low` and `high` are the lowest and the highest score of all.
    """

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    def first(self, count: int) -> First:
        """Return at least `count` items with the highest scores; all if all are known."""
        ...

    def of(self, numbers: Numbers) -> Scores:
        """Return the scores of these numbers, in their order."""
        ...

    def prefetch(self, numbers: Numbers) -> None:
        """Load these scores at once, because single reads follow."""
        ...


class AllScored:
    """Scores that are all known, (n,), in order of their numbers.

    Parameters
    ----------
    but : the numbers with a score above 0, if all others are 0.
    """

    def __init__(self, scores: Scores, but: Numbers | None = None) -> None:
        self._scores = scores
        self._first = First(np.arange(len(scores)), -np.inf) if but is None else First(but, 0.0)

    @cached_property
    def low(self) -> float:
        return float(self._scores.min())

    @cached_property
    def high(self) -> float:
        return float(self._scores.max())

    def first(self, count: int) -> First:  # noqa: ARG002
        return self._first

    def of(self, numbers: Numbers) -> Scores:
        return self._scores[numbers]

    def prefetch(self, numbers: Numbers) -> None:
        """Do nothing: everything is in memory."""


def half_scores(scored: Scored, least: float | None = None) -> Scored:
    """Scale scores to [0, 1/2], for a sum of two scores.

    Parameters
    ----------
    least : the score that becomes 0; by default the lowest of all. If all scores are equal, all
        become 0.
    """
    half = _Halved(scored, least)
    every, rest = scored.first(LISTED)
    return AllScored(half.of(every)) if rest == -np.inf else half


class _Halved:
    """Scaled scores, computed on access."""

    low, high = 0.0, 0.5

    def __init__(self, scored: Scored, least: float | None) -> None:
        self._scored = scored
        self._least = least

    def first(self, count: int) -> First:
        numbers, rest = self._scored.first(count)
        return First(numbers, float(self._scaled(np.array([rest]))[0]))

    def of(self, numbers: Numbers) -> Scores:
        return self._scaled(self._scored.of(numbers))

    def prefetch(self, numbers: Numbers) -> None:
        self._scored.prefetch(numbers)

    def _scaled(self, scores: Scores) -> Scores:
        low = self._scored.low if self._least is None else self._least
        high = self._scored.high
        return (scores - low) / (high - low) / 2 if high > low else np.zeros_like(scores)


@dataclass(frozen=True, slots=True, eq=False)
class Shortlist:
    """Items that may be among those with the highest sum of their `addends`.

    `numbers` ascend; each of `addends` has their order. No other item has a sum above `rest`.
    """

    numbers: Numbers
    addends: Mapping[str, Scores]
    rest: float = -np.inf

    @property
    def total(self) -> Scores:
        return sum_in_order(self.addends.values())

    def best(self, count: int) -> Numbers:
        """Return the `count` highest numbers, best first; ties in order of number."""
        return self.numbers[best(self.total, count)]

    def surely(self, count: int) -> bool:
        """Check whether the `count` highest of all items are certainly in this list."""
        if self.rest == -np.inf:
            return True
        place = len(self.numbers) - count
        return place >= 0 and float(np.partition(self.total, place)[place]) >= self.rest


def shortlist(parts: Mapping[str, Scored], count: int, few: int | None = None) -> Shortlist:
    """List items that include the `count` with the highest sums of `parts`.

    If a part is not fully known, only its highest scores are listed. The lists double in length
    while an item outside them may still be among the `count` highest.

    Parameters
    ----------
    few : how many items each part lists at first; `LISTED` by default, because an item with a high
        sum may score low in each part.
    """
    listed = min(max(few or LISTED, count), MOST)
    while True:
        firsts = [part.first(listed) for part in parts.values()]
        numbers = _merged_numbers([first.numbers for first in firsts])
        addends = {name: part.of(numbers) for name, part in parts.items()}
        listing = Shortlist(numbers, addends, sum(first.rest for first in firsts))
        if listed == MOST or listing.surely(count):
            return listing
        listed = min(2 * listed, MOST)


def _merged_numbers(lists: Collection[Numbers]) -> Numbers:
    """Merge ascending lists of numbers into one without duplicates."""
    longest = max(lists, key=len)
    rest = [few for few in lists if few is not longest]
    # Where one lists everything, sorting would take longer than all else.
    if len(longest) and longest[-1] == len(longest) - 1:
        rest = [few for few in rest if len(few) and few[-1] > longest[-1]]
    return np.unique(np.concatenate((longest, *rest))) if rest else longest


def sum_in_order(parts: Iterable[Scores]) -> Scores:
    """Add scores in the given order, so that rounding does not depend on how many there are."""
    return reduce(np.add, parts)
