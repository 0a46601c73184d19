"""The best match of each out-question, merged over blocks of in-questions.

`Best.better_of` compares scores, then ids. It is associative and commutative, so the result does
not depend on the blocks or their order.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.hop_graph.sides import Ids


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The best in-question found for each of n out-questions.

    Attributes
    ----------
    target, answer : (n,) passage id and question id of the match; "" if there is none.
    jaccard, cosine : (n,) the two parts of its score; -inf if there is no match.
    unseen : (n,) upper bound of SIM for pairs that were not scored; -inf if all were.
    """

    target: Ids
    answer: Ids
    jaccard: NDArray[np.float64]
    cosine: NDArray[np.float64]
    unseen: NDArray[np.float64]

    @property
    def similarity(self) -> NDArray[np.float64]:
        """SIM (Equation 1), (n,)."""
        similarities: NDArray[np.float64] = (self.jaccard + self.cosine) / 2
        return similarities

    @staticmethod
    def none(count: int) -> "Best":
        """Return an object for `count` questions without a match."""
        nobody = [np.full(count, "", object) for _ in range(2)]
        never = [np.full(count, -np.inf) for _ in range(3)]
        return Best(nobody[0], nobody[1], never[0], never[1], never[2])

    @property
    def certified(self) -> int:
        """The number of matches that are certainly the best of all pairs."""
        return int((self.similarity >= self.unseen).sum())

    def better_of(self, other: "Best") -> "Best":
        """Choose the match with the higher score for each question; ties go to the lower ids."""
        better = other.similarity > self.similarity
        for row in np.flatnonzero(other.similarity == self.similarity):
            theirs, ours = ((b.target[row], b.answer[row]) for b in (other, self))
            better[row] = theirs < ours

        def chosen(ours: Any, theirs: Any) -> Any:
            return np.where(better, theirs, ours)

        return Best(
            chosen(self.target, other.target),
            chosen(self.answer, other.answer),
            chosen(self.jaccard, other.jaccard),
            chosen(self.cosine, other.cosine),
            np.maximum(self.unseen, other.unseen),
        )
