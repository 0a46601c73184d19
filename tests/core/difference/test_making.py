"""The difference of two retrievals of one question: by hand on five passages, and for all."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from types import SimpleNamespace

import pytest

from core.difference import arrival_beside, make_difference
from core.difference.columns import IN_NEITHER, MOST, ROWS, THINGS
from core.difference.contract import DifferenceData, EdgeWhose, NodeWhose, RoundData
from core.difference.paired_steps import aligned, parting
from core.difference.rounds import in_turn
from core.difference.side import make_side
from core.playback import frame
from core.retrievers import CARDS
from core.steps import Asked, Began, Offer, Offered, Ranked, Said, Step, Thing
from core.store.index import Index
from core.trace_analysis.evidence_arrival import ArrivalData
from core.trace_analysis.gold_passages import arrival_of
from core.trace_analysis.phases import merged
from core.trace_analysis.trace_frames import play
from core.traces import Trace, record
from core.types import Evidence, Hit, Passage
from tests.core.trace_analysis.wide import trace as wide_trace
from tests.core.worlds import (
    ONE_SHOT,
    QUERY,
    WALK,
    ScriptedRetriever,
    WorldIndex,
    judged,
    offer,
    seeds,
)

GOLD = ("owner", "town")
# The same walk, but that it follows one edge less in its second hop.
SHORTER: tuple[Step, ...] = (
    *WALK[:5],
    judged("owner", offer("born", 0.7, taken=True), offer("married", 0.2)),
    Ranked(ONE_SHOT[-1].hits, (), "memory"),  # type: ignore[union-attr]
)


def trace(steps: tuple[Step, ...], gold: tuple[str, ...] = GOLD) -> Trace:
    card = SimpleNamespace(key="hoprag-similarity")
    return record(ScriptedRetriever(steps, card), steps[0].query, WorldIndex(), gold)  # type: ignore[arg-type,union-attr]


def whose(found: DifferenceData) -> dict[str, NodeWhose]:
    return {node["id"]: node["whose"] for node in found["nodes"]}


def lines(found: DifferenceData) -> dict[str, EdgeWhose]:
    return {edge["id"]: edge["whose"] for edge in found["edges"]}


def strips(found: ArrivalData) -> list[list[list[tuple[int, str, str]]]]:
    return [
        [[(r["columns"], r["state"], r["text"]) for r in strip["runs"]] for strip in row["strips"]]
        for row in found["rows"]
    ]


def test_a_walk_beside_a_ranking_that_makes_no_steps():
    found = make_difference(trace(WALK), trace(ONE_SHOT))
    assert whose(found) == {"club": "both", "owner": "a", "town": "both", "singer": "reached"}
    assert {"of": "node", "name": "reached", "label": "Reached, not retrieved"} in found["legend"]
    assert lines(found) == {"owned": "a", "born": "a", "married": "a"}
    assert found["parting"]["text"] == (
        "The two retrievals first differ at the start: "
        "A walks from 1 seed; B ranks all passages at once."
    )
    assert not found["parting"]["same"]
    assert [one["label"] for one in found["rounds"]] == [
        "Seeds",
        "Hop 1",
        "Hop 2",
        "Hop 3",
        "Result",
    ]
    [result] = found["rounds"][-1]["places"]
    assert result["a"]["text"] == "retrieves 'Harbour Rovers', 'Mara Quist' and 'Port Selby'"
    assert result["b"]["text"] == "retrieves 'Harbour Rovers' and 'Port Selby'"
    owner = next(i for i, node in enumerate(found["nodes"]) if node["id"] == "owner")
    assert found["nodes"][owner]["standings"] == ("rank 2", "lost: not found")


def test_only_the_steps_of_the_one_that_walks_are_listed():
    found = make_difference(trace(WALK), trace(ONE_SHOT))
    assert found["walker"] == "a"
    assert found["beside"] == (
        "B has no steps: it ranks all passages at once and retrieves 'Harbour Rovers' and "
        "'Port Selby'."
    )
    found = make_difference(trace(ONE_SHOT), trace(WALK))
    assert found["walker"] == "b"
    assert found["beside"].startswith("A has no steps: ")
    for one, other in ((WALK, SHORTER), (ONE_SHOT, ONE_SHOT)):
        found = make_difference(trace(one), trace(other))
        assert (found["walker"], found["beside"]) == ("", "")


def test_what_only_a_ranking_found_stands_in_a_column_of_its_own():
    first = ONE_SHOT[-1].hits[0]  # type: ignore[union-attr]
    other = Ranked((first, Hit("stadium", 0.1)), (), "memory")
    found = make_difference(trace(WALK), trace((*ONE_SHOT[:-1], other)))
    assert whose(found)["stadium"] == "b"
    assert columns_of(found)["Ranked by B"] == ["stadium"]
    assert {"Seeds of A", "Hop 1 of A"} < columns_of(found).keys()  # B has no seeds


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


def columns_of(found: DifferenceData) -> dict[str, list[str]]:
    """The nodes below each heading of the focus."""
    return {
        column["heading"]: [found["nodes"][i]["id"] for i in column["nodes"]]
        for column in found["views"]["focus"]
    }


def focus_of(found: DifferenceData) -> set[str]:
    return {name for names in columns_of(found).values() for name in names}


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
    a, b = (make_side(trace(one), {}, None) for one in (rounds, WALK))
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
    missed = {"of": "gold", "name": "missed", "label": "Gold, missed by both"}
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


def test_evidence_arrives_step_by_step():
    # Steps: 2 before the first hop, 2 of hop 1, 2 of hop 2, 3 of hop 3, the result.
    marks = dict.fromkeys(GOLD, "given")
    found = arrival_beside(trace(WALK), trace(ONE_SHOT), marks)
    assert [(one["label"], one["columns"]) for one in found["phases"]] == [
        ("Seeds", 2),
        ("Hop 1", 2),
        ("Hop 2", 2),
        ("Hop 3", 3),
        ("Result", 1),
    ]
    assert [row["name"] for row in found["rows"]] == ["Mara Quist", "Port Selby"]
    assert strips(found) == [
        [[(3, "", ""), (7, "kept", "2")], [(10, "", "")]],
        [[(5, "", ""), (5, "kept", "3")], [(9, "", ""), (1, "kept", "2")]],
    ]
    assert [[strip["ends"] for strip in row["strips"]] for row in found["rows"]] == [
        ["rank 2", "lost: not found"],
        ["rank 3", "rank 2"],
    ]


def test_of_one_retrieval_a_column_is_a_step_and_what_is_on_offer_is_seen():
    marks = {"stadium": "hand"}
    [row] = arrival_of(play(trace(WALK, ("stadium",)), marks), marks)["rows"]
    assert row["marked"] == "hand"
    [strip] = row["strips"]
    assert [(r["columns"], r["state"], r["t"]) for r in strip["runs"]] == [
        (3, "", 1),
        (7, "offered", 4),
    ]
    assert strip["ends"] == "lost: not followed"


def test_gold_that_neither_reached_is_there_and_says_so():
    found = make_difference(trace(WALK, ("stadium",)), trace(ONE_SHOT, ("stadium",)))
    assert whose(found)["stadium"] == "neither"
    assert {"of": "node", "name": "neither", "label": "Gold, retrieved by neither"} in found[
        "legend"
    ]
    nowhere = make_difference(trace(WALK, ("nobody",)), trace(ONE_SHOT, ()))
    assert nowhere["gold"] == [
        {
            "node": None,
            "name": "nobody",
            "marked": "given",
            "by": "",
            "ends": ("not found (open the index for details)",) * 2,
            "lost": (True, True),
            "whose": "neither",
        }
    ]


def test_a_passage_with_two_pieces_of_evidence_says_so_in_its_row():
    parts = {"mayor": ("owner",), "ship": ("owner",), "port": ("town",)}
    evidence = {name: Evidence(name, parts=(part,)) for name, part in parts.items()}
    one = replace(trace(WALK), gold=tuple(evidence), evidence=evidence)
    assert one.kept_gold.pieces() == {"owner": 2, "town": 1}
    named = ["Mara Quist (2 pieces of evidence)", "Port Selby"]
    assert [row["name"] for row in make_difference(one, trace(ONE_SHOT))["gold"]] == named
    marks = one.kept_gold.said(one.ranking)
    found = arrival_beside(one, trace(ONE_SHOT), marks)
    assert [row["name"] for row in found["rows"]] == named


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


@pytest.fixture
def traces(five: tuple[Index, Mapping[str, Trace]]) -> Mapping[str, Trace]:
    return five[1]


def kept(of: Trace) -> set[str]:
    return {hit.passage_id for hit in frame(of.steps, len(of.steps)).hits}


def reached(of: Trace) -> set[str]:
    """Passages that are more than on offer in the end."""
    roles = frame(of.steps, len(of.steps)).roles
    return {name for name, role in roles.items() if role != "offered" and name in of.passages}


def test_every_two_retrievers_have_a_difference(traces: Mapping[str, Trace]):
    for a, b in combinations(traces.values(), 2):
        found = make_difference(a, b)
        passages: dict[str, set[str]] = {}
        for node, role in zip(found["nodes"], whose(found).values(), strict=True):
            if node["kind"] == "passage":
                passages.setdefault(role, set()).add(node["id"])
        own = {"a": kept(a) - kept(b), "b": kept(b) - kept(a), "both": kept(a) & kept(b)}
        own["reached"] = (reached(a) | reached(b)) - kept(a) - kept(b)
        assert {role: ids for role, ids in passages.items() if role != "neither"} == {
            role: ids for role, ids in own.items() if ids
        }, (a.retriever, b.retriever)
        for view in found["views"].values():  # each node is shown once, or counted once
            shown = [i for column in view for i in column["nodes"]]
            counts = [count for column in view for count in column["left_out"]]
            left_out = [i for count in counts for i in count["nodes"]]
            assert sorted(shown + left_out) == list(range(len(found["nodes"])))
        assert {node["id"] for node in found["nodes"] if node["gold"]} <= focus_of(found)
        assert len(focus_of(found)) <= MOST + THINGS
        assert all(len(column["nodes"]) <= ROWS + THINGS for column in found["views"]["focus"])
        done = [place for one in found["rounds"] for place in one["places"]]
        assert {p["a"]["t"] for p in done if p["a"]} <= set(range(1, len(a.steps) + 1))
        assert {p["b"]["t"] for p in done if p["b"]} <= set(range(1, len(b.steps) + 1))


@pytest.mark.parametrize("key", tuple(CARDS))
def test_nothing_differs_from_itself(traces: Mapping[str, Trace], key: str):
    found = make_difference(traces[key], traces[key])
    assert set(whose(found).values()) <= {"both", "reached", "neither"}
    assert set(lines(found).values()) <= {"both"}
    assert all(place["same"] for one in found["rounds"] for place in one["places"])
    assert found["parting"]["same"]
    assert found["parting"]["text"].startswith("No difference:")


def ranking(*names: str, top_k: int = 2) -> Trace:
    """One that takes no steps."""
    hits = tuple(Hit(name, 1 / place) for place, name in enumerate(names, 1))
    return trace((Asked("bm25", QUERY, top_k), Ranked(hits[:top_k], hits[top_k:])), ("town",))


def test_two_that_only_rank_have_a_column_each_and_one_of_both_by_rank():
    found = make_difference(
        ranking("club", "stadium", "town", top_k=3), ranking("singer", "owner", "stadium", top_k=3)
    )
    assert columns_of(found) == {
        "A only": ["club", "town"],
        "Both": ["stadium"],
        "B only": ["singer", "owner"],
    }
    ranks = {node["id"]: node["ranks"] for node in found["nodes"]}
    assert ranks == {"club": "1", "stadium": "A 2 · B 3", "town": "3", "singer": "1", "owner": "2"}


def test_gold_that_one_lost_has_both_ranks_and_what_neither_retrieves_stands_apart():
    found = make_difference(ranking("club", "town"), ranking("club", "owner", "town"))
    assert {node["id"]: node["ranks"] for node in found["nodes"]}["town"] == "A 2 · B 3"
    found = make_difference(
        ranking("club", "owner", "town"), ranking("club", "owner", "singer", "town")
    )
    assert list(columns_of(found)) == ["Both", "Retrieved by neither"]
    assert {node["id"]: node["ranks"] for node in found["nodes"]}["town"] == "A 3 · B 4"


def test_beside_a_walk_only_what_is_ranked_alone_has_its_rank_and_a_is_told_first():
    found = make_difference(ranking("club", "stadium"), trace(WALK))
    ranks = {node["id"]: node["ranks"] for node in found["nodes"]}
    assert ranks["stadium"] == "2"
    assert ranks["club"] == ranks["town"] == ""
    for one, other in ((ranking("club"), trace(WALK)), (trace(WALK), ranking("club"))):
        told = make_difference(one, other)["parting"]["text"]
        assert told.index(": A ") < told.index("; B ")


def test_an_audience_goes_from_what_both_have_to_how_the_gold_came_to_each():
    found = make_difference(trace(WALK, ("owner",)), trace(SHORTER, ("owner",)))
    names = [node["id"] for node in found["nodes"]]
    told = [stop["text"] for stop in found["stops"]]
    drawn = [{names[i] for i in stop["nodes"]} for stop in found["stops"]]
    assert told[0] == "A retrieves 3 passages and B retrieves 2; 2 are in both."
    assert drawn[0] == {"club", "town"}
    assert told[1] == found["parting"]["text"]
    assert told[2] == (
        "A retrieves 'Mara Quist' at rank 2, reached in hop 1 from 'Harbour Rovers' via "
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


def test_in_focus_the_passages_at_which_the_rankings_differ_first_are_drawn():
    found = make_difference(trace(WALK), trace(SHORTER))
    assert {"club", "owner", "town"} <= focus_of(found)


def test_of_two_that_meet_in_the_result_alone_the_steps_of_both_are_told_in_turn():
    done = {"t": 1, "text": "takes nothing", "nodes": [], "refused": []}

    def a_round(label: str, *sides: str) -> RoundData:
        both = {"a": None, "b": None, **dict.fromkeys(sides, done)}
        place = {"name": label, "node": None, "same": False, **both}
        return {"label": label, "places": [place]}  # type: ignore[typeddict-item, list-item]

    walks = a_round("Seeds", "b"), a_round("Hop 1", "b"), a_round("Search #1", "a")
    result = a_round("Result", "a", "b")
    told = [one["label"] for one in in_turn([*walks, result])]
    assert told == ["Search #1", "Seeds", "Hop 1", "Result"]
    met = [a_round("Seeds", "a", "b"), *walks, result]
    assert in_turn(met) == met
    assert in_turn([]) == []


def test_what_one_alone_has_stands_by_its_ranks_there_and_its_own_rank_is_told_first():
    a = ranking("club", "town", "owner", "stadium", top_k=1)
    b = ranking("stadium", "owner", "town", "club", top_k=3)
    found = make_difference(a, b)
    assert columns_of(found)["B only"] == ["stadium", "owner", "town"]
    ranks = {node["id"]: node["ranks"] for node in found["nodes"]}
    assert ranks["town"] == "B 3 · A 2"


def test_beside_what_spreads_the_way_by_which_gold_was_got_is_drawn(
    five: tuple[Index, Mapping[str, Trace]],
):
    traces = five[1]
    found = make_difference(traces["hipporag2"], traces["hoprag-coverage"])
    names = [node["id"] for node in found["nodes"]]
    walked = make_side(traces["hoprag-coverage"], dict.fromkeys(found_gold(found), "given"))
    assert walked.led
    drawn = {(names[edge["source"]], names[edge["target"]]) for edge in found["edges"]}
    assert {(line.source, line.target) for line in walked.led.values()} <= drawn
    assert {edge["whose"] for edge in found["edges"] if edge["leads"]} <= {"a", "b", "both"}
    assert {end for two in drawn for end in two} <= focus_of(found)
    if "#" in focus_of(found):
        things = any(end.startswith("entity:") for two in drawn for end in two)
        first = next(iter(columns_of(found)))
        assert first == ("Led to gold" if things else "Question")
        assert found["nodes"][names.index("#")]["standings"] == ("query", "query")


def test_that_they_begin_with_other_things_is_no_cause(five: tuple[Index, Mapping[str, Trace]]):
    traces = five[1]
    walk = traces["hoprag-coverage"]
    alike = {
        key: make_difference(traces[key], walk)["parting"]["alike"]
        for key in ("hipporag2", "hoprag-similarity", "bm25")
    }
    assert alike == {"hipporag2": False, "hoprag-similarity": True, "bm25": True}


def found_gold(found: DifferenceData) -> list[str]:
    return [found["nodes"][one["node"]]["id"] for one in found["gold"] if one["node"] is not None]


MANY = tuple(f"passage {n:02}" for n in range(40))


def among_many(*steps: Step) -> Trace:
    return wide_trace(steps, {name: Passage(name, name, 0, name, name) for name in MANY})


def ranked(names: Sequence[str], top_k: int = 4) -> tuple[Step, ...]:
    hits = tuple(Hit(name, 1 / place) for place, name in enumerate(names, 1))
    return Asked("bm25", QUERY, top_k), Ranked(hits[:top_k], hits[top_k:])


def test_in_focus_what_neither_retrieves_is_counted_by_itself():
    found = make_difference(among_many(*ranked(MANY)), among_many(*ranked(MANY[::-1])))
    counts = {
        count["label"]: {found["nodes"][i]["id"] for i in count["nodes"]}
        for column in found["views"]["focus"]
        for count in column["left_out"]
    }
    assert counts == {IN_NEITHER: {*MANY[4:-4]} - focus_of(found)}
    assert counts[IN_NEITHER]


def test_in_focus_a_thought_is_drawn_with_what_its_search_found():
    def search(number: int, names: Sequence[str]) -> tuple[Step, ...]:
        hits = tuple(Hit(name, 1 / place) for place, name in enumerate(names, 1))
        text = f"Thought {number}."
        asked = Asked("bm25", text, 9, id=f"#{number}", parents=("#",))
        taken = Offered(
            f"#{number}", "passages", tuple(Offer(name, 1.0, taken=True) for name in names)
        )
        return Said("reasoner", "#", text), asked, Ranked(hits), taken

    kept = tuple(Hit(name, 1.0) for name in (MANY[21], MANY[22], MANY[0]))
    searches = (*search(1, MANY[:20]), *search(2, MANY[20:30]))
    thinking = among_many(Asked("ircot", QUERY, 3), *searches, Ranked(kept))
    found = make_difference(thinking, among_many(*ranked(MANY[30:])))
    assert {"#1", "#2", *(hit.passage_id for hit in kept)} <= focus_of(found)
    assert not focus_of(found) & {*MANY[1:20]}  # of what the first one found the rest is counted


def test_who_says_nothing_tells_why_it_stops():
    told = Said("rules", "#", "", ends="no gap is left")
    silent = replace(told, ends="")
    stops = make_difference(trace((*WALK[:-1], told, WALK[-1])), trace(ONE_SHOT))
    texts = [place["a"]["text"] for one in stops["rounds"] for place in one["places"] if place["a"]]
    assert "stops: no gap is left" in texts
    nothing = make_difference(trace((*WALK[:-1], silent, WALK[-1])), trace(ONE_SHOT))
    places = [place for one in nothing["rounds"] for place in one["places"]]
    assert len(places) == sum(len(one["places"]) for one in stops["rounds"]) - 1
