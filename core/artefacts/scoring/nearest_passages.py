"""Similarity of passages to a vector."""

from collections.abc import Callable, Sequence

import numpy as np

from core.artefacts.base import Artefact
from core.artefacts.scoring.scores import AllScored, Scored
from core.artefacts.scoring.searched_scores import Searched
from core.ranking import Scores, best
from core.store.adjacency import Numbers
from core.store.index import Index
from core.store.paged_rows import PagedVectors
from core.store.vector_search import Found
from core.vectors import Vectors


def search_engine(index: Index, table: str = "passages") -> str:
    """Name the search engine of a table and its measured error; empty if all vectors are
    compared.
    """
    missed = index.missed.get(table)
    return (
        ""
        if missed is None
        else (f"LanceDB IVF (misses {100 * missed:.1f}% of the 20 nearest passages)")
    )


class Nearness:
    """Cosines of a vector with all passages, or with those that a search finds."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._stored = PagedVectors(index.tables, "passages") if index.large else None

    def to(self, vector: Vectors) -> Scored:
        """Return the cosine of each passage and `vector`, (d,) unit-norm."""
        index = self._index
        if self._stored is None:
            return AllScored((index.vectors @ vector).astype(np.float64))
        return searched_cosines(index.nearest, self._stored.take, vector)

    def each(self, vectors: Vectors, count: int) -> list[Found]:
        """Return numbers and cosines of the `count` passages nearest to each of `vectors`, (k,
        d).
        """
        if self._stored is not None:
            return [self._index.nearest(vector, count) for vector in vectors]
        cosines = (vectors @ self._index.vectors.T).astype(np.float64)
        order = [best(cosine, count) for cosine in cosines]
        return [(first, cosine[first]) for first, cosine in zip(order, cosines, strict=True)]

    def at(self, numbers: Sequence[int]) -> Vectors:
        """Return the vectors of these passages, (len(numbers), d)."""
        if self._stored is not None:
            return self._stored.take(numbers)
        return self._index.vectors[list(numbers)]


def searched_cosines(
    nearest: Callable[[Vectors, int], Found], take: Callable[[Numbers], Vectors], vector: Vectors
) -> Searched:
    """Return a lazy list of the cosines of `vector` with many vectors, which `take` loads by
    number.

    The lowest cosine is that of the vector nearest to the opposite direction.
    """

    def work(numbers: Numbers) -> Scores:
        # Row by row, so that equal vectors have equal cosines wherever they stand.
        cosines: Scores = np.einsum("ij,j->i", take(numbers), vector, dtype=np.float64)
        return cosines

    def low() -> float:
        return -float(nearest(-vector, 1)[1][0])

    return Searched(lambda count: nearest(vector, count), work, low)


NEARNESS = Artefact(
    "nearness",
    "Finds the passages closest to an embedding.",
    lambda bench, _: Nearness(bench.index),
)
