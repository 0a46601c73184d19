"""What goes into a gate leaves it, and no gold is counted twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.funnel.flow import Link, between, ladder, through
from core.funnel.stages import LOST, STAGES

WALK = "hoprag-similarity"
COUNTS = st.dictionaries(st.sampled_from(list(STAGES)), st.integers(0, 9))


@given(COUNTS, st.sampled_from((WALK, "elsewhere")))
def test_all_gold_ends_at_its_stage(counts, retriever):
    flow = through(counts, retriever)
    names = {node.name for node in flow.nodes}
    assert {end for link in flow.links for end in (link.source, link.target)} <= names
    for stage in LOST:
        assert sum(k.count for k in flow.links if k.target == stage) == counts.get(stage, 0)
    coming = {name: sum(k.count for k in flow.links if k.target == name) for name in names}
    going = {name: sum(k.count for k in flow.links if k.source == name) for name in names}
    assert going["gold"] == sum(counts.values())
    for node in flow.nodes:
        assert node.name == "gold" or not going[node.name] or coming[node.name] == going[node.name]


def test_a_walk_by_hand():
    flow = through({"absent": 1, "unoffered": 2, "cut": 3, "kept": 4}, WALK)
    assert [(k.source, k.target, k.count) for k in flow.links] == [
        ("gold", "absent", 1),
        ("gold", "held", 9),
        ("held", "near", 9),
        ("near", "unoffered", 2),
        ("near", "offered", 7),
        ("offered", "reached", 7),
        ("reached", "cut", 3),
        ("reached", "result", 4),
    ]


def test_what_ranks_everything_has_no_way_to_go():
    flow = through({"below": 2, "kept": 3, "unused": 1}, "bm25")
    assert [(k.source, k.target, k.count) for k in flow.links] == [
        ("gold", "held", 6),
        ("held", "below", 2),
        ("held", "result", 4),
        ("result", "kept", 3),
        ("result", "unused", 1),
    ]


@pytest.mark.parametrize("retriever", ["elsewhere", "rerank(over=bm25)"])
def test_only_what_follows_edges_has_gold_within_reach(retriever):
    counts = {"unoffered": 2, "refused": 3, "kept": 4}
    steps = [(9, 0), (7, 2), (4, 3), (4, 0)]  # held, candidates, reached, result
    assert [(rung.left, rung.lost) for rung in ladder(counts, retriever)][1:] == steps
    assert "near" not in {node.name for node in through(counts, retriever).nodes}
    assert "near" in {node.name for node in through(counts | {"far": 1}, retriever).nodes}


def test_between_two_every_pair_is_a_stream():
    flow = between({("kept", "kept"): 5, ("cut", "kept"): 2, ("kept", "below"): 1})
    assert {(k.source, k.target): k.count for k in flow.links} == {
        ("a:kept", "b:kept"): 5,
        ("a:cut", "b:kept"): 2,
        ("a:kept", "b:below"): 1,
    }
    assert Link("a:cut", "b:kept", 2, ("cut",), ("kept",)) in flow.links
    assert {node.name for node in flow.nodes if node.lost} == {"a:cut", "b:below"}


@pytest.mark.parametrize("flow", [through({}, WALK), between({})])
def test_without_gold_nothing_flows(flow):
    assert flow.links == ()


def test_a_ladder_says_what_is_left_at_each_gate_and_what_was_lost_before_it():
    walked = ladder({"absent": 1, "refused": 2, "below": 3, "kept": 4}, WALK)
    assert [(rung.left, rung.lost) for rung in walked] == [
        (10, 0),
        (10 - 1, 1),
        (9, 0),
        (9 - 3, 3),  # what nothing took was not reached
        (6 - 2, 2),
        (4, 0),
    ]
    ranked = ladder({"absent": 1, "below": 2, "kept": 3, "unused": 1}, "bm25")
    assert [rung.name for rung in ranked] == ["gold", "held", "result"]
    assert [rung.left for rung in ranked] == [7, 6, 4]
