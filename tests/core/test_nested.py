"""The expected states are derived by hand from the nested retrieval in `examples`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.playback import (
    check,
    columns,
    drawn_lines,
    frame,
    frames,
    grains,
    labels,
    sentence,
    stops,
)
from core.playback.account import Looked, account
from core.playback.reasons import occasions
from core.playback.rounds import round_at
from core.steps import (
    ROOT,
    Asked,
    Began,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Said,
    Spread,
    Step,
    Thing,
    Tie,
)
from core.traces import Trace, dump, load
from core.traces.ids import edge_ids, passage_ids
from core.types import Hit, Part
from tests.core.examples import CUT, KEPT, NAMES, NESTED, THINGS
from tests.core.worlds import EDGES, PASSAGES

END = len(NESTED)


def ids(rows):
    return [(row.hit.passage_id, row.kept) for row in rows]


def test_it_keeps_the_contract_and_has_every_kind_of_step():
    check(NESTED)
    assert {type(step) for step in NESTED} == set(get_args(Step))


def changed(t: int, **fields: object) -> tuple[Step, ...]:
    """The example with fields of step `t` replaced."""
    return (*NESTED[: t - 1], replace(NESTED[t - 1], **fields), *NESTED[t:])


def without(t: int) -> tuple[Step, ...]:
    return (*NESTED[: t - 1], *NESTED[t:])


SAME = Hit("owner", 0.25)
NAN = float("nan")


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        (without(1), "step 1: a retrieval begins with Asked"),
        (without(END), "step 16: a retrieval ends with Ranked, this one is cut short"),
        (NESTED[:6], "step 6: a retrieval ends with Ranked, this one is cut short"),
        (without(3), "step 7: it goes on behind its end"),
        ((*NESTED, NESTED[1]), "step 18: it goes on behind its end"),
        (changed(9, id="#1"), "step 9: '#1' is asked twice"),
        (changed(9, parents=("#3",)), "step 9: a parent is not known"),
        (changed(9, narrowed=(3, 5)), "step 9: more is left than there was"),
        (changed(3, weight_of_visits=-1.0), "step 3: weight_of_visits is negative"),
        (changed(3, top_k=0), "step 3: top_k is 0"),
        (changed(8, closes=("#2",)), "step 8: it closes a question never asked"),
        (changed(8, about="#3"), "step 8: it is about nothing known"),
        (changed(8, rests_on=("lies",)), "step 8: it is about nothing known"),
        (changed(2, things=()), "step 2: 'plan' joins what is not known"),
        (changed(10, at="#3"), "step 10: its place is not known"),
        (changed(10, things=(Thing("#1", "query", "?"),)), "step 10: '#1' is two things"),
        (changed(11, ties=(Tie("plan", "#2", "#1"),)), "step 11: 'plan' is two lines"),
        (changed(5, number=2), "step 5: hop is 2, it must be 1"),
        (changed(5, waiting=("owner",)), "step 5: the queue has a node that is not known"),
        (changed(6, at="#"), "step 6: its place is not in the round's queue"),
        (changed(6, arrivals=()), "step 6: arrivals are not what is taken"),
        (changed(4, arrivals=()), "step 4: arrivals are not what is taken"),
        (changed(6, arrivals=NESTED[3].arrivals), "step 6: arrivals are not what is taken"),
        (changed(10, offers=NESTED[9].offers * 2), "step 10: the same is on offer twice"),
        (changed(10, offers=(Offer("fact:born", NAN),)), "step 10: a score is not finite"),
        (
            changed(10, offers=(Offer("fact:born", 1.0, (Part("a", 0.5),)),)),
            "step 10: a score is 1.0, its parts make 0.5",
        ),
        (
            changed(6, arrivals=(replace(NESTED[5].arrivals[0], parts=(Part("a", NAN),)),)),
            "step 6: a part of a score is not finite",
        ),
        (changed(13, hits=NESTED[12].hits[::-1]), "step 13: it is not best first"),
        (changed(13, moved=NAN), "step 13: what has moved is not finite"),
        (changed(13, hits=(SAME, SAME)), "step 13: a node is ranked twice"),
        (changed(15, hits=(SAME, SAME)), "step 15: a node is ranked twice"),
        (changed(15, hits=(Hit("owner", 1.0, (Part("a", 2.0),)),)), "step 15: a score is 1.0"),
        (changed(7, hits=(*KEPT, *CUT), pruned=()), "step 7: it has 2 hits, top_k is 1"),
        (changed(14, hits=(Hit("entity:mara", 1.0),)), "step 14: it ranks a thing"),
        (changed(14, hits=(SAME,), pruned=(SAME,)), "step 14: a node is ranked twice"),
        (changed(17, hits=()), "step 17: all passages are pruned"),
    ],
)
def test_a_broken_contract_is_refused(steps, problem):
    with pytest.raises(ValueError, match=problem):
        check(steps)


@pytest.mark.parametrize(
    ("t", "question", "depth", "queue", "joined", "left"),
    [
        (0, None, 0, (), (), ()),
        (2, "#", 1, (), (), ()),
        (3, "#1", 2, (), (), ()),
        (4, "#1", 2, ("club",), ("club",), ()),
        (6, "#1", 2, ("owner",), ("owner",), ("club",)),
        (7, "#1", 2, ("owner",), (), ()),  # seen as it ended
        (8, "#", 1, (), (), ()),  # the outer one has no queue, and nobody left it
        (9, "#2", 2, (), (), ()),
        (14, "#2", 2, (), (), ()),
        (END, "#", 1, (), (), ()),
    ],
)
def test_who_waits_is_of_the_inner_bracket_only(t, question, depth, queue, joined, left):
    now = frame(NESTED, t)
    assert (now.asked.id if now.asked else None, now.depth) == (question, depth)
    assert (now.queue, now.joined, now.left) == (queue, joined, left)


def test_an_outer_queue_is_as_it_was_when_an_inner_bracket_has_ended():
    """A question inside of a round: nobody comes or goes in the outer queue."""
    outer = (*NESTED[2:5], replace(NESTED[0], id="#1.1"), Ranked(()), *NESTED[5:7])
    check(outer := (replace(outer[0], id=ROOT, parents=()), replace(outer[1], at=ROOT), *outer[2:]))
    assert [frame(outer, t).queue for t in (3, 4, 5, 6)] == [("club",), (), (), ("owner",)]
    assert frame(outer, 6).left == ("club",)
    assert frame(outer, 6).joined == ("owner",)


def test_what_is_drawn_outlives_the_inner_bracket():
    now = frame(NESTED, 8)
    assert (now.walked, now.refused) == ({"owned": 6}, {"plays": 6})
    assert now.roles == {"club": "seed", "owner": "visited", "stadium": "offered"}
    assert (now.counter, now.entries, now.standings) == ({}, (), ())
    inside = frame(NESTED, 7)
    assert (inside.counter, inside.entries) == ({"club": 1, "owner": 1}, ("club",))
    assert (inside.roles["club"], inside.roles["owner"]) == ("retrieved", "pruned")


def test_what_is_ranked_is_cut_at_the_top_k_of_its_bracket():
    assert ids(frame(NESTED, 6).standings) == [("club", True), ("owner", False)]
    # What is no passage holds a share, and no place in the ranking.
    assert ids(frame(NESTED, 13).standings) == [("owner", True), ("town", True)]
    assert ids(frame(NESTED, 15).standings) == [("owner", True), ("club", True), ("town", False)]
    assert frame(NESTED, 15).cutoff == 0.5
    assert frame(NESTED, 6).standings[0].hit.score == pytest.approx((0.5 + 0.6) / 4 + 1 / 2 / 2)
    assert (frame(NESTED, 7).hits, frame(NESTED, 7).pruned) == (KEPT, CUT)
    assert frame(NESTED, 7).ended
    assert not frame(NESTED, 8).ended


def test_questions_with_their_answers():
    def answers(t):
        return {name: one.answer for name, one in frame(NESTED, t).questions.items()}

    assert answers(7) == {"#": "", "#1": ""}
    assert answers(8) == {"#": "", "#1": "Mara Quist."}
    assert answers(END) == {"#": "Port Selby.", "#1": "Mara Quist.", "#2": ""}


def test_things_lines_and_what_was_said_come_when_they_are_spoken_of():
    assert list(frame(NESTED, 9).things) == ["#1", "#2"]
    assert frame(NESTED, END).things == THINGS
    assert list(frame(NESTED, 11).ties) == ["plan", "of", "in"]
    assert [said.by for said in frame(NESTED, 8).said] == ["LLM planner", "reader"]


def test_mass_is_that_of_the_last_iteration():
    assert frame(NESTED, 12).mass == {}
    held = {node: hit.score for node, hit in frame(NESTED, END).mass.items()}
    assert held == {"entity:mara": 0.5, "owner": 0.25, "town": 0.25}


def test_where_it_looks():
    places = {t: frame(NESTED, t).current for t in range(END + 1)}
    assert {t: at for t, at in places.items() if at} == {6: "club", 11: "fact:born"}


def test_stops():
    begun = {t for t, step in enumerate(NESTED, start=1) if isinstance(step, Began)}
    assert stops(NESTED, "event") == [t for t in range(1, END + 1) if t not in begun]
    assert stops(NESTED, "round") == [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17]
    assert stops(NESTED, "whole") == [1, 2, 7, 8, 14, 15, 16, 17]
    assert grains(NESTED) == ("whole", "event")


def test_a_round_with_a_retrieval_in_it_is_one_happening():
    steps = (NESTED[0], Began("turn", 1), *NESTED[2:7], NESTED[7], Began("turn", 2), NESTED[16])
    check(steps)
    assert stops(steps, "whole") == [1, 8, 9, 10]
    assert stops(steps, "round") == [1, 3, 4, 6, 7, 8, 9, 10]


def test_labels():
    found = [(label.text, label.round) for label in labels(NESTED)]
    assert found == [
        ("Question", ""),
        ("LLM planner", ""),
        ("#1 Question", ""),
        ("#1 Seeds", ""),
        ("#1 Hop 1", "#1 Hop 1"),
        ("#1 Hop 1 · 1", "#1 Hop 1"),
        ("#1 Result", ""),
        ("Reader", ""),
        ("#2 Question", ""),
        ("#2 Facts", ""),
        ("#2 Entities", ""),
        ("#2 Iteration 1", "#2 Iteration 1"),
        ("#2 Iteration 1 · 1", "#2 Iteration 1"),
        ("#2 Result", ""),
        ("Pooled", ""),
        ("Judge", ""),
        ("Result", ""),
    ]
    again = (*NESTED[:2], NESTED[1], NESTED[1], *NESTED[2:])
    assert [label.text for label in labels(again)][1:4] == [
        "LLM planner",
        "LLM planner (2)",
        "LLM planner (3)",
    ]


@pytest.mark.parametrize(
    ("t", "expected"),
    [
        (2, "LLM planner: 'First the owner, then her town.'"),
        (3, "#1 is asked of walker: 'Who owns Harbour Rovers?'."),
        (
            6,
            "#1, hop 1: at 'Harbour Rovers' the edge 'Who owns the club?' is taken (brings owner); "
            "'Mara Quist' joins the queue.",
        ),
        (
            7,
            "The end of #1: 1 kept of 2 visited passages, 1 pruned; 'Harbour Rovers' ranks first.",
        ),
        (8, "Reader: 'Mara Quist.' That answers 'Who owns Harbour Rovers?'."),
        (
            9,
            "#2 is asked of spreader: 'Where was she born?'. 3 of 5 passages are left to search.",
        ),
        (
            10,
            "1 of 4 facts is taken: 'Mara Quist, born in, Port Selby'. "
            "Fallback: No model filters them, so the nearest one is taken.",
        ),
        (11, "At 'Mara Quist, born in, Port Selby' 1 of 2 entities is taken: 'Mara Quist'."),
        (12, "#2, iteration 1 begins."),
        (
            13,
            "#2, iteration 1: probability spreads: 25.0% of it has moved. "
            "Most is at 'Mara Quist' 0.500, 'Mara Quist' 0.250.",
        ),
        (14, "The end of #2: 2 passages are found; 'Mara Quist' ranks first."),
        (15, "#1 and #2 become one list of 3 passages."),
        (
            16,
            "Judge: 'Port Selby.' That answers 'In which town was the owner of Harbour Rovers "
            "born?'. It stops here: the answer is known.",
        ),
        (END, "The end: 2 kept of 3 passages, 1 pruned; 'Mara Quist' ranks first."),
    ],
)
def test_sentences(t, expected):
    assert sentence(NESTED, t, NAMES.__getitem__) == expected


def test_sentences_of_the_empty_cases():
    def told(*steps: Step) -> str:
        return sentence((NESTED[0], *steps), 1 + len(steps), NAMES.__getitem__)

    assert told(Offered(ROOT, "entities", ())) == "No entity is on offer."
    nothing = Offered(ROOT, "facts", (Offer("club", 0.5),), considered=7)
    assert told(nothing) == "None of 7 facts is taken."
    assert told(Spread("probability", ())) == (
        "Probability spreads: it stands still. Most is at no node."
    )
    assert told(Pooled(("BM25",), (Hit("club", 1.0),))) == "BM25 is now a list of 1 passage."
    assert told(NESTED[1], Began("layer", 1, ("#1", "#2"))) == (
        "Layer 1 begins: 2 queries wait in the queue."
    )
    assert told(Said("judge", ROOT, "enough")) == "Judge: 'enough'."


def test_columns_stand_as_the_questions_do():
    found = columns(NESTED)
    assert found.of == {
        "#": 0,
        "#1": 1,
        "#2": 1,
        "club": 2,
        "owner": 3,
        "stadium": 3,
        "fact:born": 2,
        "fact:owns": 2,
        "entity:mara": 3,
        "entity:selby": 3,
        "town": 2,
    }
    assert (found.headings[0], found.headings[1]) == ("Question", "Sub-questions")


def test_drawn_lines_are_of_the_graph_brought_or_between_questions():
    found = [
        (line.id, line.source, line.target, line.offered, line.taken, line.of_graph)
        for line in drawn_lines(NESTED)
    ]
    assert found == [
        ("plan", "#1", "#2", 2, 9, False),
        ("#>#1", "#", "#1", 3, 3, False),
        ("owned", "club", "owner", 6, 6, True),
        ("plays", "club", "stadium", 6, None, True),
        ("#2>fact:born", "#2", "fact:born", 10, 10, False),
        ("of", "fact:born", "entity:mara", 11, 11, False),
        ("in", "fact:born", "entity:selby", 11, None, False),
        ("named", "entity:mara", "owner", 13, None, False),
    ]


def test_a_round_is_of_its_own_bracket():
    found = {t: whole.at for t in range(END + 1) if (whole := round_at(NESTED, t))}
    assert found == {5: (5,), 6: (5, 6), 12: (12,), 13: (12, 13)}


def test_why_a_thing_is_where_it_is():
    (one,) = occasions(NESTED, END, node="entity:selby")
    assert (one.t, one.round, one.place, one.offer.taken) == (11, None, 2, False)
    assert [each.t for each in occasions(NESTED, END, line="owned")] == [6]


def test_the_account_is_by_kind_of_list():
    found = account(NESTED)
    assert found.looked == (Looked("edges", 1, 2), Looked("facts", 1, 4), Looked("entities", 1, 2))
    assert (found.embed_seconds, found.seconds) == (0.5 + 0.25, 2.0)
    assert (found.calls, found.tokens, found.kept) == (1, 30, 0)
    assert found.model.turned_to == 1


def test_ids_of_passages_and_edges_leave_out_what_steps_bring():
    assert passage_ids(NESTED) == ("club", "owner", "stadium", "town")
    assert edge_ids(NESTED) == ("owned", "plays")


TRACE = Trace(
    query=NESTED[0].query,
    retriever="planner",
    index="five",
    graph_version="g1",
    steps=NESTED,
    passages={name: PASSAGES[name] for name in passage_ids(NESTED)},
    edges={name: EDGES[name] for name in edge_ids(NESTED)},
    gold=("town",),
    created="2026-01-01T00:00:00",
)


def test_the_file_gives_it_back():
    assert load(dump(TRACE)) == TRACE
    assert load(dump(TRACE).decode()) == TRACE


@pytest.mark.parametrize("kind", get_args(Step))
def test_every_kind_of_step_has_a_line_in_the_file_and_a_sentence(kind):
    t = next(t for t, step in enumerate(NESTED, start=1) if isinstance(step, kind))
    assert f'{{"{kind.__name__.lower()}":'.encode() in dump(TRACE)
    assert sentence(NESTED, t, NAMES.__getitem__)


@st.composite
def nestings(draw: st.DrawFn, id_: str = ROOT, depth: int = 0) -> list[Step]:
    """Brackets in brackets, with any steps between them."""
    parent = () if id_ == ROOT else (ROOT,)
    top_k = draw(st.integers(1, 3))
    steps: list[Step] = [Asked("r", draw(st.sampled_from("pq")), top_k, id=id_, parents=parent)]
    thing = Thing(f"entity:{id_}", "entity", id_)
    children = 0
    rounds = {"turn": 0, "hop": 0}
    hits = tuple(Hit(name, 1 / place) for place, name in enumerate("abc", start=1))
    for what in draw(st.lists(st.sampled_from("nbosvp"), max_size=5)):
        if what == "n" and depth < 2:
            children += 1
            inner = f"#{children}" if id_ == ROOT else f"{id_}.{children}"
            steps += draw(nestings(inner, depth + 1))
        elif what == "b":
            name = draw(st.sampled_from(sorted(rounds)))
            rounds[name] += 1
            steps.append(Began(name, rounds[name]))
        elif what == "o":
            offers = tuple(Offer(name, 0.5, taken=draw(st.booleans())) for name in "abc")
            steps.append(Offered(id_, "passages", offers))
        elif what == "s":
            steps.append(Spread("mass", (Hit(thing.id, 2.0), *hits), things=(thing,)))
        elif what == "v":
            steps.append(Said("voice", id_, draw(st.text(max_size=3)), closes=(id_,)))
        elif what == "p":
            steps.append(Pooled(("x", "y"), hits))
    kept = draw(st.integers(1, top_k))
    return [*steps, Ranked(hits[:kept], hits[kept:])]


@given(nestings())
def test_any_nesting_can_be_played(steps: Sequence[Step]):
    check(steps)
    names = [label.text for label in labels(steps)]
    assert len(set(names)) == len(names)
    opened = ended = 0
    for t in range(len(steps) + 1):
        now = frame(steps, t)
        assert now == frame(steps[:t], t)
        if t:
            opened += isinstance(steps[t - 1], Asked)
            assert now.depth == opened - ended  # a bracket is open at its own end
            ended += isinstance(steps[t - 1], Ranked)
        assert sentence(steps, t, str)
        assert sum(row.kept for row in now.standings) <= (now.asked.top_k if now.asked else 0)
        assert now.roles.keys() <= columns(steps).of.keys()
    assert {line.source for line in drawn_lines(steps)} <= columns(steps).of.keys()
    events, rounds, wholes = (set(stops(steps, one)) for one in ("event", "round", "whole"))
    assert wholes <= rounds <= events
    assert len(steps) in wholes


def test_frames_of_nested_retrievals_in_one_pass():
    assert list(frames(NESTED)) == [frame(NESTED, t) for t in range(END + 1)]
