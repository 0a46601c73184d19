"""Nearest-neighbour search in a table, with its vector index if it has one, else exact."""

from typing import cast

import lancedb
import numpy as np
from lancedb.query import LanceVectorQueryBuilder
from numpy.typing import NDArray

from core.store import schema
from core.vectors import Vectors

EXACT_UP_TO = 20_000
"""Rows, up to which all are compared: an index would save nothing."""
_PROBES = 32  # parts of an index that are looked into
_SAMPLED = 100
_FIRST = 20
_ROWS = 50_000  # at a time

Found = tuple[NDArray[np.int64], NDArray[np.float64]]


def nearest(table: lancedb.table.Table, vector: Vectors, count: int) -> Found:
    """Return numbers and cosines of the `count` nearest rows, best first.

    Parameters
    ----------
    table : a table with the columns `number` and `vector`, unit-norm.
    vector : (d,) unit-norm.
    """
    search = cast(LanceVectorQueryBuilder, table.search(vector))
    asked = search.distance_type("dot").nprobes(_PROBES)
    rows = asked.limit(count).select(["number", "_distance"]).to_arrow()
    numbers = rows["number"].to_numpy().astype(np.int64)
    return numbers, 1 - rows["_distance"].to_numpy().astype(np.float64)


def missed_share(table: lancedb.table.Table, questions: lancedb.table.Table) -> float:
    """Measure the share of the 20 nearest rows that `nearest` misses, in [0, 1].

    The sample is 100 vectors of `questions`, or of rows if there are no questions. It is compared
    with an exact search.
    """
    questions = questions if questions.count_rows() else table
    every = max(1, questions.count_rows() // _SAMPLED)
    numbers = list(range(0, questions.count_rows(), every))[:_SAMPLED]
    asked = questions.take_offsets(numbers).select(["vector"]).to_arrow()
    sample = schema.vector_matrix(asked["vector"])
    least = _cosine_of_20th(table, sample)
    similarities = [nearest(table, vector, _FIRST)[1] for vector in sample]
    # By cosine, since of equal rows either is right; the index and the product round otherwise.
    hits = sum(
        int((near >= low - 1e-5).sum()) for near, low in zip(similarities, least, strict=True)
    )
    return 1 - hits / (_FIRST * len(sample))


def _cosine_of_20th(table: lancedb.table.Table, sample: Vectors) -> NDArray[np.float32]:
    """Return the cosine of the 20th nearest row to each sample vector, (len(sample),)."""
    best = np.full((len(sample), _FIRST), -np.inf, np.float32)
    for batch in table.search().select(["vector"]).to_batches(_ROWS):
        vectors = batch["vector"].flatten().to_numpy().reshape(len(batch), -1)
        both = np.concatenate((best, sample @ vectors.T), axis=1)
        best = np.partition(both, -_FIRST, axis=1)[:, -_FIRST:]
    return np.asarray(best.min(axis=1), np.float32)
