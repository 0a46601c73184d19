"""The best answers that were found, and those of several blocks put together.

`Best.or_better` asks for the score, then for the ids. It is associative and commutative: whoever
looks at which blocks, and in whatever order, the best are the same.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.hop_graph.sides import Ids


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The best answer of each out-coming question of a side, (n,) each.

    `target` is the passage of the in-coming question `answer`; both are empty where no question
    of another passage was seen, and the parts of its score are then -inf. No SIM of a pair that
    was not looked at is above `unseen`; -inf where all were.
    """

    target: Ids
    answer: Ids
    jaccard: NDArray[np.float64]
    cosine: NDArray[np.float64]
    unseen: NDArray[np.float64]

    @property
    def similarity(self) -> NDArray[np.float64]:
        """SIM (Eq. 1)."""
        found: NDArray[np.float64] = (self.jaccard + self.cosine) / 2
        return found

    @staticmethod
    def none(count: int) -> "Best":
        nobody = [np.full(count, "", object) for _ in range(2)]
        never = [np.full(count, -np.inf) for _ in range(3)]
        return Best(nobody[0], nobody[1], never[0], never[1], never[2])

    @property
    def certified(self) -> int:
        """How many are what a search of all pairs finds."""
        return int((self.similarity >= self.unseen).sum())

    def better_of(self, other: "Best") -> "Best":
        """Of each question the one with the larger score; of equals the first by its ids."""
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
