"""A walk as wide as one wants it."""

from core.steps import Arrival, Asked, Began, Offer, Offered, Ranked, Spread, Thing
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


def spread_over(facts, entities, passages, kept=5):
    """Facts that lead to entities, over which and over passages something spreads in two rounds."""

    def named(kind, count):
        return [f"{kind} {n}" for n in range(count)]

    def brought(kind, count):
        return tuple(Thing(name, kind, f"The {name} of all") for name in named(kind, count))

    hits = [
        Hit(name, 1 / (place + 1))
        for count, kind in ((entities, "entity"), (passages, "passage"))
        for place, name in enumerate(named(kind, count))
    ]
    steps = (
        Asked("any", QUERY, kept),
        Offered(
            "#", "facts", tuple(Offer(name, 0.5, taken=True) for name in named("fact", facts)),
            things=brought("fact", facts),
        ),
        *(
            Spread("mass", tuple(order), things=brought("entity", entities))
            for order in (hits, hits[::2])
        ),
        Ranked(tuple(Hit(name, 0.5) for name in named("passage", kept))),
    )  # fmt: skip
    return trace(
        steps, {n: Passage(n, n, 0, f"A title of {n}", n) for n in named("passage", passages)}
    )
