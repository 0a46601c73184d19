"""A whole hop as one happening, for a player that goes by hops."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.steps import HopBegan, Judged, Offer, Seeded, Step


@dataclass(frozen=True, slots=True)
class Round:
    """The round that step `t` belongs to, from `began` (its `HopBegan`) to `t`.

    `followed` are the edges followed in it, in order of time, with the vertex they were looked
    at from; `new` the passages that joined the queue; `considered` the edges that were scored.
    """

    hop: int
    began: int
    looked_at: tuple[str, ...]
    followed: tuple[tuple[str, Offer], ...]
    new: tuple[str, ...]
    considered: int


def round_at(steps: Sequence[Step], t: int) -> Round | None:
    """The round of step `t`, as far as it has come; None when step `t` is not in a round."""
    if not t or not isinstance(steps[t - 1], Judged | HopBegan):
        return None
    began = next(n for n in range(t, 0, -1) if isinstance(steps[n - 1], HopBegan))
    judged = [step for step in steps[began:t] if isinstance(step, Judged)]
    seen = _visited(steps[:began])
    arrived = [arrival.passage_id for step in judged for arrival in step.arrivals]
    first = steps[began - 1]
    return Round(
        hop=first.hop if isinstance(first, HopBegan) else 0,
        began=began,
        looked_at=tuple(step.vertex for step in judged),
        followed=tuple(
            (step.vertex, offer)
            for step in judged
            for edge_id in step.chosen
            for offer in step.offers
            if offer.edge_id == edge_id
        ),
        new=tuple(dict.fromkeys(name for name in arrived if name not in seen)),
        considered=sum(step.considered for step in judged),
    )


def round_sentence(now: Round) -> str:
    """What a round did, in plain text."""
    edges = f"{len(now.followed)} of {_number(now.considered, 'edge')} followed"
    came = (
        f"{_number(len(now.new), 'new passage')} {'joins' if len(now.new) == 1 else 'join'} "
        "the queue"
        if now.new
        else "no new passage joins the queue"
    )
    taken = _number(len(now.looked_at), "passage")
    return f"Hop {now.hop}: {taken} taken from the queue, {edges}; {came}."


def _visited(steps: Sequence[Step]) -> set[str]:
    arrivals = [
        arrival
        for step in steps
        for arrival in (
            step.seeds
            if isinstance(step, Seeded)
            else step.arrivals
            if isinstance(step, Judged)
            else ()
        )
    ]
    return {arrival.passage_id for arrival in arrivals}


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
