"""The difference of every two retrievers."""

from collections.abc import Mapping
from itertools import combinations

import pytest

from core.difference import make_difference
from core.difference.columns import MOST, ROWS, THINGS
from core.difference.side import make_side
from core.playback import frame
from core.retrievers import CARDS
from core.store.index import Index
from core.traces import Trace
from tests.core.difference.five_passages import columns_of, focus_of, found_gold, lines, whose


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
