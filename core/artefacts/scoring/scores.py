"""Scores of things by one measure: known of all of them, or worked out for those that matter."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import NamedTuple, Protocol

import numpy as np

from core.ranking import Scores, best
from core.store.adjacency import Numbers

LISTED = 1_000
"""Things of a large index that a search lists, by each measure, to rank those that it found."""
MOST = 4_000
"""The same, where so few leave it open whether another would rank as high."""


class First(NamedTuple):
    """Those that score highest: `numbers` ascend, and no other scores above `rest`."""

    numbers: Numbers
    rest: float


class Scored(Protocol):
    """What one question makes of all passages, or of all edges, each by its number.

    `low` and `high` are the least and the greatest score of all.
    """

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    def first(self, count: int) -> First:
        """`count` of them, or more; all where all are known."""
        ...

    def of(self, numbers: Numbers) -> Scores:
        """Return the scores of these, in their order."""
        ...

    def prefetch(self, numbers: Numbers) -> None:
        """Load these scores at once, since they will be asked for one by one."""
        ...


class AllScored:
    """Scores that are known of all things; (n,), in order of their numbers.

    Parameters
    ----------
    but : those that score above 0, where all others are 0.
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
        """They are in memory."""


def half_scores(scored: Scored, least: float | None = None) -> Scored:
    """Scale scores to [0, 1/2], for a sum of two scores.

    Parameters
    ----------
    least : the score that becomes 0, if a lowest possible score is known; else the lowest of all.
        If
        all are equal, all become 0.
    """
    half = _Halved(scored, least)
    every, rest = scored.first(LISTED)
    return AllScored(half.of(every)) if rest == -np.inf else half


class _Halved:
    """Each score is scaled when it is asked for."""

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
    """Things that may be among those with the highest sum of their `addends`.

    `numbers` ascend, and have each of `addends` in their order. No other thing sums up to more
    than `rest`.
    """

    numbers: Numbers
    addends: Mapping[str, Scores]
    rest: float = -np.inf

    @property
    def total(self) -> Scores:
        return sum_in_order(self.addends.values())

    def best(self, count: int) -> Numbers:
        """Return the `count` highest ones, best first; equal ones in order of number."""
        return self.numbers[best(self.total, count)]

    def surely(self, count: int) -> bool:
        """Return whether the `count` highest ones of all are among these."""
        if self.rest == -np.inf:
            return True
        place = len(self.numbers) - count
        return place >= 0 and float(np.partition(self.total, place)[place]) >= self.rest


def shortlist(parts: Mapping[str, Scored], count: int, few: int | None = None) -> Shortlist:
    """Return a list that contains the `count` things with the highest sums of `parts`.

    If a part is not fully known, only its highest scores are listed. The lists double in length
    while a thing outside them may still be among the `count` highest.

    Where not all is known, by each part those that score highest; as many more, while a thing that
    is in no list may be among the `count` highest.

    Parameters
    ----------
    few : how many each part lists at first; `LISTED` by default, since what is high in a sum may be
        low in each part.
    """
    listed = min(max(few or LISTED, count), MOST)
    while True:
        firsts = [part.first(listed) for part in parts.values()]
        numbers = _in_any([first.numbers for first in firsts])
        addends = {name: part.of(numbers) for name, part in parts.items()}
        listing = Shortlist(numbers, addends, sum(first.rest for first in firsts))
        if listed == MOST or listing.surely(count):
            return listing
        listed = min(2 * listed, MOST)


def _in_any(lists: Collection[Numbers]) -> Numbers:
    """Return all numbers of some ascending lists, ascending."""
    longest = max(lists, key=len)
    rest = [few for few in lists if few is not longest]
    # Where one lists everything, sorting would take longer than all else.
    if len(longest) and longest[-1] == len(longest) - 1:
        rest = [few for few in rest if len(few) and few[-1] > longest[-1]]
    return np.unique(np.concatenate((longest, *rest))) if rest else longest


def sum_in_order(parts: Iterable[Scores]) -> Scores:
    """Add scores in the given order, so that rounding does not depend on how many there are."""
    return reduce(np.add, parts)
