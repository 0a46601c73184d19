"""Which vertices the edges of an index join, as arrays of numbers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Edges by the vertex at one of their ends.

    `order` are (m,) edge numbers, those of a vertex together and ascending; vertex v has those
    from `starts[v]` up to `starts[v + 1]`, (n + 1,).
    """

    order: Numbers
    starts: Numbers

    def of(self, vertex: int) -> Numbers:
        """The edges of a vertex, in order of their numbers."""
        return self.order[self.starts[vertex] : self.starts[vertex + 1]]


@dataclass(frozen=True, slots=True, eq=False)
class Adjacency:
    """The m edges of n passages by their numbers; `source` and `target` are (m,)."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    by_source: Grouped
    by_target: Grouped

    @staticmethod
    def of(source: NDArray[np.int32], target: NDArray[np.int32], vertices: int) -> "Adjacency":
        by_source, by_target = (grouped(ends, vertices) for ends in (source, target))
        return Adjacency(source, target, by_source, by_target)

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


def grouped(ends: NDArray[np.int32], vertices: int) -> Grouped:
    """Edges by `ends`, (m,), the vertex of each."""
    order = np.argsort(ends, kind="stable")
    return Grouped(order, np.searchsorted(ends[order], np.arange(vertices + 1)))
