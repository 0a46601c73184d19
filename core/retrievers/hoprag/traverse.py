"""Reasoning-augmented graph traversal (HopRAG, Algorithm 1) as a generator of steps.

Who judges is handed in: a `Policy` says what is on offer at a vertex and which of it is followed.
It may compare vectors, ask a model, or be three lines in a test.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.steps import Arrival, Cost, Exchange, HopBegan, Judged, Offer


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is followed from a vertex, best first, and why. `considered` edges were scored.

    `fallback`, `judgement` and `exchange` are those of a model, if one was asked.
    """

    offers: tuple[Offer, ...]
    chosen: tuple[Offer, ...]
    reason: str
    considered: int
    fallback: str = ""
    judgement: str = ""
    exchange: Exchange | None = None


NO_EDGE = Verdict((), (), "It has no edge to follow.", 0)


class Policy(Protocol):
    """The choice of edges for one question; it may keep what it learns on the way."""

    def begin(self, queue: Sequence[str]) -> None:  # noqa: ARG002
        """A round begins, in which each vertex of `queue` will be judged.

        They do not depend on one another, so that who has to wait can wait for all at once.
        """
        return

    def judge(self, vertex: str) -> Verdict:
        """Lines 7 to 9: look at the edges of `vertex` and choose."""
        ...

    def arrive(self, vertex: str, offer: Offer) -> Arrival:
        """A visit to the end of `offer`, coming from `vertex`."""
        ...


def traverse(policy: Policy, seeds: Sequence[Arrival], n_hop: int) -> Iterator[HopBegan | Judged]:
    """Lines 5 to 16: `n_hop` rounds over the queue, which `seeds` start.

    In each round every vertex that was in the queue when it began is taken once. The end of a
    chosen edge joins the queue if it is new; in any case its count goes up (`Judged.arrivals`).
    It ends early when the queue is empty.
    """
    queue = [seed.passage_id for seed in seeds]
    seen = set(queue)
    for hop in range(1, n_hop + 1):
        if not queue:
            return
        yield HopBegan(hop, tuple(queue))
        policy.begin(queue)
        joined: list[str] = []
        for vertex in queue:
            started = time.perf_counter()
            verdict = policy.judge(vertex)
            arrivals = tuple(policy.arrive(vertex, offer) for offer in verdict.chosen)
            for arrival in arrivals:
                if arrival.passage_id not in seen:
                    seen.add(arrival.passage_id)
                    joined.append(arrival.passage_id)
            yield Judged(
                hop=hop,
                vertex=vertex,
                offers=verdict.offers,
                chosen=tuple(offer.edge_id for offer in verdict.chosen),
                arrivals=arrivals,
                reason=verdict.reason,
                fallback=verdict.fallback,
                cost=_cost(time.perf_counter() - started, verdict.exchange),
                considered=verdict.considered,
                verdict=verdict.judgement,
                exchange=verdict.exchange,
            )
        queue = joined


def _cost(seconds: float, said: Exchange | None) -> Cost:
    """Of one judgement; what was asked before is not paid again."""
    if said is None:
        return Cost(seconds)
    if said.cached:
        return Cost(seconds, cached=len(said.replies))
    return Cost(
        seconds + said.seconds, calls=len(said.replies), tokens=said.tokens_in + said.tokens_out
    )
