"""Why a passage is where it is: every time an edge to it was on offer, up to a step."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.steps import Judged, Offer, Seeded, Step


@dataclass(frozen=True, slots=True)
class Occasion:
    """An edge on offer at step `t` (from 1). `vertex` is where it was looked at; None for a seed.

    `place` counts from 1 among the offers of that step, best first, `of` them were scored.
    """

    t: int
    hop: int
    vertex: str | None
    offer: Offer
    chosen: bool
    place: int
    of: int


def occasions(
    steps: Sequence[Step], t: int, *, passage_id: str = "", edge_id: str = ""
) -> list[Occasion]:
    """When an edge to `passage_id`, or the edge `edge_id`, was on offer in the first `t` steps."""
    found = []
    for number, step in enumerate(steps[:t], start=1):
        if not isinstance(step, Seeded | Judged):
            continue
        of = max(step.considered, len(step.offers))
        for place, offer in enumerate(step.offers, start=1):
            if passage_id and offer.target != passage_id:
                continue
            if edge_id and offer.edge_id != edge_id:
                continue
            if isinstance(step, Judged):
                chosen = offer.edge_id in step.chosen
                found.append(Occasion(number, step.hop, step.vertex, offer, chosen, place, of))
            else:
                found.append(Occasion(number, 0, None, offer, True, place, of))
    return found
