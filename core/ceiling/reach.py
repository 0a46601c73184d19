"""Distance of gold from the seeds: what a walk over the graph can reach at best.

A walk of h hops finds nothing that lies further than h edges from where it starts, whatever
chooses the edges. So hop distances bound the recall of every chooser from above.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import dijkstra

HOPS = 4  # rounds of the paper's walk

Way = Literal["both", "out"]
"""`both` follows edges either way, `out` only from their source to their target."""

Barrier = Literal["unknown", "orphan", "component", "against", "far"]
BARRIERS: dict[Barrier, str] = {
    "unknown": "not in the index",
    "orphan": "has no edges",
    "component": "in another component",
    "against": "only reachable against the edge direction",
    "far": f"more than {HOPS} hops away",
}
"""Why gold is not within `HOPS` hops of any seed."""

Hops = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reach:
    """The distances of the gold of one question from its seeds.

    `hops` has for each gold the number of edges to its nearest passage, 0 for a seed, None where
    no path leads. `barriers` has for each gold why it is out of reach, None when it is within
    `HOPS`. `within[h]` counts the passages at most h hops away, the seeds among them.
    """

    hops: tuple[int | None, ...]
    barriers: tuple[Barrier | None, ...]
    within: tuple[int, ...]


class Ceiling:
    """Hop distances in one graph.

    Parameters
    ----------
    source, target : (m,) the vertices at both ends of each edge.
    vertices : how many there are, with those that have no edge.
    """

    def __init__(self, source: NDArray[np.int32], target: NDArray[np.int32], vertices: int) -> None:
        shape = (vertices, vertices)
        self._edges = sparse.csr_matrix((np.ones(len(source)), (source, target)), shape=shape)
        self._degree = np.bincount(source, minlength=vertices)
        self._degree += np.bincount(target, minlength=vertices)

    def hops(self, seeds: Sequence[int], way: Way) -> Hops:
        """Return edges on the shortest path from any of `seeds` to each vertex, inf without one.

        (n,).
        """
        distances: Hops = dijkstra(
            self._edges, directed=way == "out", indices=seeds, unweighted=True, min_only=True
        )
        return distances

    def reach(self, seeds: Sequence[int], gold: Sequence[Sequence[int]]) -> dict[Way, Reach]:
        """Return the distance of gold from the seeds, in both directions and along out-edges.

        Parameters
        ----------
        gold : for each gold the vertices of which one is enough: one passage, or all passages of
            a document. It is empty for gold that the index does not have.
        """
        both, out = self.hops(seeds, "both"), self.hops(seeds, "out")
        return {
            "both": self._reach_in_hops(both, both, gold),
            "out": self._reach_in_hops(out, both, gold),
        }

    def _reach_in_hops(self, hops: Hops, both: Hops, gold: Sequence[Sequence[int]]) -> Reach:
        """Return how far each gold id is from the seeds.

        `hops` and `both` are (n,) distances along out-edges and along edges in both directions; inf
        where no path leads.
        """
        nearest = [min((hops[v] for v in vertices), default=np.inf) for vertices in gold]
        return Reach(
            hops=tuple(int(h) if np.isfinite(h) else None for h in nearest),
            barriers=tuple(
                self._barrier(h, both, vertices) for h, vertices in zip(nearest, gold, strict=True)
            ),
            within=tuple(int((hops <= h).sum()) for h in range(HOPS + 1)),
        )

    def _barrier(self, hops: float, both: Hops, gold: Sequence[int]) -> Barrier | None:
        """Return why gold is out of reach, or None if it is within `HOPS` hops."""
        if not gold:
            return "unknown"
        if hops <= HOPS:
            return None
        if np.isfinite(hops):
            return "far"
        if np.isfinite(both[list(gold)]).any():
            return "against"
        return "component" if self._degree[list(gold)].any() else "orphan"
