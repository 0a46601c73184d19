"""Edges that a walk could have followed and did not."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from core.artefacts.hop_graph import GRAPH, Graph
from core.artefacts.workbench import Workbench
from core.counterfactual import Take
from core.funnel.brackets import Bracket
from core.funnel.changes import Change
from core.funnel.reach import way_of
from core.playback.wording import cropped
from core.retrievers import Spec
from core.steps import Offer

_TITLE = 40
"""Characters of a title in a change."""


@dataclass(frozen=True, slots=True)
class Place:
    """A node whose edges a walk looked at in round `hop`; `offers` are those listed, by line."""

    bracket: Bracket
    hop: int
    offers: Mapping[str, tuple[int, Offer]]

    @property
    def followed(self) -> frozenset[str]:
        """Nodes that the walk visits from here."""
        return frozenset(one.target for _, one in self.offers.values() if one.taken)


def places(bracket: Bracket) -> dict[str, Place]:
    """Return the first candidate list at each node of the walks in a retrieval."""
    places_by_passage: dict[str, Place] = {}
    for hop, step in bracket.offered:
        if bracket.walks and not step.entry and way_of(bracket):
            offers = {one.tie: (rank, one) for rank, one in enumerate(step.offers, start=1)}
            places_by_passage.setdefault(step.at, Place(bracket, hop, offers))
    for inner in bracket.inner:
        places_by_passage = {**places(inner), **places_by_passage}
    return places_by_passage


def untaken_edges_to(
    targets: Collection[str], spec: Spec, found: Mapping[str, Place], workbench: Workbench
) -> list[Change]:
    """Return a change for each edge to `targets` that the walk could have followed but did not.

    Changes at later hops come first: they alter less of the walk, so trying them needs fewer new
    judgements. Where the walk follows an edge between two passages, parallel edges between the
    two are left out.
    """
    index, graph = workbench.index, workbench.get(GRAPH)
    ordered: list[tuple[int, float, Change]] = []
    for target in targets:
        beside = list(neighbours(graph, index.number[target]))
        ties = index.graph.edge_ids(edge for edge, _ in beside)
        for (edge, node), tie in zip(beside, ties, strict=True):
            at = index.ids[node]
            place = found.get(at)
            if place is None or not _follows(place, graph, edge, node):
                continue
            rank, offer = place.offers.get(tie, (0, None))
            if target in place.followed:
                continue
            end = f"to '{_title(workbench, target)}'"
            what = f"edge {rank} {end}" if offer else f"the edge {end}"
            text = f"take {what} of '{_title(workbench, at)}' at hop {place.hop}"
            change = Change("edge", text, spec, (Take(at, tie),))
            ordered.append((-place.hop, -offer.score if offer else 0.0, change))
    return [change for *_, change in sorted(ordered, key=lambda each: each[:2])]


def neighbours(graph: Graph, vertex: int) -> Iterator[tuple[int, int]]:
    """Yield the edges of `vertex`, each with its other end."""
    for edge in graph.arriving(vertex).tolist():
        yield edge, int(graph.source[edge])
    for edge in graph.leaving(vertex).tolist():
        yield edge, int(graph.target[edge])


def _follows(place: Place, graph: Graph, edge: int, node: int) -> bool:
    """Check whether the walk may follow `edge` from `node`."""
    return way_of(place.bracket) == "both" or int(graph.source[edge]) == node


def _title(workbench: Workbench, passage: str) -> str:
    return cropped(workbench.index.titled(passage).title, _TITLE)
