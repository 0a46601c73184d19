"""Scores in a large index: those that a search lists, and others computed on demand."""

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from core.artefacts.scoring.scores import LISTED, First
from core.ranking import Scores, best
from core.store.adjacency import Numbers
from core.store.vector_search import Found

Search = Callable[[int], Found]
"""Returns numbers and scores of the given count of items, best first; fewer if there are fewer."""


class Remembering:
    """Scores by number, each computed once, many at a time."""

    def __init__(self, work: Callable[[Numbers], Scores]) -> None:
        self._work = work
        self._known: dict[int, float] = {}

    def learn(self, numbers: Numbers, scores: Scores) -> None:
        self._known.update(zip(numbers.tolist(), scores.tolist(), strict=True))

    def of(self, numbers: Numbers) -> Scores:
        """Return the scores of these numbers, and compute those that are not cached."""
        wanted = numbers.tolist()
        missing = np.array(sorted({n for n in wanted if n not in self._known}), np.int64)
        if len(missing):
            self.learn(missing, self._work(missing))
        return np.array([self._known[number] for number in wanted], np.float64)


class Searched:
    """Scores of a search, and computed scores for items that it does not list.

    Parameters
    ----------
    work : computes the scores of ascending numbers.
    low : computes the lowest score of all.
    others : upper bound of the scores of items that a complete search does not list.
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
        """Run the search for `count` items, once for each count."""
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
    """Scores above 0 of few items, whose `numbers` ascend; all others are 0."""

    low = 0.0

    def __init__(self, numbers: Numbers, scores: Scores) -> None:
        self._numbers = numbers
        self._scores = scores

    @cached_property
    def high(self) -> float:
        return float(self._scores.max()) if len(self._scores) else 0.0

    def first(self, count: int) -> First:
        """Return the `count` highest scores, or all that are above 0."""
        if len(self._numbers) <= count:
            return First(self._numbers, 0.0)
        order = best(self._scores, count)
        return First(np.sort(self._numbers[order]), float(self._scores[order[-1]]))

    def of(self, numbers: Numbers) -> Scores:
        """Look up the scores by binary search; 0 for numbers that are not listed."""
        if not len(self._numbers):
            return np.zeros(len(numbers))
        places = np.searchsorted(self._numbers, numbers).clip(max=len(self._numbers) - 1)
        return np.where(self._numbers[places] == numbers, self._scores[places], 0.0)

    def prefetch(self, numbers: Numbers) -> None:
        """Do nothing: everything is in memory."""
