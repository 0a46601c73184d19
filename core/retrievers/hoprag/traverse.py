"""Reasoning-augmented graph traversal (HopRAG, Algorithm 1) as a generator of steps.

Who judges is handed in: a `Policy` says what is on offer at a vertex and which of it is followed.
It may compare vectors, ask a model, or be three lines in a test.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from core.steps import Arrival, Began, Cost, Exchange, Offer, Offered, Told


@dataclass(frozen=True, slots=True)
class Verdict:
    """The edges to follow from a vertex, best first, and the reason. `considered` edges were
    scored.

    `fallback`, `judgement` and `exchange` are those of a model, if one was asked. `by_hand` are the
    amendments that made it so.
    """

    offers: tuple[Offer, ...]
    chosen: tuple[Offer, ...]
    reason: str
    considered: int
    fallback: str = ""
    judgement: str = ""
    exchange: Exchange | None = None
    by_hand: tuple[str, ...] = ()


NO_EDGE = Verdict((), (), "The passage has no edge to follow.", 0)


class Policy(Protocol):
    """The choice of edges for one question; it may keep what it learns on the way."""

    def begin(self, queue: Sequence[str]) -> None:  # noqa: ARG002
        """Prepare a round in which each vertex of `queue` will be judged.

        They do not depend on one another, so that who has to wait can wait for all at once. A
        vertex that is not in `queue` and is judged all the same is judged without asking anybody.
        """
        return

    def expect(self, seeds: Sequence[str]) -> None:  # noqa: ARG002
        """Prepare to start the walk at these passages; `enter` is called for each."""
        return

    def enter(self, passage_id: str, tie: str = "") -> Arrival:
        """Visit a seed, to which `tie` led, if any (Algorithm 1, line 3)."""
        ...

    def judge(self, vertex: str) -> Verdict:
        """Choose among the edges of `vertex` (Algorithm 1, lines 7 to 9)."""
        ...

    def arrive(self, vertex: str, offer: Offer) -> Arrival:
        """Record a visit to the target of `offer` from `vertex`."""
        ...

    def offer_at(self, vertex: str, tie: str) -> Offer | None:
        """Return the edge `tie` as a candidate at `vertex`, even if it is not listed there.

        None where it cannot be followed from there.
        """
        ...


def traverse(policy: Policy, seeds: Sequence[Arrival], n_hop: int) -> Iterator[Began | Offered]:
    """Walk `n_hop` rounds over the queue, starting from `seeds` (Algorithm 1, lines 5 to 16).

    In each round every vertex that was in the queue when it began is taken once. The end of a
    chosen edge joins the queue if it is new; in any case its count goes up (`Offered.arrivals`).
    It ends early when the queue is empty.
    """
    queue = [seed.id for seed in seeds]
    seen = set(queue)
    for hop in range(1, n_hop + 1):
        if not queue:
            return
        yield Began("hop", hop, tuple(queue))
        policy.begin(queue)
        joined: list[str] = []
        for vertex in queue:
            started = time.perf_counter()
            verdict = policy.judge(vertex)
            arrivals = tuple(policy.arrive(vertex, offer) for offer in verdict.chosen)
            for arrival in arrivals:
                if arrival.id not in seen:
                    seen.add(arrival.id)
                    joined.append(arrival.id)
            yield _choice_step(vertex, verdict, arrivals, time.perf_counter() - started)
        queue = joined


def _choice_step(
    vertex: str, verdict: Verdict, arrivals: tuple[Arrival, ...], seconds: float
) -> Offered:
    """Return the step that records the choice at a vertex, with its cost and reason."""
    chosen = {offer.tie for offer in verdict.chosen}
    said = verdict.exchange.cost if verdict.exchange else Cost()
    return Offered(
        at=vertex,
        of="edges",
        # Most are refused, as they are made: a copy of each would take longer than the choice.
        offers=tuple(
            replace(offer, taken=True) if offer.tie in chosen else offer for offer in verdict.offers
        ),
        arrivals=arrivals,
        considered=verdict.considered,
        told=Told(
            cost=replace(said, seconds=seconds + said.seconds),
            reason=verdict.reason,
            verdict=verdict.judgement,
            fallback=verdict.fallback,
            exchange=verdict.exchange,
            by_hand=verdict.by_hand,
        ),
    )
