"""Scores of things by one measure: known of all of them, or worked out for those that matter."""

from collections.abc import Iterable
from functools import cached_property, reduce
from typing import Protocol

import numpy as np

from core.ranking import Scores
from core.store.adjacency import Numbers


class Scored(Protocol):
    """What one question makes of all passages, or of all edges, each by its number.

    `listed` are the numbers, ascending, among which the highest scores are looked for; `low` and
    `high` the least and the greatest score of all.
    """

    @property
    def listed(self) -> Numbers: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    def of(self, numbers: Numbers) -> Scores:
        """The scores of these, in their order."""
        ...

    def ahead(self, numbers: Numbers) -> None:
        """These will be asked for, one after the other."""
        ...


class AllScored:
    """Scores that are known of all things; (n,), in order of their numbers.

    Parameters
    ----------
    listed : those that have any score, where it is few of them.
    """

    def __init__(self, scores: Scores, listed: Numbers | None = None) -> None:
        self._scores = scores
        self._listed = listed

    @cached_property
    def listed(self) -> Numbers:
        return np.arange(len(self._scores)) if self._listed is None else self._listed

    @cached_property
    def low(self) -> float:
        return float(self._scores.min())

    @cached_property
    def high(self) -> float:
        return float(self._scores.max())

    def of(self, numbers: Numbers) -> Scores:
        return self._scores[numbers]

    def ahead(self, numbers: Numbers) -> None:
        """They are in memory."""


class Halved:
    """The same things scaled to [0, 1/2]: half of a score that is made of two; all 0 if equal."""

    low, high = 0.0, 0.5

    def __init__(self, scored: Scored) -> None:
        self._scored = scored

    @property
    def listed(self) -> Numbers:
        return self._scored.listed

    def of(self, numbers: Numbers) -> Scores:
        low, high = self._scored.low, self._scored.high
        scores = self._scored.of(numbers)
        return (scores - low) / (high - low) / 2 if high > low else np.zeros_like(scores)

    def ahead(self, numbers: Numbers) -> None:
        self._scored.ahead(numbers)


def listed(parts: Iterable[Scored]) -> Numbers:
    """The numbers that one of `parts` lists, ascending."""
    found = sorted((part.listed for part in parts), key=len)
    rest, longest = found[:-1], found[-1]
    # One that lists everything is no longer sorted again.
    if len(longest) and longest[-1] == len(longest) - 1:
        rest = [few for few in rest if len(few) and few[-1] > longest[-1]]
    return np.unique(np.concatenate((longest, *rest))) if rest else longest


def summed(parts: Iterable[Scores]) -> Scores:
    """Their sum, each score added in the same order however many there are beside it."""
    return reduce(np.add, parts)
