"""A retrieval with questions inside of it, made by hand: every kind of step, and all that is new.

# In which town was the owner born?        a plan by a voice: first #1, then #2
├─ #1 Who owns Harbour Rovers?             a walk: club --owned--> owner; kept is 1
│  = Mara Quist.
└─ #2 Where was she born?                  facts, entities, probability spread over them
= Port Selby.
"""

from dataclasses import replace

from core.ranking import prune, rank
from core.steps import (
    ROOT,
    Asked,
    Began,
    Cost,
    Exchange,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Said,
    Spread,
    Step,
    Thing,
    Tie,
    Told,
)
from core.types import Hit, Part
from tests.core.worlds import PARTS, QUERY, TITLES, judged, offer, seeds

OWNER, TOWN = "Who owns Harbour Rovers?", "Where was she born?"
THINGS = {
    thing.id: thing
    for thing in (
        Thing("#1", "query", OWNER),
        Thing("#2", "query", TOWN),
        Thing("fact:born", "fact", "Mara Quist, born in, Port Selby", "in 1961"),
        Thing("fact:owns", "fact", "Mara Quist, owns, Harbour Rovers"),
        Thing("entity:mara", "entity", "Mara Quist"),
        Thing("entity:selby", "entity", "Port Selby"),
    )
}
NAMES = {**TITLES, "#": QUERY, **{thing.id: thing.label for thing in THINGS.values()}}


def brought(*ids: str) -> tuple[Thing, ...]:
    return tuple(THINGS[name] for name in ids)


def hit(node: str, **parts: float) -> Hit:
    return Hit(node, sum(parts.values()), tuple(Part(name, value) for name, value in parts.items()))


WALKED = {name: PARTS[name] for name in ("club", "owner")}
KEPT, CUT = prune(rank(WALKED, {"club": 1, "owner": 1}, 1 / 2), 1)

NESTED: tuple[Step, ...] = (
    Asked("planner", QUERY, 2, ("harbour rovers",), {"depth": 1}, told=Told(Cost(0.5))),
    Said(
        "LLM planner",
        ROOT,
        "First the owner, then her town.",
        things=brought("#1", "#2"),
        ties=(Tie("plan", "#1", "#2", "needs"),),
        told=Told(
            Cost(0.25, calls=1, tokens=30),
            reason="Two things are asked.",
            exchange=Exchange("m", "plan", "it", ("{}",), 20, 10, 0.25),
        ),
    ),
    Asked("walker", OWNER, 1, id="#1", parents=(ROOT,), weight_of_visits=1 / 2),
    replace(seeds("club"), at="#1"),
    Began("hop", 1, ("club",)),
    judged(
        "club",
        replace(offer("owned", 0.8, taken=True), notes=(("brings", "owner"),)),
        offer("plays", 0.3),
        reason="the most similar",
    ),
    Ranked(KEPT, CUT, told=Told(Cost(0.125))),
    Said("reader", "#1", "Mara Quist.", closes=("#1",), rests_on=("owner",)),
    Asked("spreader", TOWN, 3, id="#2", parents=("#1",), narrowed=(5, 3), told=Told(Cost(0.25))),
    Offered(
        "#2",
        "facts",
        (Offer("fact:born", 0.7, taken=True), Offer("fact:owns", 0.2)),
        considered=4,
        things=brought("fact:born", "fact:owns"),
        told=Told(fallback="No model filters them, so the nearest one is taken."),
    ),
    Offered(
        "fact:born",
        "entities",
        (
            Offer("entity:mara", 0.7, (Part("fact", 0.7),), taken=True, tie="of", size=3),
            Offer(
                "entity:selby",
                0.5,
                (Part("fact", 0.5),),
                tie="in",
                notes=(("left out:", "no room"),),
                size=4,
            ),
        ),
        room=5,
        things=brought("entity:mara", "entity:selby"),
        ties=(Tie("of", "fact:born", "entity:mara", "of"), Tie("in", "fact:born", "entity:selby")),
    ),
    Began("iteration", 1),
    Spread(
        "probability",
        (
            hit("entity:mara", reset=0.5),
            hit("owner", links=0.25),
            hit("town", links=0.125, reset=0.125),
        ),
        moved=0.25,
        ties=(Tie("named", "entity:mara", "owner", "named in"),),
    ),
    Ranked((hit("owner", mass=0.25), hit("town", mass=0.25)), told=Told(Cost(0.125))),
    Pooled(
        ("#1", "#2"),
        (hit("owner", first=0.25, second=0.5), hit("club", first=0.5), hit("town", second=0.25)),
    ),
    Said(
        "judge",
        ROOT,
        "Port Selby.",
        closes=(ROOT,),
        rests_on=("town",),
        ends="the answer is known",
        told=Told(verdict="sufficient"),
    ),
    Ranked(
        (hit("owner", first=0.25, second=0.5), hit("club", first=0.5)),
        (hit("town", second=0.25),),
        "memory",
        Told(Cost(2.0)),
    ),
)
