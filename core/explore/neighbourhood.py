"""The part of the graph around a few passages, small enough to be looked at."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from core.types import Edge

EdgesOf = Callable[[Sequence[str]], Sequence[Sequence[Edge]]]
"""The edges at each of several passages: a store reads many at once as fast as a few."""
Facing = Literal["out", "in", "both"]

NO_LIMIT = -1.0
"""The least possible SIM: half of a Jaccard of 0 and a cosine of -1, rounded down."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Passages in the order they were met and every edge between two of them.

    `found` counts all passages within reach, of which `nodes` are the first.
    """

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    found: int


def neighbourhood(
    out_edges: EdgesOf,
    in_edges: EdgesOf,
    centres: Sequence[str],
    hops: int,
    cap: int,
    min_similarity: float = NO_LIMIT,
    direction: Facing = "both",
) -> Neighbourhood:
    """Breadth first from `centres`, along the most similar edge first, at most `cap` passages.

    Parameters
    ----------
    out_edges, in_edges : the edges that leave passages and that come to them.
    hops : how many edges away a passage may be, 0 or more.
    min_similarity : edges with a lower SIM are neither followed nor returned.
    direction : which edges are followed; the edges between the passages found are those too.
    """
    near = _near(out_edges, in_edges, min_similarity, direction)
    distance = _distances(near, centres, hops)
    nodes = tuple(distance)[:cap]
    return Neighbourhood(nodes, _edges_between(near, nodes), len(distance))


def within_reach(
    out_edges: EdgesOf,
    in_edges: EdgesOf,
    centres: Sequence[str],
    hops: int,
    min_similarity: float = NO_LIMIT,
    direction: Facing = "both",
) -> tuple[str, ...]:
    """Return all passages of `neighbourhood`, without a cap and without their edges."""
    near = _near(out_edges, in_edges, min_similarity, direction)
    return tuple(_distances(near, centres, hops))


def _near(
    out_edges: EdgesOf, in_edges: EdgesOf, min_similarity: float, direction: Facing
) -> EdgesOf:
    """Return the edges at each passage that are let through, the most similar first."""
    read = [
        *([out_edges] if direction != "in" else []),
        *([in_edges] if direction != "out" else []),
    ]

    def near(passages: Sequence[str]) -> list[list[Edge]]:
        """Return the edges at each of `passages`, most similar first."""
        pairs = zip(*(edges_of(passages) for edges_of in read), strict=True)
        return [
            sorted(
                (edge for edges in both for edge in edges if edge.similarity >= min_similarity),
                key=lambda edge: (-edge.similarity, edge.id),
            )
            for both in pairs
        ]

    return near


def _distances(near: EdgesOf, centres: Sequence[str], hops: int) -> dict[str, int]:
    """Return passages within reach in the order they are met, with their distance in hops."""
    distance = dict.fromkeys(centres, 0)
    layer = list(distance)
    for hop in range(1, hops + 1):
        met = {
            edge.target if edge.source == here else edge.source: hop
            for here, edges in zip(layer, near(layer), strict=True)
            for edge in edges
        }
        layer = [name for name in met if name not in distance]
        distance |= dict.fromkeys(layer, hop)
    return distance


def _edges_between(near: EdgesOf, nodes: Sequence[str]) -> tuple[Edge, ...]:
    """Return the edges whose ends are both in `nodes`."""
    inside = set(nodes)
    edges = {
        edge.id: edge
        for near_one in near(nodes)
        for edge in near_one
        if edge.source in inside and edge.target in inside
    }
    return tuple(edges.values())
