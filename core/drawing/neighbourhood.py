"""The part of the graph around a few passages, small enough to be looked at."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from core.types import Edge

EdgesOf = Callable[[str], Sequence[Edge]]
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
    out_edges, in_edges : the edges that leave a passage and that come to it.
    hops : how many edges away a passage may be, 0 or more.
    min_similarity : edges with a lower SIM are neither followed nor returned.
    direction : which edges are followed; the edges between the passages found are those too.
    """
    near = _near(out_edges, in_edges, min_similarity, direction)
    distance = _distances(near, centres, hops)
    nodes = tuple(distance)[:cap]
    return Neighbourhood(nodes, _between(near, nodes), len(distance))


def within_reach(
    out_edges: EdgesOf,
    in_edges: EdgesOf,
    centres: Sequence[str],
    hops: int,
    min_similarity: float = NO_LIMIT,
    direction: Facing = "both",
) -> tuple[str, ...]:
    """All passages of `neighbourhood`, without a cap and without their edges."""
    near = _near(out_edges, in_edges, min_similarity, direction)
    return tuple(_distances(near, centres, hops))


def _near(
    out_edges: EdgesOf, in_edges: EdgesOf, min_similarity: float, direction: Facing
) -> Callable[[str], list[Edge]]:
    """The edges at a passage that are let through, the most similar first."""

    def near(passage_id: str) -> list[Edge]:
        edges: list[Edge] = []
        if direction != "in":
            edges += out_edges(passage_id)
        if direction != "out":
            edges += in_edges(passage_id)
        kept = (edge for edge in edges if edge.similarity >= min_similarity)
        return sorted(kept, key=lambda edge: (-edge.similarity, edge.id))

    return near


def _distances(
    near: Callable[[str], Iterable[Edge]], centres: Sequence[str], hops: int
) -> dict[str, int]:
    """Passages within reach in the order they are met, with their distance in hops."""
    distance = dict.fromkeys(centres, 0)
    waiting = deque(distance)
    while waiting:
        here = waiting.popleft()
        if distance[here] == hops:
            continue
        for edge in near(here):
            other = edge.target if edge.source == here else edge.source
            if other not in distance:
                distance[other] = distance[here] + 1
                waiting.append(other)
    return distance


def _between(near: Callable[[str], Iterable[Edge]], nodes: Sequence[str]) -> tuple[Edge, ...]:
    inside = set(nodes)
    edges = {
        edge.id: edge
        for node in nodes
        for edge in near(node)
        if edge.source in inside and edge.target in inside
    }
    return tuple(edges.values())
