from dataclasses import replace

from core.film import make_film
from core.film.legend import legend
from core.film.timeline import runs
from core.playback import frame, labels
from core.steps import ROOT, Asked, Began, Exchange, Spread, Told
from core.traces import Trace
from core.types import Hit
from tests.core.examples import NESTED
from tests.core.film.decoding import unpacked
from tests.core.worlds import EDGES, ONE_SHOT, PASSAGES, QUERY, WALK, seeds


def film(steps, gold=()):
    return make_film(Trace(QUERY, "any", "five", "g", steps, PASSAGES, EDGES, gold, "2026-01-01"))


def test_rounds_are_segments():
    segments = film(WALK)["timeline"]["segments"]
    assert [(s["label"], s["first"], s["last"], s["depth"]) for s in segments] == [
        ("Question", 1, 1, 0),
        ("Seeds", 2, 2, 0),
        ("Hop 1", 3, 4, 0),
        ("Hop 2", 5, 6, 0),
        ("Hop 3", 7, 9, 0),
        ("Result", 10, 10, 0),
    ]


def test_what_is_nested_lies_deeper_and_inside():
    segments = film(NESTED)["timeline"]["segments"]
    inner = [t for t, step in enumerate(NESTED, 1) if isinstance(step, Asked)][1:]
    nested = [s for s in segments if s["depth"] == 1]
    assert [s["first"] for s in nested] == inner
    assert [s["label"] for s in nested] == [
        f"{step.id} {step.query}" for step in NESTED if isinstance(step, Asked)
    ][1:]
    for one in segments:
        outer = [s for s in segments if s["depth"] == one["depth"] - 1]
        assert one["depth"] == 0 or any(
            s["first"] <= one["first"] and one["last"] <= s["last"] for s in outer
        )


def test_a_search_that_is_called_as_its_round_has_no_segment_of_its_own():
    inner = replace(WALK[0], id="#1", parents=(ROOT,)), *WALK[1:]
    segments = film((WALK[0], Began("search", 1), *inner, WALK[-1]))["timeline"]["segments"]
    assert [(s["label"], s["depth"]) for s in segments][:2] == [("Question", 0), ("Search #1", 0)]
    assert {s["depth"] for s in segments if s["label"].startswith("#1 Hop")} == {1}
    assert not [s for s in segments if s["label"].startswith(f"#1 {QUERY}")]
    assert segments[1]["last"] == len(inner) + 2


def test_rounds_that_differ_in_their_numbers_alone_are_a_run():
    timeline = film(WALK)["timeline"]
    assert timeline["runs"] == [{"label": "Hop", "first": 3, "last": 9, "depth": 0}]
    named = ["Seeds", "Wide round 1", "Wide round 2", "Step 1", "Near round 1", "Near round 2"]
    segments = [
        {"label": label, "first": t, "last": t, "depth": 0} for t, label in enumerate(named, 1)
    ]
    inner = {"label": "#1 Hop 1", "first": 2, "last": 2, "depth": 1}
    found = runs([*segments[:2], inner, *segments[2:]])
    assert [(run["label"], run["first"], run["last"]) for run in found] == [
        ("Wide round", 2, 3),
        ("Near round", 5, 6),
    ]
    searches = [{**one, "label": f"Search #{one['first']}"} for one in segments]
    assert [run["label"] for run in runs(searches)] == ["Search"]
    assert runs(segments[:1]) == []


def test_every_step_is_in_a_segment():
    for steps in (WALK, NESTED, ONE_SHOT):
        segments = film(steps)["timeline"]["segments"]
        spans = [t for s in segments if s["depth"] == 0 for t in range(s["first"], s["last"] + 1)]
        assert sorted(spans) == list(range(1, len(steps) + 1))


def test_steps_have_their_names():
    timeline = film(WALK)["timeline"]
    assert timeline["names"] == [label.text for label in labels(WALK)]
    assert timeline["last"] == len(WALK)


def test_gold_has_its_moments():
    made = film(WALK, ("town", "stadium", "club"))
    names = [node["id"] for node in made["nodes"]]
    moments = {(names[m["node"]], m["kind"]): m["t"] for m in made["timeline"]["moments"]}
    ends = {hit.passage_id for hit in WALK[-1].hits}
    assert moments == {
        ("club", "reached"): 2,
        ("stadium", "offered"): 4,
        ("town", "offered"): 6,
        ("town", "reached"): 6,
        **{(n, "kept" if n in ends else "lost"): 10 for n in ("club", "town", "stadium")},
    }


def test_gold_that_was_reached_is_not_on_offer_for_the_first_time():
    def kinds(*steps):
        return [m["kind"] for m in film(steps, ("owner",))["timeline"]["moments"]]

    begins, _, *rest = WALK
    assert "offered" in kinds(*WALK)
    assert "offered" not in kinds(begins, seeds("club", "owner"), *rest)


def test_a_round_that_only_begins_is_no_stop():
    made = film(WALK)
    stops = {now["t"] for now in unpacked(made, "event")}
    assert not [t for t in stops if isinstance(WALK[t - 1], Began)]
    assert made["timeline"]["still"] == [8]  # the first of two looks that tell nothing of gold


def test_words_come_in_their_turn():
    made = film(NESTED)
    for now in unpacked(made, "event"):
        true = frame(NESTED, now["t"])
        said = [one["text"] for one in made["said"][: now["said"]]]
        assert said == [one.text for one in true.said]
        asked = [one["id"] for one in made["questions"][: now["questions"]]]
        assert asked == list(true.questions)
        told = [one["t"] for one in made["exchanges"][: now["asked"]]]
        assert told == [t for t in range(1, now["t"] + 1) if NESTED[t - 1].told.exchange]


def test_the_legend_names_what_is_drawn_and_nothing_else():
    made = film(WALK, ("town",))
    frames = unpacked(made, "event") + unpacked(made, "round")
    for of in ("node", "line"):
        roles = {role for now in frames for role in now[f"{of}s"].values()}
        named = {entry["name"] for entry in made["legend"] if entry["of"] == of}
        assert named == roles
    assert not [entry for entry in made["legend"] if entry["of"] == "kind"]
    assert [entry for entry in film(NESTED)["legend"] if entry["of"] == "kind"]


def test_the_legend_says_which_kinds_a_heading_names():
    nodes = film(NESTED)["nodes"]
    kinds = [("query", "query"), ("entity", "entity"), ("cluster", "cluster")]
    told = legend([], kinds, nodes, headings=["Entities", "Passages"])
    headed = {entry["name"]: entry.get("headed", False) for entry in told if entry["of"] == "kind"}
    assert headed == {"query": False, "entity": True, "cluster": False}


def test_the_legend_says_what_makes_nodes_larger():
    large = {"of": "mark", "name": "large", "label": "Larger: more mass"}
    spread = Spread("mass", (Hit("town", 0.7), Hit("singer", 0.3)))
    assert large in film((Asked("any", QUERY, 2), spread))["legend"]
    starred = {**large, "label": "Larger: more mass, but for stars"}  # which keep their size
    assert starred in film((Asked("any", QUERY, 2), spread), ("town",))["legend"]
    assert large not in film(WALK)["legend"]


def test_the_legend_tells_kept_gold_from_lost_gold():
    made = film(WALK, ("town", "singer"))
    last = unpacked(made, "event")[-1]["nodes"]
    ends = {last[str(i)] for i, node in enumerate(made["nodes"]) if node["gold"]}
    assert ends == {"retrieved", "lost"}
    stars = {entry["name"]: entry["label"] for entry in made["legend"] if entry["of"] == "gold"}
    assert stars == {"lost": "Gold lost", "kept": "Gold retrieved", "gold": "Gold"}


def test_the_legend_tells_gold_by_rules_from_what_people_gave():
    def stars(who):
        trace = Trace(QUERY, "any", "five", "g", WALK, PASSAGES, EDGES, (), "2026-01-01")
        made = make_film(trace, {"town": who})
        return {entry["label"] for entry in made["legend"] if entry["of"] == "gold"}

    assert stars("rules") - stars("given") == {"Gold marked by rules"}


def test_the_legend_tells_what_a_person_marked_and_what_no_model_judged():
    def labels_of(made):
        return [entry["label"] for entry in made["legend"]]

    trace = Trace(QUERY, "any", "five", "g", WALK, PASSAGES, EDGES, (), "2026-01-01")
    by_hand = make_film(trace, {"town": "hand"})
    assert "Gold marked by hand" in labels_of(by_hand)
    assert "Gold marked by hand" not in labels_of(film(WALK, ("town",)))
    assert "Model never asked" not in labels_of(by_hand)
    unasked = replace(WALK[3], told=Told(exchange=Exchange("any", "", "")))
    assert "Model never asked" in labels_of(film((*WALK[:3], unasked, *WALK[4:])))
