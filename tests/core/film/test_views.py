"""What is drawn, and where."""

import json
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings

from core.drawing.staggered import box
from core.film import make_film
from core.film.focus import MOST, ON_STAGE, READ
from core.retrievers import CARDS
from core.steps import ROOT, Asked, Ranked, Spread, Thing
from core.types import Hit, Passage
from tests.core.examples import NESTED
from tests.core.film.decoding import unpacked
from tests.core.film.wide import spread_over, trace, wide
from tests.core.walks import traces
from tests.core.worlds import EDGES, PASSAGES, WALK


def shown(film, view="focus"):
    return {film["nodes"][int(number)]["id"] for number in film["views"][view]["places"]}


@pytest.mark.parametrize("key", tuple(CARDS))
def test_the_focus_has_gold_and_all_that_was_kept(five, key):
    index, found = five
    film = make_film(found[key], index=index)
    gold = {node["id"] for node in film["nodes"] if node["gold"]}
    kept = {hit.passage_id for hit in found[key].steps[-1].hits}
    assert gold
    assert gold | kept <= shown(film)
    for view in film["views"].values():
        assert view["places"].keys() <= {str(n) for n in range(len(film["nodes"]))}


@pytest.mark.parametrize(("seeds", "offers", "kept"), [(4, 3, 4), (20, 6, 20), (20, 30, 3)])
def test_the_focus_is_small_and_the_rest_is_counted(seeds, offers, kept):
    walk = wide(seeds, offers, kept)
    film = make_film(walk, dict.fromkeys(("seed 3", "seed 1 to 2"), "given"))
    drawn = shown(film)
    assert len(drawn) <= MOST
    assert {"seed 3", "seed 1 to 2", "seed 0", "seed 0 to 0"} <= drawn
    counted = [node for group in film["views"]["focus"]["groups"] for node in group["nodes"]]
    names = [film["nodes"][node]["id"] for node in counted]
    assert len(set(names)) == len(names)
    assert set(names) | drawn == walk.passages.keys()
    aside = {
        film["nodes"][n]["id"]
        for now in unpacked(film, "event")
        for n in now["aside"].get("focus", ())
    }
    assert set(names) & drawn == aside  # they made room for a while


@pytest.mark.parametrize(("view", "most"), [("focus", MOST), ("stage", ON_STAGE)])
@pytest.mark.parametrize(("seeds", "offers", "kept"), [(20, 6, 20), (20, 30, 3), (4, 3, 4)])
def test_what_is_looked_at_and_chosen_is_drawn_for_its_step(seeds, offers, kept, view, most):
    film = make_film(wide(seeds, offers, kept), {"seed 3": "given"})
    made = film["views"][view]
    numbers = {node["id"]: str(number) for number, node in enumerate(film["nodes"])}
    for now in unpacked(film, "event"):
        guests = [str(n) for n in now["guests"].get(view, ())]
        aside = {str(n) for n in now["aside"].get(view, ())}
        drawn = ({*made["places"], *guests} - aside) & now["nodes"].keys()
        assert len(drawn) <= most
        places = [{**made["places"], **made["guests"]}[n] for n in drawn]
        assert len(set(map(tuple, places))) == len(places)
        if "current" in now["nodes"].values():
            at = next(n for n, role in now["nodes"].items() if role == "current")
            assert {at, numbers[f"{film['nodes'][int(at)]['id']} to 0"], numbers["seed 3"]} <= drawn
    assert any(now["guests"] for now in unpacked(film, "event")) == (seeds == 20)


def test_what_the_caption_names_and_the_list_begins_with_is_drawn():
    names = [f"thing {n}" for n in range(40)]
    things = tuple(Thing(name, "entity", name) for name in names)
    rounds = [
        Spread("mass", tuple(Hit(name, 1 / (n + 1)) for n, name in enumerate(order)), things=things)
        for order in (names, names[:2] + names[20:], names[::-1])
    ]
    kept = tuple(Hit(f"passage {n}", 0.5) for n in range(20))
    passages = {hit.passage_id: Passage(hit.passage_id, "a", 0, "A", "a") for hit in kept}
    film = make_film(trace((Asked("any", "Who?", 20), *rounds, Ranked(kept)), passages))
    for view in ("focus", "stage"):
        for now, step in zip(unpacked(film, "event")[1:4], rounds, strict=True):
            assert {film["nodes"][n]["id"] for n in now["guests"].get(view, ())} | shown(
                film, view
            ) >= {hit.passage_id for hit in step.hits[:READ]}


def test_the_rounds_have_no_guests():
    for now in unpacked(make_film(wide(20, 6, 3)), "round"):
        assert not now["guests"]
        assert not now["aside"]


def test_a_film_says_at_which_seeds_the_walks_to_gold_began():
    film = make_film(wide(20, 6, 3), {"seed 7 to 0": "given", "seed 2": "given"})
    assert [film["nodes"][n]["id"] for n in film["sources"]] == ["seed 2", "seed 7"]


def test_a_small_film_is_all_focus():
    film = make_film(trace(WALK, PASSAGES, EDGES.values(), ("town",)))
    assert shown(film) == PASSAGES.keys()
    assert film["views"]["focus"]["groups"] == []


def test_what_competed_is_drawn_where_there_is_room():
    drawn = shown(make_film(wide(20, 6, 3)))
    assert {f"seed {n} to {k}" for n in range(3) for k in range(3)} <= drawn
    assert "seed 3" not in drawn  # it led to nothing that was kept


def test_what_led_nowhere_is_counted_by_what_it_is():
    film = make_film(wide(20, 6, 3))
    groups = film["views"]["focus"]["groups"]
    assert [(len(group["nodes"]), group["label"]) for group in groups] == [
        (17, "other seeds that led nowhere"),
        (111, "more"),
    ]


@pytest.mark.parametrize(("seeds", "offers", "kept"), [(4, 3, 4), (20, 6, 20), (12, 30, 3)])
def test_no_label_runs_over_another_node(seeds, offers, kept):
    film = make_film(wide(seeds, offers, kept))
    view = film["views"]["focus"]
    boxes = [box(place, film["nodes"][int(n)]["label"]) for n, place in view["places"].items()]
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))


def test_everything_is_drawn_up_to_a_cap_that_is_told():
    walk = wide(20, 30, 20)
    view = make_film(walk)["views"]["everything"]
    assert len(view["places"]) == 150
    assert view["left_out"] == len(walk.passages) - 150


def test_a_film_of_a_hundred_steps_weighs_less_than_a_megabyte():
    walk = wide(97, 12, 20)
    assert len(walk.steps) > 100
    assert len(json.dumps(make_film(walk), separators=(",", ":"))) < 800_000


def test_columns_have_the_names_of_their_rounds():
    film = make_film(trace(WALK, PASSAGES, EDGES.values()))
    view = film["views"]["focus"]
    assert [band["label"] for band in view["bands"]] == ["Seeds", "Hop 1", "Hop 2", "Hop 3"]
    [hop] = [one for one in film["timeline"]["segments"] if one["label"] == "Hop 3"]
    idle = [band.get("empty") for band in view["bands"]]
    assert idle[:3] == [None] * 3
    assert idle[3]["told"] == "nothing new"
    assert idle[3]["since"] == hop["last"]
    assert all(one["right"] == other["left"] for one, other in pairwise(view["bands"]))


def test_the_way_to_gold_is_drawn_and_every_column_of_things_has_one(five):
    index, found = five
    film = make_film(found["lightrag"], index=index)
    stage, nodes = film["views"]["stage"], film["nodes"]
    drawn = {int(number) for number in stage["places"]}
    kinds = {number: nodes[number]["kind"] for number in drawn}
    led = {one["target"] for one in film["lines"] if kinds.get(one["source"]) == "entity"}
    assert {one["node"] for one in film["gold"]} <= drawn & led
    assert {"entity", "relation", "passage"} <= {*kinds.values()}


def test_what_spreads_has_a_column_for_each_kind():
    film = make_film(trace(NESTED, PASSAGES, EDGES.values()))
    for view in film["views"].values():
        labels = [band["label"] for band in view["bands"]]
        assert labels in (
            ["Questions", "Facts", "Entities", "Passages"],
            ["Questions", "Facts – Entities", "Passages"],
        )
        columns: dict[str, set[float]] = {}
        for key, (x, _) in view["places"].items():
            columns.setdefault(film["nodes"][int(key)]["kind"], set()).add(x)
        xs = [columns[kind] for kind in ("query", "fact", "entity", "passage")]
        assert all(max(left) <= min(right) for left, right in pairwise(xs))
        assert max(columns["query"]) < min(columns["fact"])
        assert max(columns["entity"]) < min(columns["passage"])


def test_what_spreads_has_its_best_passages_at_least_on_a_stage():
    film = make_film(spread_over(facts=5, entities=30, passages=30))
    for view in ("focus", "stage"):
        drawn = shown(film, view)
        assert {"fact 0", "entity 0", "passage 0", "passage 1", "passage 2"} <= drawn


def test_lost_gold_to_which_something_spread_stands_below_what_was_kept():
    film = make_film(spread_over(5, 30, 30, kept=10), {"passage 25": "given"})
    for view in ("focus", "stage"):
        places = {
            film["nodes"][int(key)]["id"]: place
            for key, place in film["views"][view]["places"].items()
        }
        x, y = places.pop("passage 25")
        beside = [place for name, place in places.items() if name.startswith("passage")]
        assert beside
        assert all(left == x and top < y for left, top in beside if left == x)
        assert max(left for left, _ in beside) == x


def test_a_plan_is_one_column_in_which_each_question_has_what_it_found(five):
    index, found = five
    film = make_film(found["decomposition"], index=index)
    view, nodes = film["views"]["focus"], film["nodes"]
    drawn = {int(number): place for number, place in view["places"].items()}
    asked = {number for number in drawn if nodes[number]["kind"] == "query"}
    parts = {number for number in asked if nodes[number]["id"] != ROOT}
    assert len(parts) > 1
    assert len({drawn[number][0] for number in parts}) == 1
    assert len({nodes[number]["label"] for number in asked}) == len(asked)
    assert [band["label"] for band in view["bands"]] == ["Question", "Sub-questions", "Passages"]
    joined = {line["target"] for line in film["lines"] if line["source"] in parts}
    assert drawn.keys() - asked <= joined


def test_a_thought_has_columns_of_its_own_and_the_question_stands_once(five):
    index, found = five
    film = make_film(found["ircot"], index=index)
    asked = {node["id"]: node for node in film["nodes"] if node["kind"] == "query"}
    assert "#1" not in asked
    assert asked[ROOT]["label"] == "The question"
    for view in ("focus", "stage"):
        labels = [band["label"] for band in film["views"][view]["bands"]]
        assert labels[:3] == ["Question", "Search #1", "Search #2"][: len(labels)]
    kinds = {entry["label"]: entry for entry in film["legend"] if entry["of"] == "kind"}
    assert kinds["Thought"]["shape"] == kinds["Question"]["shape"] == "query"
    # What a search finds is joined to it at once.
    searched = next(now for now in unpacked(film, "event") if now["nodes"].keys() > {"0"})
    assert {film["lines"][int(number)]["source"] for number in searched["lines"]} == {0}


def test_a_planned_question_reads_as_it_stood_until_it_is_asked(five):
    index, found = five
    nodes = make_film(found["decomposition"], index=index)["nodes"]
    assert [node["planned"] for node in nodes if "planned" in node] == [
        "In which town was #1 born?"
    ]


@settings(max_examples=40, deadline=None)
@given(traces())
def test_any_walk_has_places_for_all_that_its_frames_draw(walk):
    film = make_film(walk)
    counted = {str(n) for group in film["views"]["focus"]["groups"] for n in group["nodes"]}
    for now in unpacked(film, "event"):
        assert now["nodes"].keys() <= film["views"]["focus"]["places"].keys() | counted
