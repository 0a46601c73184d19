"""Gold is drawn with what led to it."""

import re
from dataclasses import replace

import pytest

from core.film import make_film
from core.retrievers import CARDS
from core.steps import ROOT, Asked, Offer, Offered, Ranked, Spread, Thing, Tie
from core.types import Hit, Part, Passage
from tests.core.film.decoding import unpacked
from tests.core.film.wide import trace

SCORE = (Part("x", 0.5),)
NEVER_WALKED = ("ghost", "refused", "missed", "unoffered", "offered")


def without_cause(film):
    """Of each step the gold that is reached and joined to something, but to nothing drawn."""
    view, lines = film["views"]["stage"], film["lines"]
    gold = {one["node"] for one in film["gold"] if one["node"] is not None}
    found, joined = [], 0
    for now in unpacked(film, "event"):
        there = {int(number) for number in now["nodes"]}
        aside = {*now["aside"].get("stage", ())}
        drawn = {int(number) for number in view["places"]} - aside
        drawn = (drawn | {*now["guests"].get("stage", ())}) & there
        ends = [
            {lines[int(number)]["source"], lines[int(number)]["target"]}
            for number, role in now["lines"].items()
            if role not in NEVER_WALKED
        ]
        for node in gold & there:
            own = [pair for pair in ends if node in pair]
            joined += bool(own)
            if own and not any(pair <= drawn for pair in own):
                found.append((now["t"], film["nodes"][node]["label"]))
    return found, joined


@pytest.mark.parametrize("key", tuple(CARDS))
def test_a_line_that_leads_to_gold_is_drawn_with_both_ends(five, key):
    index, found = five
    assert without_cause(make_film(found[key], index=index))[0] == []


def spreading(facts, bearers):
    """Something spreads from a fact over an entity to gold, past so many entities that are joined
    to more passages and come before it in every list.
    """
    others = [f"entity {n}" for n in range(facts)]
    passages = [*(f"passage {n}" for n in range(bearers)), "gold"]
    things = (Thing("fact", "fact", "What is said"), Thing("way", "entity", "way"))
    things += tuple(Thing(name, "entity", name) for name in others)
    ties = [Tie("first", "fact", "way", "names"), Tie("last", "way", "gold", "holds")]
    ties += [Tie(f"{a}>{b}", a, b, "holds") for a in others for b in passages[:-1]]
    hits = tuple(Hit(name, 1 / (n + 2), SCORE) for n, name in enumerate([*others, *passages]))
    steps = [
        Asked("any", "Who?", 20),
        Offered(ROOT, "facts", (Offer("fact", 0.5, SCORE, taken=True),), things=things[:1]),
        Spread("probability", hits, 0.5, things=things, ties=tuple(ties)),
        Ranked(tuple(hit for hit in hits if hit.passage_id in passages)),
    ]
    return trace(steps, {n: Passage(n, n, 0, f"The title of {n}", n) for n in passages})


def test_of_what_spreads_the_whole_way_is_drawn():
    film = make_film(spreading(12, 30), {"gold": "given"})
    found, joined = without_cause(film)
    assert joined
    assert found == []
    names = {film["nodes"][int(number)]["id"] for number in film["views"]["stage"]["places"]}
    assert {"fact", "way", "gold"} <= names


def test_what_leads_to_gold_is_told_when_it_is_taken(five):
    index, found = five
    film = make_film(found["hipporag2"], index=index)
    said = " ".join(now["caption"] for now in unpacked(film, "event"))
    told = re.findall(r"Entity '([^']+)' leads to gold '([^']+)'", said)
    assert told
    gold = {node["label"] for node in film["nodes"] if node["gold"]}
    things = {node.get("bare", node["label"]) for node in film["nodes"] if node["kind"] == "entity"}
    for thing, to in told:
        assert thing in things
        assert to in gold


def test_it_is_told_once_and_only_of_what_a_step_takes():
    plain = spreading(2, 2)
    offers = tuple(Offer(name, 0.5, SCORE, taken=True) for name in ("entity 0", "way"))
    taken = Offered(ROOT, "entities", offers, things=plain.steps[2].things)
    again = replace(plain, steps=(*plain.steps[:2], taken, taken, *plain.steps[2:]))
    leads = "Entity 'way' leads to gold 'The title of gold'."
    for made, count in ((plain, 0), (again, 1)):
        frames = unpacked(make_film(made, {"gold": "given"}), "event")
        assert sum(leads in now["caption"] for now in frames) == count


def test_in_a_list_of_entities_and_passages_each_entity_says_that_it_is_one():
    film = make_film(spreading(2, 2), {"gold": "given"})
    last = unpacked(film, "event")[2]["board"]
    called = {film["nodes"][row["node"]]["id"]: row.get("called") for row in last["rows"]}
    assert called == {
        "entity 0": "entity 0 (entity)",
        "entity 1": "entity 1 (entity)",
        "passage 0": None,
        "passage 1": None,
        "gold": None,
    }
