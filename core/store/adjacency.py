"""Which vertices the edges of an index join, as arrays of numbers."""

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
    """Edges by the vertex at one of their ends, or by something else that each has one of.

    `order` are (m,) edge numbers, those of a vertex together and ascending; vertex v has those
    from `starts[v]` up to `starts[v + 1]`, (n + 1,).
    """

    order: Numbers | Ints
    starts: Numbers

    @staticmethod
    def ordered(order: Numbers | Ints, ends: Ints, vertices: int) -> "EdgeGroups":
        """Edges in an order by `ends`, (m,), the vertex of each."""
        counts = np.bincount(ends, minlength=vertices)
        return EdgeGroups(order, np.concatenate(([0], np.cumsum(counts))))

    def of(self, vertex: int) -> Numbers:
        """The edges of a vertex, in order of their numbers."""
        found = self.order[self.starts[vertex] : self.starts[vertex + 1]]
        return found.astype(np.int64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class Adjacency:
    """The m edges of n passages by their numbers; `source` and `target` are (m,)."""

    source: Ints
    target: Ints
    by_source: EdgeGroups
    by_target: EdgeGroups

    @staticmethod
    def of(source: Ints, target: Ints, vertices: int) -> "Adjacency":
        grouped = (
            EdgeGroups.ordered(np.argsort(ends, kind="stable"), ends, vertices)
            for ends in (source, target)
        )
        return Adjacency(source, target, *grouped)

    @staticmethod
    def stored(columns: Mapping[str, Ints], vertices: int) -> "Adjacency":
        """Of the columns that a large index keeps, each of length m."""
        grouped = (
            EdgeGroups.ordered(columns[order], columns[ORDERS[order]], vertices)
            for order in ("by_source", "by_target")
        )
        return Adjacency(columns["source"], columns["target"], *grouped)

    def __len__(self) -> int:
        """How many edges there are."""
        return len(self.source)

    def leaving(self, vertex: int) -> Numbers:
        """Edges that start in `vertex`, in order of their numbers."""
        return self.by_source.of(vertex)

    def arriving(self, vertex: int) -> Numbers:
        """Edges that end in `vertex`, in order of their numbers."""
        return self.by_target.of(vertex)

    def degrees(self) -> tuple[Numbers, Numbers]:
        """How many edges leave each vertex, and how many arrive; both (n,)."""
        return np.diff(self.by_source.starts), np.diff(self.by_target.starts)
