"""The expected states are derived by hand from the nested retrieval in `examples`."""

from dataclasses import replace

import pytest

from core.playback import (
    check,
    frame,
)
from core.steps import (
    ROOT,
    Ranked,
)
from tests.core.examples import CUT, KEPT, NESTED, THINGS

END = len(NESTED)


def ids(rows):
    return [(row.hit.passage_id, row.kept) for row in rows]


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
    assert (now.counter, now.entries, now.ranking_rows) == ({}, (), ())
    inside = frame(NESTED, 7)
    assert (inside.counter, inside.entries) == ({"club": 1, "owner": 1}, ("club",))
    # Only the end of the whole says what is retrieved.
    assert (inside.roles["club"], inside.roles["owner"]) == ("seed", "visited")


def test_what_is_ranked_is_cut_at_the_top_k_of_its_bracket():
    assert ids(frame(NESTED, 6).ranking_rows) == [("club", True), ("owner", False)]
    # What is no passage holds a share, and no place in the ranking.
    assert ids(frame(NESTED, 13).ranking_rows) == [("owner", True), ("town", True)]
    assert ids(frame(NESTED, 15).ranking_rows) == [("owner", True), ("club", True), ("town", False)]
    assert frame(NESTED, 15).cutoff == 0.5
    assert frame(NESTED, 6).ranking_rows[0].hit.score == pytest.approx((0.5 + 0.6) / 4 + 1 / 2 / 2)
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
