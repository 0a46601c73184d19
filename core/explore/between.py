"""Two passages: the edges between them, and the shortest path from one to the other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from core.ceiling.reach import Way as Follows
from core.lost_gold.shortest_paths import Path, Ways
from core.store.graph.stored_graph import StoredGraph
from core.types import Edge

Direction = Literal["forward", "backward", "either"]


@dataclass(frozen=True, slots=True)
class Way:
    """Passages in order and the edge between each and the next.

    `direction` is `forward` where every edge leads from one passage to the next, on the way from
    the first of two passages to the second; `backward` where that holds from the second to the
    first, where the passages begin; `either` where some edges are followed backwards.
    """

    passages: tuple[str, ...]
    edges: tuple[Edge, ...]
    direction: Direction = "forward"


def edges_between(graph: StoredGraph, one: str, other: str) -> list[Edge]:
    """Return the edges from one passage to the other, then those back, the most similar first."""
    return [
        *(edge for edge in graph.out_edges(one) if edge.target == other),
        *(edge for edge in graph.in_edges(one) if edge.source == other),
    ]


def shortest_way(graph: StoredGraph, number: Mapping[str, int], one: str, other: str) -> Way | None:
    """Return the path with fewest edges from one passage to the other, None if there is none.

    A path along the edges comes before one back along the edges, and that before one that follows
    edges in either direction. Of paths with as many edges the same one is returned each time.
    """
    names = list(number)

    def path(start: str, end: str, follows: Follows) -> Path | None:
        return Ways(graph, [number[start]], len(number), follows).to([number[end]])

    def way(route: Path, direction: Direction) -> Way:
        return Way(tuple(names[passage] for passage in route.passages), route.edges, direction)

    if route := path(one, other, "out"):
        return way(route, "forward")
    if route := path(other, one, "out"):
        return way(route, "backward")
    route = path(one, other, "both")
    return way(route, "either") if route else None
