"""Scores in a large index: of those that a search found, and of others as they are asked for."""

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from core.artefacts.scoring.scores import LISTED, First
from core.ranking import Scores, best
from core.store.adjacency import Numbers
from core.store.vector_search import Found

Search = Callable[[int], Found]
"""Numbers and scores of as many things as it is given, best first; all where there are fewer."""


class Remembering:
    """Scores by number, each worked out once, and many at a time."""

    def __init__(self, work: Callable[[Numbers], Scores]) -> None:
        self._work = work
        self._known: dict[int, float] = {}

    def learn(self, numbers: Numbers, scores: Scores) -> None:
        self._known.update(zip(numbers.tolist(), scores.tolist(), strict=True))

    def of(self, numbers: Numbers) -> Scores:
        wanted = numbers.tolist()
        missing = np.array(sorted({one for one in wanted if one not in self._known}), np.int64)
        if len(missing):
            self.learn(missing, self._work(missing))
        return np.array([self._known[one] for one in wanted], np.float64)


class Searched:
    """What a search lists has the scores that it gives.

    Parameters
    ----------
    work : the scores of things of any numbers, ascending.
    low : finds the least score of all.
    others : what all score at most that a search does not find though it may.
    """

    def __init__(
        self,
        search: Search,
        work: Callable[[Numbers], Scores],
        low: Callable[[], float],
        others: float = -np.inf,
    ) -> None:
        self._search = search
        self._scores = Remembering(work)
        self._low = low
        self._others = others
        self._found: Mapping[int, First] = {}

    @cached_property
    def low(self) -> float:
        return self._low()

    @cached_property
    def high(self) -> float:
        scores = self.of(self.first(LISTED).numbers)
        return float(scores.max()) if len(scores) else 0.0

    def first(self, count: int) -> First:
        if count not in self._found:
            numbers, scores = self._search(count)
            self._scores.learn(numbers, scores)
            rest = self._others if len(numbers) < count else float(scores[-1])
            self._found = {**self._found, count: First(np.sort(numbers), rest)}
        return self._found[count]

    def of(self, numbers: Numbers) -> Scores:
        return self._scores.of(numbers)

    def prefetch(self, numbers: Numbers) -> None:
        self._scores.of(numbers)


class FewScored:
    """Scores above 0 that are known of few things, whose `numbers` ascend; all others are 0."""

    low = 0.0

    def __init__(self, numbers: Numbers, scores: Scores) -> None:
        self._numbers = numbers
        self._scores = scores

    @cached_property
    def high(self) -> float:
        return float(self._scores.max()) if len(self._scores) else 0.0

    def first(self, count: int) -> First:
        if len(self._numbers) <= count:
            return First(self._numbers, 0.0)
        order = best(self._scores, count)
        return First(np.sort(self._numbers[order]), float(self._scores[order[-1]]))

    def of(self, numbers: Numbers) -> Scores:
        if not len(self._numbers):
            return np.zeros(len(numbers))
        places = np.searchsorted(self._numbers, numbers).clip(max=len(self._numbers) - 1)
        return np.where(self._numbers[places] == numbers, self._scores[places], 0.0)

    def prefetch(self, numbers: Numbers) -> None:
        """They are in memory."""
