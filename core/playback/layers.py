"""Where a walk is drawn: a column a hop, left to right, and every edge that was ever on offer.

Both are functions of the whole retrieval, so that places stay fixed while it is played.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.steps import Judged, Offer, Ranked, Seeded, Step


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """An edge that was on offer; `source` and `target` are its ends, whichever way it is walked.

    `offered` is the step (counted from 1) at which it was first on offer and `chosen` the one at
    which it was first followed, None if never. `backwards`: it was looked at from its target.
    """

    edge_id: str
    source: str
    target: str
    question: str
    backwards: bool
    offered: int
    chosen: int | None = None


def arrival_hop(steps: Sequence[Step]) -> dict[str, int]:
    """The round in which each visited passage was first reached, 0 for seeds; in that order."""
    hops: dict[str, int] = {}
    for step in steps:
        if isinstance(step, Seeded):
            hops |= {seed.passage_id: 0 for seed in step.seeds}
        elif isinstance(step, Judged):
            for arrival in step.arrivals:
                hops.setdefault(arrival.passage_id, step.hop)
    return hops


def columns(steps: Sequence[Step]) -> dict[str, int]:
    """A column for every passage of `steps`, for a layered drawing.

    A visited passage stands at the hop it was reached in. One that was only ever on offer stands
    right of the vertex that first offered it; one that is only in the result, as a one-shot
    method has it, in column 0.
    """
    places = arrival_hop(steps)
    for step in steps:
        if isinstance(step, Judged):
            for offer in step.offers:
                places.setdefault(offer.target, places[step.vertex] + 1)
        elif isinstance(step, Ranked):
            for hit in (*step.hits, *step.pruned):
                places.setdefault(hit.passage_id, 0)
    return places


def drawn_edges(steps: Sequence[Step]) -> list[DrawnEdge]:
    """Every edge that was on offer at a vertex, once each, in order of its first offer.

    The edges by which the seeds were found are not among them: they lead into the walk and are
    not part of it. The step that followed an edge decides `backwards`; before that, the first.
    """
    drawn: dict[str, DrawnEdge] = {}
    for number, step in enumerate(steps, start=1):
        if not isinstance(step, Judged):
            continue
        for offer in step.offers:
            edge = drawn.setdefault(offer.edge_id, _drawn(step.vertex, offer, number))
            if offer.edge_id in step.chosen and edge.chosen is None:
                drawn[offer.edge_id] = replace(edge, chosen=number, backwards=offer.backwards)
    return list(drawn.values())


def _drawn(vertex: str, offer: Offer, number: int) -> DrawnEdge:
    source, target = (offer.target, vertex) if offer.backwards else (vertex, offer.target)
    return DrawnEdge(offer.edge_id, source, target, offer.question, offer.backwards, number)
