"""The difference of two walks over five passages, derived by hand."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from core.difference import make_difference
from core.difference.paired_steps import aligned, parting
from core.difference.side import AB, Called, make_side
from core.steps import Began, Ranked, Said, Step, Thing
from core.trace_analysis.phases import merged
from core.types import Hit
from tests.core.difference.five_passages import SHORTER, columns_of, lines, trace, whose
from tests.core.worlds import (
    ONE_SHOT,
    WALK,
    judged,
    offer,
    seeds,
)


def test_an_edge_that_the_other_was_offered_and_lost_gold_by_is_told():
    found = make_difference(trace(WALK, ("singer",)), trace(SHORTER, ("singer",)))
    assert lines(found) == {"owned": "both", "born": "both", "married": "not_b"}
    assert {"of": "edge", "name": "not_b", "label": "A follows, B does not"} in found["legend"]
    assert [one["ends"] for one in found["gold"]] == [
        (
            "rank 4, below the top 3",
            "not followed; score 0.200, lowest accepted 0.700",
        )
    ]


def test_gold_that_no_one_took_stands_at_the_edge_on_which_it_was_refused():
    refusing = (*SHORTER[:-1], replace(SHORTER[-1], hits=SHORTER[-1].hits[:1]))  # type: ignore[type-var, union-attr]
    found = make_difference(trace(refusing, ("singer",)), trace(ONE_SHOT, ("singer",)))
    assert lines(found)["married"] == "refused_a"
    assert {"of": "edge", "name": "refused_a", "label": "Not followed by A"} in found["legend"]
    both = make_difference(trace(SHORTER, ("singer",)), trace(refusing, ("singer",)))
    assert lines(both)["married"] == "refused"


def test_a_line_within_a_column_is_drawn_where_a_node_was_reached_by_it_alone():
    walk = (
        *(WALK[0], seeds("club", "owner"), Began("hop", 1, ("club", "owner"))),
        judged("club", offer("owned", 0.9, taken=True)),  # which leads to another seed
        judged("owner", offer("born", 0.7, taken=True)),
        WALK[-1],
    )
    found = make_difference(trace(walk), trace(ONE_SHOT))
    assert lines(found) == {"born": "a"}
    assert lines(make_difference(trace(WALK), trace(ONE_SHOT)))["owned"] == "a"


def test_a_step_tells_of_gold_whether_it_was_taken_there():
    found = make_difference(trace(WALK, ("singer", "town")), trace(SHORTER, ("singer", "town")))
    done = {place["name"]: place for one in found["rounds"] for place in one["places"]}
    number = {node["id"]: i for i, node in enumerate(found["nodes"])}
    at = done["Mara Quist"]
    assert set(at["a"]["nodes"]) == {number["town"], number["singer"]}
    assert (at["a"]["refused"], at["b"]["refused"]) == ([], [number["singer"]])


def test_two_walks_part_where_one_takes_what_the_other_refuses():
    found = make_difference(trace(WALK), trace(SHORTER))
    assert whose(found) == {"club": "both", "owner": "a", "town": "both", "singer": "reached"}
    assert lines(found) == {"owned": "both", "born": "both", "married": "a"}
    assert found["parting"]["text"] == (
        "The two retrievals first differ at hop 2, at 'Mara Quist': only A hops to 'Ilo Venn'."
    )
    node = found["parting"]["node"]
    assert node is not None
    assert found["nodes"][node]["id"] == "owner"
    places = {place["name"]: place for one in found["rounds"] for place in one["places"]}
    assert places["Seeds"]["same"]
    assert places["Harbour Rovers"]["same"]
    assert not places["Mara Quist"]["same"]
    assert places["Ilo Venn"]["b"] is None  # which B never took from its queue
    assert make_difference(trace(SHORTER), trace(WALK))["parting"]["text"].endswith(
        "only B hops to 'Ilo Venn'."
    )


def test_a_node_stands_where_it_was_reached_first_whoever_is_a():
    rounds = (Began("hop", 1, ("owner",)), WALK[5], Began("hop", 2, ("town", "singer")))
    later = trace((WALK[0], seeds("owner"), *rounds, *WALK[7:]))
    for found in (make_difference(trace(WALK), later), make_difference(later, trace(WALK))):
        assert set(columns_of(found)["Seeds"]) == {"club", "owner"}
        assert whose(found)["owner"] == "both"


def test_where_they_part_only_what_is_drawn_is_named():
    a, b = (make_side(trace(one), {}, None) for one in (WALK, SHORTER))
    pairs = aligned(a, b)
    assert "only A hops to 'Ilo Venn'" in parting(a, b, pairs, {"singer"})[0]
    assert "only A hops to 1 passage" in parting(a, b, pairs, {"town"})[0]


def test_what_the_other_one_has_no_place_for_is_said_of_one_alone():
    rounds = tuple(replace(one, name="round") if isinstance(one, Began) else one for one in WALK)
    a, b = (make_side(trace(one), {}, by=by) for one, by in zip((rounds, WALK), AB, strict=True))
    told, _ = parting(a, b, aligned(a, b), {"owner"})
    assert told == (
        "The two retrievals first differ at hop 1, at 'Harbour Rovers': "
        "only B hops to 'Mara Quist'."
    )


def test_of_two_that_take_different_passages_one_of_each_is_named():
    hits = {x: tuple(Hit(name, 1.0) for name in x.split()) for x in ("club owner", "town singer")}
    a, b = (trace((ONE_SHOT[0], Ranked(each, (), "memory"))) for each in hits.values())
    assert make_difference(a, b)["parting"]["text"] == (
        "The two retrievals first differ at the result: "
        "A retrieves 'Harbour Rovers' and 1 more; "
        "B retrieves 'Port Selby' and 1 more."
    )


def test_gold_that_is_lost_has_a_look_of_its_own():
    missed = {"of": "gold", "name": "missed", "label": "Gold, reached, not retrieved"}
    found = make_difference(trace(WALK, ("singer",)), trace(ONE_SHOT, ("singer",)))
    assert [(one["name"], one["lost"], one["whose"]) for one in found["gold"]] == [
        ("Ilo Venn", (True, True), "missed")
    ]
    assert missed in found["legend"]
    assert missed not in make_difference(trace(WALK), trace(WALK))["legend"]


def test_gold_that_one_alone_retrieves_is_that_ones_and_not_lost():
    found = make_difference(trace(WALK), trace(ONE_SHOT))
    assert {one["name"]: (one["lost"], one["whose"]) for one in found["gold"]} == {
        "Mara Quist": ((False, True), "a"),
        "Port Selby": ((False, False), "both"),
    }
    called = {one["name"]: one["label"] for one in found["legend"] if one["of"] == "gold"}
    assert called == {"gold": "Gold", "a": "Gold, A only"}
    turned = make_difference(trace(ONE_SHOT), trace(WALK))
    called = {one["name"]: one["label"] for one in turned["legend"] if one["of"] == "gold"}
    assert called == {"gold": "Gold", "b": "Gold, B only"}


def test_the_short_sentence_counts_what_the_other_one_names():
    asked = (
        WALK[0],
        Said("keywords", "idea", "x", things=(Thing("idea", "field", "x"),)),
        WALK[-1],
    )
    told = make_difference(trace(WALK), trace(asked))["parting"]
    said = ": A starts at 'Harbour Rovers'; B receives \"x\" from the keywords."
    assert told["text"].endswith(said)
    assert told["short"] == told["text"].replace("'Harbour Rovers'", "1 passage")
    apart = make_difference(trace(WALK), trace(SHORTER))["parting"]
    assert apart["short"] == apart["text"]


def test_the_same_passages_in_another_order_are_said_to_be():
    turned = replace(ONE_SHOT[-1], hits=ONE_SHOT[-1].hits[::-1])  # type: ignore[union-attr]
    found = make_difference(trace(ONE_SHOT), trace((ONE_SHOT[0], turned)))
    assert found["parting"]["text"] == (
        "The two retrievals first differ at the result: the same 2 passages, in a different order."
    )
    assert set(whose(found).values()) == {"both"}


def test_one_id_with_two_meanings_is_two_nodes():
    def thought(text: str) -> tuple[Step, ...]:
        said = Said("thought", "idea", text, things=(Thing("idea", "field", text),))
        return (WALK[0], said, WALK[-1])

    found = make_difference(trace(thought("one")), trace(thought("another")))
    ideas = {
        node["label"]: whose(found)[node["id"]]
        for node in found["nodes"]
        if node["kind"] == "field"
    }
    assert ideas == {"one": "reached", "another": "reached"}
    said = 'A receives "one" from the thought; B receives "another" from the thought'
    assert said in found["parting"]["text"]


def test_only_traces_of_one_question_have_a_difference():
    other = replace(trace(ONE_SHOT), query="Who?")
    with pytest.raises(ValueError, match="not of one question"):
        make_difference(trace(WALK), other)


def test_what_only_the_other_has_stands_behind_what_it_follows_there():
    assert merged("abd", "acd") == ["a", "c", "b", "d"]
    assert merged("", "ab") == ["a", "b"]
    assert merged("ab", "") == ["a", "b"]


def test_an_audience_goes_from_what_both_have_to_how_the_gold_came_to_each():
    found = make_difference(trace(WALK, ("owner",)), trace(SHORTER, ("owner",)))
    names = [node["id"] for node in found["nodes"]]
    told = [stop["text"] for stop in found["stops"]]
    drawn = [{names[i] for i in stop["nodes"]} for stop in found["stops"]]
    assert told[0] == "A retrieves 3 passages and B retrieves 2; 2 are in both."
    assert drawn[0] == {"club", "town"}
    assert told[1] == found["parting"]["text"]
    assert told[2] == (
        "A finds 'Mara Quist' at rank 2, reached in hop 1 from 'Harbour Rovers' via "
        "the edge 'Who owns the club?'."
    )
    assert {names[i] for i in found["stops"][2]["lit"]} == {"owner", "club"}
    assert told[3].startswith("B")
    assert "'Mara Quist'" in told[3]
    assert told[-1] == ""
    assert drawn[-1] == set(names)
    assert all(one <= other for one, other in pairwise(drawn))


def test_of_two_that_never_part_an_audience_is_told_that():
    found = make_difference(trace(WALK), trace(WALK))
    assert [stop["text"] for stop in found["stops"]] == [
        "A retrieves 3 passages and B retrieves 3; 3 are in both.",
        found["parting"]["text"],
        "",
    ]


def test_a_line_leads_to_what_was_retrieved_to_gold_or_to_nothing():
    found = make_difference(trace(WALK), trace(ONE_SHOT))
    ids = {edge["id"] for edge in found["edges"] if edge["leads"]}
    assert ids == {"owned", "born"}  # 'married' led to a passage that no one retrieves


def test_both_are_called_by_their_names_and_signs():
    names = (Called("BM25", "BM"), Called("Dense", "DE"))
    found = make_difference(trace(WALK, ("owner",)), trace(SHORTER, ("owner",)), names=names)
    assert [found[side]["sign"] for side in ("a", "b")] == ["BM", "DE"]
    assert "only BM25 hops to " in found["parting"]["text"]
    assert found["stops"][0]["text"].startswith("BM25 retrieves 3 passages and Dense retrieves 2;")
    labels = {one["label"] for one in found["legend"]}
    assert labels & {"BM only", "Gold, BM only"}
    assert not any(re.search(r"\b[AB]\b", label) for label in labels)
    heads = {column["heading"] for column in found["views"]["everything"]}
    assert not any(re.search(r"\b[AB]\b", head) for head in heads), heads
