"""Strengths of ties between passages, as one sparse matrix."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.store.adjacency import Adjacency
from core.vectors import Vectors

WEAK = 0.15
"""Weight of a tie that no edge makes: it gives a passage a place, and is never drawn."""
_NEIGHBOURS = 2
_BLOCK = 256
_MOST_COMPARED = 20_000  # passages that a passage with few edges is compared with

Ties: TypeAlias = Any
"""A symmetric `scipy.sparse.csr_matrix`, which has no types."""


def ties(adjacency: Adjacency, similarity: NDArray[np.float64], passages: int) -> Ties:
    """Return the sum of the similarities of the edges between two passages, in either direction.

    Parameters
    ----------
    similarity : (m,) of each edge, in order of edge numbers.

    Returns
    -------
    (passages, passages), symmetric, nothing on the diagonal.
    """
    source, target = np.asarray(adjacency.source), np.asarray(adjacency.target)
    weight = np.maximum(similarity, 0.01)
    there = sparse.coo_matrix((weight, (source, target)), (passages, passages)).tocsr()
    both = there + there.T
    both.setdiag(0)
    both.eliminate_zeros()
    return both


def with_weak_ties(strong: Ties, vectors: Vectors) -> Ties:
    """Tie each passage that has fewer than two neighbours to the two passages most like it.

    Parameters
    ----------
    vectors : (n, d), unit-norm. Of more than 20,000 passages an even sample is compared with.
    """
    passages = strong.shape[0]
    lonely = np.flatnonzero(np.diff(strong.indptr) < _NEIGHBOURS)
    if not len(lonely) or passages < 2:
        return strong
    among = np.linspace(0, passages - 1, min(passages, _MOST_COMPARED)).astype(np.int64)
    rows, columns = [], []
    for first in range(0, len(lonely), _BLOCK):
        own = lonely[first : first + _BLOCK]
        cosine = vectors[own] @ vectors[among].T
        cosine[own[:, None] == among[None]] = -2
        count = min(_NEIGHBOURS, cosine.shape[1])
        near = np.argpartition(-cosine, count - 1, axis=1)[:, :count]
        rows.append(np.repeat(own, count))
        columns.append(among[near].ravel())
    row, column = np.concatenate(rows), np.concatenate(columns)
    kept = row != column
    row, column = row[kept], column[kept]
    shape = strong.shape
    extra = sparse.coo_matrix((np.full(len(row), WEAK), (row, column)), shape).tocsr()
    extra = extra.maximum(extra.T)
    extra.data[:] = WEAK
    return (strong + extra - extra.multiply(strong > 0)).tocsr()


def inside(tied: Ties, own: NDArray[np.int64]) -> Ties:
    """Return the ties between the passages `own`, ascending, as (k, k).

    It takes as long as they have ties, however many other passages there are: SciPy's own choice
    of columns looks at all of them.
    """
    rows = tied[own]
    place = np.minimum(np.searchsorted(own, rows.indices), len(own) - 1)
    kept = own[place] == rows.indices
    starts = np.concatenate(([0], np.cumsum(kept)))[rows.indptr]
    shape = (len(own), len(own))
    return sparse.csr_matrix((rows.data[kept], place[kept], starts), shape)
