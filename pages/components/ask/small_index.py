"""A notice on an index so small that all its passages are retrieved or seeds."""

from dataclasses import dataclass

import numpy as np

from core.retrievers import Spec
from core.store.index import Index
from core.text.display.plurals import number
from pages.components.ask.request import PART_KEPT
from pages.components.ask.retriever_choice import Specs

FEWEST = 2
_SMALL = 1000  # passages; no retriever keeps as many


@dataclass(frozen=True, slots=True)
class SmallIndex:
    """The notice on an index with no more passages than the top k.

    `instead` are retrievers with fewer seeds, None if hops can be seen anyway. `action` is the
    label of the button that selects them.
    """

    told: str
    action: str = ""
    instead: Specs | None = None


def edge_ends(index: Index) -> int:
    """Return how many passages have an incoming edge; an estimate if the index is not small."""
    if len(index.ids) > _SMALL:
        return index.meta.counts.edges
    return len(np.unique(index.graph.adjacency.target))


def small_index(specs: Specs, passages: int, edge_ends: int) -> SmallIndex | None:
    """Return a notice on `specs` if the index is small or has no edges, else None.

    Parameters
    ----------
    passages : passages of the index.
    edge_ends : those that an edge leads to.
    """
    if not edge_ends and (walks := [spec for spec in specs if spec.card.direction]):
        return _without_edges(specs, walks)
    most = specs[0].values["top_k"]
    if not isinstance(most, int) or most < passages:
        return None
    if all_seeds := [spec for spec in specs if _starts_everywhere(spec, passages, edge_ends)]:
        seeds = max(FEWEST, passages // PART_KEPT)
        if seeds < passages:
            return SmallIndex(
                f"All {number(passages, 'passage')} in this index are seeds, so no hop can "
                "reach a new passage.",
                f"Use {seeds} seeds",
                tuple(s.with_settings(seeds=seeds) if s in all_seeds else s for s in specs),
            )
    return (
        SmallIndex(
            f"The index has only {number(passages, 'passage')}, so the top k may contain all "
            "of them."
        )
        if most > passages
        else None
    )


def _without_edges(specs: Specs, walks: list[Spec]) -> SmallIndex:
    """Return a notice on walks if no edge leads to another passage."""
    stuck = [spec for spec in walks if spec.values.get("entry") == "edge"]
    if not stuck:
        return SmallIndex("The index has no edges, so no hop can reach another passage.")
    return SmallIndex(
        "This walk starts from edges, but the index has none, so it finds no passages.",
        "Use BM25 and similarity for the seeds",
        tuple(s.with_settings(entry="hybrid") if s in stuck else s for s in specs),
    )


def _starts_everywhere(spec: Spec, passages: int, edge_ends: int) -> bool:
    """Return whether a walk starts at every passage.

    With 0 seeds it starts at as many as are kept.
    """
    if spec.values.get("entry") == "edge" and edge_ends < passages:
        return False
    seeds = spec.values.get("seeds")
    if not spec.card.direction or not isinstance(seeds, int):
        return False
    return not 0 < seeds < passages
