"""A walk as wide as one wants it."""

from core.steps import Arrival, Asked, Began, Offer, Offered, Ranked
from core.traces import Trace
from core.types import Hit, Part, Passage
from tests.core.worlds import QUERY


def trace(steps, passages, edges=(), gold=()):
    edges = {edge.id: edge for edge in edges}
    return Trace(QUERY, "any", "five", "g", tuple(steps), passages, edges, gold, "2026-01-01")


def wide(seeds, offers, kept):
    """A walk of one round from many seeds, each with many lines on offer, the first one taken."""
    steps = [Asked("any", QUERY, kept)]
    part = (Part("x", 0.5),)
    names = [f"seed {n}" for n in range(seeds)]
    steps.append(
        Offered(
            "#", "passages", tuple(Offer(n, 0.5, part, taken=True) for n in names),
            tuple(Arrival(n, part) for n in names), entry=True,
        )
    )  # fmt: skip
    steps.append(Began("hop", 1, tuple(names)))
    for n in names:
        found = tuple(
            Offer(f"{n} to {k}", 0.5, part, taken=k == 0, tie=f"{n}>{k}") for k in range(offers)
        )
        steps.append(Offered(n, "edges", found, (Arrival(found[0].target, part, found[0].tie),)))
    hits = tuple(Hit(f"seed {n} to 0", 0.5, part) for n in range(kept))
    steps.append(Ranked(hits, tuple(Hit(n, 0.5, part) for n in names)))
    nodes = [*names, *(f"{n} to {k}" for n in names for k in range(offers))]
    return trace(steps, {n: Passage(n, n, 0, f"The title of {n}", n) for n in nodes})
