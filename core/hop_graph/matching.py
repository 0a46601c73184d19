"""The best in-coming question of each out-coming one, exactly, over the whole corpus.

A block of out-coming questions meets all in-coming ones in a product of upper bounds
(`core.hop_graph.bounds`), to which the Jaccard similarity of the pairs that share a keyword is
added. The pair with the highest bound is scored; whoever's bound is not below that score may be the
best and is scored too. That leaves a few dozen of each question's pairs, and those are scored in
float64, so that the result does not depend on block, order or processor.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.hop_graph.bounds import cosine_bounds
from core.types import PseudoQuery
from core.vectors import Vectors

PAIRS = 2048  # scored at a time: more no longer stay in the processor's cache

Counted = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Side:
    """The questions of one direction, as columns.

    `rows` are the numbers of their vectors, `owner` those of their passages, ascending; `sizes`
    count their keywords.
    """

    queries: Sequence[PseudoQuery]
    rows: NDArray[np.int64]
    keywords: sparse.csr_matrix
    sizes: NDArray[np.int64]
    owner: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Match:
    """Positions of two questions in their sides, and what they have in common."""

    out: int
    into: int
    jaccard: float
    cosine: float

    @property
    def similarity(self) -> float:
        """SIM (Eq. 1)."""
        return (self.jaccard + self.cosine) / 2


def best_matches(
    out: Side, into: Side, vectors: Vectors, block: int, progress: Counted | None = None
) -> Iterator[Match]:
    """The match with the largest SIM of each out-coming question that has a candidate.

    In the order of `out`. A passage's own in-coming questions are no candidates. Of equal ones the
    first in `into` is taken.

    Parameters
    ----------
    vectors : (n, d) float32, unit-norm, of the questions of both sides.
    block : out-coming questions at a time.
    progress : called with the number of out-coming questions matched since its last call.
    """
    if not out.queries or not into.queries:
        return
    bounds = cosine_bounds(vectors)
    pairs = _Pairs(out, into, vectors, into.keywords.T.tocsr())
    start = 0
    for cells in bounds.blocks(out.rows, into.rows, block):
        yield from pairs.best(start, cells, bounds.slack)
        start += len(cells)
        if progress:
            progress(len(cells))


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Every pair of an out-coming and an in-coming question; a score here is 2 SIM."""

    out: Side
    into: Side
    vectors: Vectors
    transposed: sparse.csr_matrix

    def best(self, start: int, cells: NDArray[np.float32], slack: float) -> Iterator[Match]:
        """The matches of the out-coming questions from `start` on, whose bounds are `cells`."""
        rows = np.arange(start, start + len(cells))
        jaccards = self._jaccards(rows)
        shared = jaccards.tocoo()
        cells[shared.row, shared.col] += shared.data
        self._rule_out_own(rows, cells)
        row, column = self._contenders(rows, cells, jaccards, slack)
        jaccard = np.asarray(jaccards[row, column]).ravel()
        cosine = self._cosines(rows[row], column)
        # Contenders are in order of row and column, and the sort keeps the order of equals.
        order = np.lexsort((-(jaccard + cosine) / 2, row))
        first = order[np.unique(row, return_index=True)[1]]
        columns = (rows[row], column, jaccard, cosine)
        yield from map(Match, *(values[first].tolist() for values in columns))

    def _jaccards(self, rows: NDArray[np.int64]) -> sparse.csr_matrix:
        """(rows, in) float64, for the pairs that share a keyword; of all others it is 0."""
        shared = (self.out.keywords[rows] @ self.transposed).tocoo()
        union = self.out.sizes[rows][shared.row] + self.into.sizes[shared.col] - shared.data
        where = (shared.row, shared.col)
        return sparse.csr_matrix((shared.data / union, where), shape=shared.shape)

    def _rule_out_own(self, rows: NDArray[np.int64], cells: NDArray[np.float32]) -> None:
        # Owners are sorted, so a passage's own in-coming questions are one run of columns.
        first = np.searchsorted(self.into.owner, self.out.owner[rows], "left")
        last = np.searchsorted(self.into.owner, self.out.owner[rows], "right")
        for own, a, b in zip(cells, first, last, strict=True):
            own[a:b] = -np.inf

    def _contenders(
        self,
        rows: NDArray[np.int64],
        cells: NDArray[np.float32],
        jaccards: sparse.csr_matrix,
        slack: float,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The cells, as rows and columns, whose bound is not below a score of their row."""
        likely = cells.argmax(axis=1)
        known = np.asarray(jaccards[np.arange(len(rows)), likely]).ravel()
        least = (known + self._cosines(rows, likely) - slack).astype(np.float32)
        return np.divmod(np.flatnonzero(cells >= least[:, None]), cells.shape[1])

    def _cosines(self, out: NDArray[np.int64], into: NDArray[np.int64]) -> NDArray[np.float64]:
        """Of pairs, (len(out),)."""
        found = np.empty(len(out))
        for start in range(0, len(out), PAIRS):
            part = slice(start, start + PAIRS)
            a = self.vectors[self.out.rows[out[part]]].astype(np.float64)
            b = self.vectors[self.into.rows[into[part]]]
            # A sum over each row for itself: unlike a matrix product it depends on no other pair.
            found[part] = (a * b).sum(axis=1)
        return found
