"""Differences between an edited copy and its original: edges that appeared or vanished."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.store.index import Index
from core.types import Edge


@dataclass(frozen=True, slots=True)
class EdgeChanges:
    """Edges of the copy that the original lacks, and the other way round, most similar first."""

    appeared: tuple[Edge, ...]
    vanished: tuple[Edge, ...]


def edge_changes(original: Index, copy: Index) -> EdgeChanges:
    """Compare all edges of two indexes; an edge is the same if its ends and questions are."""
    before, after = _edges(original), _edges(copy)
    return EdgeChanges(
        appeared=_best_first(after[one] for one in after.keys() - before.keys()),
        vanished=_best_first(before[one] for one in before.keys() - after.keys()),
    )


def _edges(index: Index) -> dict[str, Edge]:
    graph = index.graph
    return {edge.id: edge for edge in graph.edges(range(len(graph.adjacency)))}


def _best_first(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    return tuple(sorted(edges, key=lambda edge: (-edge.similarity, edge.id)))
