"""The edges of an index as arrays of vertex numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Ints = NDArray[np.int32]
ORDERS = {"by_source": "source", "by_target": "target", "by_carried": "carried"}
"""The orders of all edges that a large index keeps, and by what each is."""


@dataclass(frozen=True, slots=True, eq=False)
class EdgeGroups:
    """Edge numbers grouped by one of their vertices, or by another number per edge (CSR).

    Attributes
    ----------
    order : (m,) edge numbers, grouped by vertex and ascending within a group.
    starts : (n + 1,) the edges of vertex v are ``order[starts[v]:starts[v + 1]]``.
    """

    order: Numbers | Ints
    starts: Numbers

    @staticmethod
    def ordered(order: Numbers | Ints, ends: Ints, vertices: int) -> "EdgeGroups":
        """Return the groups of edges that are already sorted.

        Parameters
        ----------
        order : (m,) edge numbers, sorted by vertex.
        ends : (m,) the vertex of each edge.
        vertices : number of vertices.
        """
        counts = np.bincount(ends, minlength=vertices)
        return EdgeGroups(order, np.concatenate(([0], np.cumsum(counts))))

    def of(self, vertex: int) -> Numbers:
        """Return the edge numbers of a vertex, ascending."""
        edges = self.order[self.starts[vertex] : self.starts[vertex + 1]]
        return edges.astype(np.int64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class Adjacency:
    """The m edges of a graph of n passages; `source` and `target` are vertex numbers, (m,)."""

    source: Ints
    target: Ints
    by_source: EdgeGroups
    by_target: EdgeGroups

    @staticmethod
    def of(source: Ints, target: Ints, vertices: int) -> "Adjacency":
        """Group the edges by source and by target; `source` and `target` are (m,)."""
        grouped = (
            EdgeGroups.ordered(np.argsort(ends, kind="stable"), ends, vertices)
            for ends in (source, target)
        )
        return Adjacency(source, target, *grouped)

    @staticmethod
    def stored(columns: Mapping[str, Ints], vertices: int) -> "Adjacency":
        """Return the adjacency from the stored columns of a large index, (m,) each."""
        grouped = (
            EdgeGroups.ordered(columns[order], columns[ORDERS[order]], vertices)
            for order in ("by_source", "by_target")
        )
        return Adjacency(columns["source"], columns["target"], *grouped)

    def __len__(self) -> int:
        """Return the number of edges."""
        return len(self.source)

    def leaving(self, vertex: int) -> Numbers:
        """Return the numbers of edges from `vertex`, ascending."""
        return self.by_source.of(vertex)

    def arriving(self, vertex: int) -> Numbers:
        """Return the numbers of edges to `vertex`, ascending."""
        return self.by_target.of(vertex)

    def degrees(self) -> tuple[Numbers, Numbers]:
        """Return out-degree and in-degree of each vertex, (n,) each."""
        return np.diff(self.by_source.starts), np.diff(self.by_target.starts)
