"""Two passages: the edges between them, and the shortest way from one to the other."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.lost_gold.shortest_paths import Ways
from core.store.edges import StoredGraph
from core.types import Edge


@dataclass(frozen=True, slots=True)
class Way:
    """Passages in order and the edge between each and the next, whichever way it points."""

    passages: tuple[str, ...]
    edges: tuple[Edge, ...]


def edges_between(graph: StoredGraph, one: str, other: str) -> list[Edge]:
    """The edges from one passage to the other, then those back, the most similar first."""
    return [
        *(edge for edge in graph.out_edges(one) if edge.target == other),
        *(edge for edge in graph.in_edges(one) if edge.source == other),
    ]


def shortest_way(graph: StoredGraph, number: Mapping[str, int], one: str, other: str) -> Way | None:
    """The way with fewest edges, taken in either direction; None if the two are not connected.

    Of ways with as many edges the same one is taken each time.
    """
    found = Ways(graph, [number[one]], len(number), "both").to([number[other]])
    if found is None:
        return None
    names = list(number)
    return Way(tuple(names[passage] for passage in found.passages), found.edges)
