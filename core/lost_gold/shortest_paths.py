"""The shortest path in the hop graph from reached passages to gold that no step named."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import dijkstra

from core.ceiling.reach import Way
from core.funnel import reach
from core.types import Edge, PseudoQuery


class Graph(reach.Graph, Protocol):
    """Edges of an index, as arrays of passage numbers and one by one, with their questions."""

    def edges(self, numbers: Sequence[int]) -> list[Edge]: ...
    def questions(self, query_ids: Sequence[str]) -> list[PseudoQuery]: ...
    def spoken(self, query: PseudoQuery) -> str: ...


@dataclass(frozen=True, slots=True)
class Path:
    """Passage numbers from a reached passage to gold, both included, and the edges between."""

    passages: tuple[int, ...]
    edges: tuple[Edge, ...]


class Ways:
    """Shortest paths from any of several passages.

    Parameters
    ----------
    reached : the passage numbers at which a path may begin.
    vertices : how many passages there are.
    way : whether edges are followed either way, or only from source to target.
    """

    def __init__(self, graph: Graph, reached: Collection[int], vertices: int, way: Way) -> None:
        self._graph = graph
        self._way = way
        ends = graph.adjacency.source, graph.adjacency.target
        matrix = sparse.csr_matrix((np.ones(len(ends[0])), ends), shape=(vertices, vertices))
        self._matrix, self._reached = matrix, sorted(reached)
        self._distance, self._before, _ = dijkstra(
            matrix,
            directed=way == "out",
            indices=self._reached,
            unweighted=True,
            return_predecessors=True,
            min_only=True,
        )

    def to(self, gold: Sequence[int]) -> Path | None:
        """Return the shortest path to any of `gold`, None if there is none."""
        nearest = min(gold, key=lambda number: float(self._distance[number]))
        if not np.isfinite(self._distance[nearest]):
            return None
        passages = _back(nearest, self._before)
        numbers = [self._edge_between(one, other) for one, other in pairwise(passages)]
        return Path(tuple(passages), tuple(self._graph.edges(numbers)))

    def against(self, gold: Sequence[int]) -> Edge | None:
        """Return the first reversed edge on the shortest undirected path to any of `gold`.

        None if there is no such path.
        """
        hops, before, _ = dijkstra(
            self._matrix,
            directed=False,
            indices=self._reached,
            unweighted=True,
            return_predecessors=True,
            min_only=True,
        )
        nearest = min(gold, key=lambda number: float(hops[number]))
        if not np.isfinite(hops[nearest]):
            return None
        passages = _back(nearest, before)
        ends = self._graph.adjacency
        for one, other in pairwise(passages):
            if not ((ends.source == one) & (ends.target == other)).any():
                turned = np.flatnonzero((ends.source == other) & (ends.target == one))
                return self._graph.edges([int(turned[0])])[0]
        return None

    def _edge_between(self, one: int, other: int) -> int:
        """Return the number of the first edge between two passages, as the search may follow it."""
        ends = self._graph.adjacency
        joins = (ends.source == one) & (ends.target == other)
        if self._way == "both":
            joins |= (ends.source == other) & (ends.target == one)
        return int(np.flatnonzero(joins)[0])


def _back(number: int, before: NDArray[np.int32]) -> list[int]:
    """Return the path to a passage by the predecessors `before`."""
    passages = [number]
    while (one := int(before[passages[0]])) >= 0:
        passages.insert(0, one)
    return passages
