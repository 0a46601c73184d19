"""Questions of one direction in columns, the input of edge merging."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.hop_graph.cells import Places
from core.vectors import Vectors

Ids = NDArray[np.object_]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """n questions of one direction, sorted by passage id, then question id.

    Attributes
    ----------
    passages, ids : (n,) passage id and question id.
    words : the keywords of this side.
    keywords : (n, len(words)) incidence matrix.
    vectors : (m, d) float32 unit-norm.
    rows : (n,) the row of each question in `vectors`.
    """

    passages: Ids
    ids: Ids
    words: Sequence[str]
    keywords: sparse.csr_matrix
    vectors: Vectors
    rows: Places

    def __len__(self) -> int:
        return len(self.ids)


def side_of(
    passages: Sequence[str],
    ids: Sequence[str],
    keywords: Sequence[Sequence[str]],
    vectors: Vectors,
    rows: Sequence[int],
) -> Side:
    """Return pseudo-queries of one direction as a `Side`, sorted by passage and then by id.

    All arguments describe the same pseudo-queries, one entry each; their keywords become a sparse
    matrix of ones, (pseudo-queries, keywords).
    """
    order = sorted(range(len(ids)), key=lambda i: (passages[i], ids[i]))
    known: dict[str, int] = {}
    columns = [[known.setdefault(w, len(known)) for w in sorted(set(keywords[i]))] for i in order]
    starts = np.cumsum([0, *map(len, columns)])
    flat = np.array([column for row in columns for column in row], np.int32)
    shape = (len(order), max(1, len(known)))
    return Side(
        np.array([passages[i] for i in order], object),
        np.array([ids[i] for i in order], object),
        tuple(known),
        sparse.csr_matrix((np.ones(len(flat), np.float32), flat, starts), shape=shape),
        vectors,
        np.array([rows[i] for i in order], np.int64),
    )
