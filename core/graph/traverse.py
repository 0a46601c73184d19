"""Reasoning-augmented graph traversal (HopRAG, Algorithm 1) as a generator of steps.

Who judges is handed in: a `Policy` says what is on offer at a vertex and which of it is followed.
It may compare vectors, ask a model, or be three lines in a test.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.steps import Arrival, Cost, HopBegan, Judged, Offer


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is followed from a vertex, best first, and why. `considered` edges were scored."""

    offers: tuple[Offer, ...]
    chosen: tuple[Offer, ...]
    reason: str
    considered: int


NO_EDGE = Verdict((), (), "It has no edge to follow.", 0)


class Policy(Protocol):
    """The choice of edges for one question; it may keep what it learns on the way."""

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
                cost=Cost(seconds=time.perf_counter() - started),
                considered=verdict.considered,
            )
        queue = joined
