"""Exact search for the best in-question of each out-question, in blocks.

A matrix product gives upper bounds of the cosines (`core.hop_graph.bounds`); the Jaccard
similarity of pairs that share a keyword is added. The pair with the highest bound is scored, and
so is every pair whose bound is not below that score. That leaves a few dozen pairs per question.
They are scored in float64, so that a score does not depend on block, order or processor.

`Best.better_of` merges the results of several blocks.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.hop_graph.best import Best
from core.hop_graph.bounds import Heads, heads_of, slack
from core.hop_graph.cells import Cells, Places, cells_of, device, precision
from core.hop_graph.sides import Side
from core.vectors import Vectors

PAIRS = 2048  # scored at a time: more no longer stay in the processor's cache

Counted = Callable[[int], None]


def bounds_of_side(side: Side, axes: Vectors) -> Heads:
    """Compute the heads of the questions of `side`, in the precision of the device."""
    return heads_of(side.vectors[side.rows], axes, precision(device()))


def best_answers(
    out: Side,
    into: Side,
    asking: Heads,
    axes: Vectors,
    block: int,
    progress: Counted | None = None,
) -> Best:
    """Find, for each question in `out`, the question in `into` with the largest SIM.

    In-questions of the same passage are not candidates. Ties go to the first.

    Parameters
    ----------
    asking : the heads of `out`.
    axes : the axes of the bounds (`core.hop_graph.bounds.axes_of`).
    block : number of out-questions per block.
    progress : called with the number of out-questions matched since its last call.
    """
    best = Best.none(len(out))
    if not len(out) or not len(into):
        return best
    answering = bounds_of_side(into, axes)
    cells = cells_of(asking, answering, device())
    pairs = PairScorer.from_sides(out, into)
    less = slack(asking, answering)
    for start in range(0, len(out), block):
        rows = np.arange(start, min(start + block, len(out)))
        cells.fill(slice(start, start + block))
        pairs.put_best(best, rows, cells, less)
        if progress:
            progress(len(rows))
    return best


@dataclass(frozen=True, slots=True, eq=False)
class PairScorer:
    """Scores pairs of an out-question and an in-question. Scores and bounds are 2 SIM."""

    out: Side
    into: Side
    column: dict[str, int]
    transposed: sparse.csr_matrix
    sizes: NDArray[np.float64]

    @classmethod
    def from_sides(cls, out: Side, into: Side) -> "PairScorer":
        """Prepare the scoring of pairs of out-questions and in-questions by shared keywords."""
        column = {word: number for number, word in enumerate(into.words)}
        sizes = np.diff(into.keywords.indptr).astype(np.float64)
        return cls(out, into, column, into.keywords.T.tocsr(), sizes)

    def put_best(self, found: Best, rows: Places, cells: Cells, slack: float) -> None:
        """Write the best matches of the out-questions `rows` to `found`.

        Parameters
        ----------
        cells : the bounds of these questions.
        slack : rounding error of the bounds.
        """
        jaccards = self._jaccards(rows)
        shared = jaccards.tocoo()
        cells.add(shared.row, shared.col, shared.data.astype(np.float32))
        row, column = self._own_cells(rows)
        cells.add(row, column, np.full(len(row), -np.inf, np.float32))
        row, column = self._contenders(rows, cells, jaccards, slack)
        self._score(found, rows, jaccards, row, column)

    def put_best_of(self, found: Best, rows: Places, row: Places, column: Places) -> None:
        """Write the best matches among the given pairs and all pairs that share a keyword.

        Parameters
        ----------
        row, column : the pairs, as positions in `rows` and columns.
        """
        jaccards = self._jaccards(rows)
        shared = jaccards.tocoo()
        pairs = np.unique(
            np.stack((np.r_[row, shared.row], np.r_[column, shared.col])).astype(np.int64), axis=1
        )
        other = self.out.passages[rows[pairs[0]]] != self.into.passages[pairs[1]]
        self._score(found, rows, jaccards, *pairs[:, other.astype(bool)])

    def _score(
        self,
        found: Best,
        rows: Places,
        jaccards: sparse.csr_matrix,
        row: Places,
        column: Places,
    ) -> None:
        """Score pairs, sorted by row and column, and write the best of each row to `found`."""
        if not len(row):
            return
        jaccard = np.asarray(jaccards[row, column]).ravel()
        cosine = self._cosines(rows[row], column)
        # The sort keeps the order of equals.
        order = np.lexsort((-(jaccard + cosine) / 2, row))
        first = order[np.unique(row, return_index=True)[1]]
        at = rows[row[first]]
        found.target[at] = self.into.passages[column[first]]
        found.answer[at] = self.into.ids[column[first]]
        found.jaccard[at] = jaccard[first]
        found.cosine[at] = cosine[first]

    def _jaccards(self, rows: Places) -> sparse.csr_matrix:
        """Return the Jaccard similarities, (rows, in-questions) float64 sparse."""
        asked = self.out.keywords[rows]
        sizes = np.diff(asked.indptr)
        columns = [self.column.get(self.out.words[c], -1) for c in asked.indices.tolist()]
        known = np.array(columns, np.int32) >= 0
        owners = np.repeat(np.arange(len(rows)), sizes)[known]
        where = (owners, np.array(columns, np.int32)[known])
        shape = (len(rows), self.transposed.shape[0])
        same = sparse.csr_matrix((np.ones(len(owners), np.float32), where), shape=shape)
        shared = (same @ self.transposed).tocoo()
        union = sizes[shared.row] + self.sizes[shared.col] - shared.data
        return sparse.csr_matrix((shared.data / union, (shared.row, shared.col)), shared.shape)

    def _own_cells(self, rows: Places) -> tuple[Places, Places]:
        """Return the cells that pair questions of the same passage.

        Passages are sorted, so these are one run of columns in each row.
        """
        asking = self.out.passages[rows]
        first = np.searchsorted(self.into.passages, asking, "left")
        counts = np.searchsorted(self.into.passages, asking, "right") - first
        row = np.repeat(np.arange(len(rows)), counts)
        within = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
        return row, np.repeat(first, counts) + within

    def _contenders(
        self, rows: Places, cells: Cells, jaccards: sparse.csr_matrix, slack: float
    ) -> tuple[Places, Places]:
        """Return rows and columns of the cells whose bound reaches a known score of their row."""
        likely = cells.likely()
        known = np.asarray(jaccards[np.arange(len(rows)), likely]).ravel()
        least = (known + self._cosines(rows, likely) - slack).astype(np.float32)
        return cells.reaching(least)

    def _cosines(self, out: Places, into: Places) -> NDArray[np.float64]:
        """Return the cosine of each pair, (len(out),) float64."""
        cosines = np.empty(len(out))
        for start in range(0, len(out), PAIRS):
            part = slice(start, start + PAIRS)
            a = self.out.vectors[self.out.rows[out[part]]].astype(np.float64)
            b = self.into.vectors[self.into.rows[into[part]]]
            # A sum over each row for itself: unlike a matrix product it depends on no other pair.
            cosines[part] = (a * b).sum(axis=1)
        return cosines
