"""The expected states are derived by hand from the walk in `worlds`."""

from dataclasses import replace

import pytest
from hypothesis import given

from core.playback import (
    Label,
    check,
    columns,
    drawn_lines,
    frame,
    frames,
    labels,
)
from core.playback.layers import reached_at
from core.ranking import rank
from core.steps import ROOT, Asked, Began, Offer, Offered, Ranked, Thing
from tests.core.walks import walks
from tests.core.worlds import (
    EDGES,
    HITS,
    ONE_SHOT,
    PARTS,
    PRUNED,
    QUERY,
    WALK,
    judged,
    offer,
    seeds,
)

END = len(WALK)


def ids(rows):
    return [row.hit.passage_id for row in rows]


def test_before_the_question_nothing_is_there():
    empty = frame(WALK, 0)
    assert (empty.step, empty.round, empty.queue, empty.visits) == (None, None, (), 0)
    assert (empty.ranking_rows, empty.roles, empty.cutoff) == ((), {}, None)
    assert (empty.asked, empty.depth) == (None, 0)


@pytest.mark.parametrize(
    ("t", "hop", "queue", "joined", "left"),
    [
        (2, 0, ("club",), ("club",), ()),
        (3, 1, ("club",), (), ()),
        (4, 1, ("owner",), ("owner",), ("club",)),
        (5, 2, ("owner",), (), ()),
        (6, 2, ("town", "singer"), ("town", "singer"), ("owner",)),
        (8, 3, ("singer",), (), ("town",)),
        (9, 3, (), (), ("singer",)),
        (10, 3, (), (), ()),
    ],
)
def test_the_queue(t, hop, queue, joined, left):
    now = frame(WALK, t)
    assert (now.round.number if now.round else 0) == hop
    assert (now.queue, now.joined, now.left) == (queue, joined, left)
    assert (now.asked, now.depth) == (WALK[0], 1)


def test_a_vertex_met_mid_round_waits_behind_the_rest_of_the_round():
    steps = (
        WALK[0],
        seeds("club", "town"),
        Began("hop", 1, ("club", "town")),
        WALK[3],
    )
    assert frame(steps, 4).queue == ("town", "owner")


def test_counter_and_importance():
    now = frame(WALK, 9)
    assert now.counter == {"club": 1, "owner": 2, "town": 1, "singer": 1}
    assert now.visits == 5
    assert now.importance == {"club": 1 / 5, "owner": 2 / 5, "town": 1 / 5, "singer": 1 / 5}


def test_arrivals_say_new_or_again():
    assert [(visit.id, visit.new) for visit in frame(WALK, 6).arrivals] == [
        ("town", True),
        ("singer", True),
    ]
    (again,) = frame(WALK, 9).arrivals
    assert (again.id, again.new, again.count) == ("owner", False, 2)
    assert frame(WALK, 7).arrivals == ()


def test_helpfulness_as_if_pruned_now():
    now = frame(WALK, 6)
    shares = dict.fromkeys(("club", "owner", "town", "singer"), 1 / 4)
    scores = {v: sum(part.value for part in PARTS[v]) + shares[v] / 2 for v in shares}
    assert ids(now.ranking_rows) == ["club", "owner", "town", "singer"]
    assert {row.hit.passage_id: row.hit.score for row in now.ranking_rows} == pytest.approx(scores)
    assert [row.kept for row in now.ranking_rows] == [True, True, True, False]
    assert [row.rank for row in now.ranking_rows] == [1, 2, 3, 4]
    assert now.cutoff == pytest.approx(scores["town"])
    assert now.ranking_rows[0].hit.parts[-1].name == "importance"
    assert (now.hits, now.pruned) == ((), ())


def test_no_cutoff_while_all_are_kept():
    assert frame(WALK, 4).cutoff is None


def test_the_end_shows_the_result_as_it_was_given():
    odd = Ranked((HITS[2], HITS[0]), (HITS[1],))
    now = frame((*WALK[:-1], odd), END)
    assert ids(now.ranking_rows) == [hit.passage_id for hit in (*odd.hits, *odd.pruned)]
    assert [row.kept for row in now.ranking_rows] == [True, True, False]
    assert (now.hits, now.pruned) == (odd.hits, odd.pruned)


def test_the_last_frame_of_the_walk_agrees_with_the_result():
    before, after = frame(WALK, END - 1), frame(WALK, END)
    assert before.ranking_rows == after.ranking_rows
    assert (after.hits, after.pruned) == (HITS, PRUNED)


def test_offers_and_edges():
    now = frame(WALK, 4)
    assert [(one.tie, one.taken) for one in now.offers] == [("owned", True), ("plays", False)]
    assert (now.walked, now.refused) == ({"owned": 4}, {"plays": 4})
    assert frame(WALK, 5).offers == ()
    assert frame(WALK, END).walked == {"owned": 4, "born": 6, "married": 6}


def test_an_edge_refused_first_and_followed_later_is_walked():
    refused = judged("owner", offer("born", 0.7), offer("married", 0.2, taken=True))
    born = replace(offer("born", 0.7, taken=True), backwards=True)
    steps = (*WALK[:5], refused, Began("hop", 3, ("singer",)))
    later = judged("singer", born)
    assert frame(steps, 6).refused == {"plays": 4, "born": 6}
    now = frame((*steps, later), 8)
    assert (now.refused, now.walked["born"]) == ({"plays": 4}, 8)


def test_roles():
    assert frame(WALK, 4).roles == {
        "club": "current",
        "owner": "visited",
        "stadium": "offered",
    }
    assert frame(WALK, 5).roles["club"] == "seed"
    end = frame(WALK, END)
    assert end.roles == {
        "stadium": "offered",
        "club": "retrieved",
        "owner": "retrieved",
        "town": "retrieved",
        "singer": "pruned",
    }
    assert end.entries == ("club",)


def test_a_one_shot_method_has_nothing_until_its_result():
    asked, end = frame(ONE_SHOT, 1), frame(ONE_SHOT, 2)
    assert (asked.ranking_rows, asked.roles, asked.queue) == ((), {}, ())
    assert ids(end.ranking_rows) == ["club", "town"]
    assert [row.visits for row in end.ranking_rows] == [0, 0]
    assert end.roles == {"club": "retrieved", "town": "retrieved"}
    found = columns(ONE_SHOT)
    assert (found.of, found.headings) == ({"club": 0, "town": 0}, {0: "Result"})


@pytest.mark.parametrize("t", [-1, END + 1])
def test_a_step_that_is_not_there(t):
    with pytest.raises(IndexError, match="there are 10 steps"):
        frame(WALK, t)


def test_labels():
    assert labels(WALK) == [
        Label(1, "Question", ""),
        Label(2, "Seeds", ""),
        Label(3, "Hop 1", "Hop 1"),
        Label(4, "Hop 1 · 1", "Hop 1"),
        Label(5, "Hop 2", "Hop 2"),
        Label(6, "Hop 2 · 1", "Hop 2"),
        Label(7, "Hop 3", "Hop 3"),
        Label(8, "Hop 3 · 1", "Hop 3"),
        Label(9, "Hop 3 · 2", "Hop 3"),
        Label(10, "Result", ""),
    ]


def test_layers():
    assert reached_at(WALK) == {"club": 2, "owner": 4, "town": 6, "singer": 6}
    found = columns(WALK)
    assert found.of == {"club": 0, "owner": 1, "stadium": 1, "town": 2, "singer": 2}
    assert found.headings == {0: "Seeds", 1: "Hop 1", 2: "Hop 2"}


def test_drawn_lines_keep_their_own_ends():
    drawn = {line.id: line for line in drawn_lines(WALK)}
    assert list(drawn) == ["owned", "plays", "born", "married"]
    assert {name: (line.source, line.target) for name, line in drawn.items()} == {
        name: (EDGES[name].source, EDGES[name].target) for name in drawn
    }
    assert [(line.offered, line.taken) for line in drawn.values()] == [
        (4, 4),
        (4, None),
        (6, 6),
        (6, 6),
    ]
    assert all(line.of_graph for line in drawn.values())
    backwards = (*WALK[:5], judged("owner"), *WALK[6:])
    married = drawn_lines(backwards)[-1]
    assert (married.source, married.target, married.backwards) == ("owner", "singer", True)


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ((), "step 1: a retrieval must begin with Asked"),
        (WALK[1:], "step 1: a retrieval must begin with Asked"),
        ((replace(WALK[0], top_k=0), *WALK[1:]), "top_k is 0"),
        (WALK[:-1], "step 9: a retrieval must end with Ranked"),
        ((*WALK, WALK[-1]), "step 11: it comes after the last Ranked"),
        ((WALK[0], *WALK), "step 2: '#' is asked twice"),
        ((WALK[0], *WALK[2:]), "step 2: the queue contains an unknown node"),
        ((*WALK[:4], *WALK[3:]), "step 5: its node is not in the queue of the round"),
        ((*WALK[:4], *WALK[6:]), "step 5: hop is 3; it must be 2"),
        ((*WALK[:2], Began("hop", 1, ("town",)), *WALK[3:]), "an unknown node"),
        ((*WALK[:2], Began("hop", 1, ("club", "club")), *WALK[3:]), "a node twice"),
        ((*WALK[:4], Began("hop", 2, ("stadium",)), *WALK[5:]), "a node that was never visited"),
        (
            (*WALK[:3], replace(WALK[3], arrivals=()), *WALK[4:]),
            "step 4: arrivals differ from the offers taken",
        ),
        (
            (*WALK[:3], replace(WALK[3], arrivals=WALK[5].arrivals), *WALK[4:]),
            "arrivals differ from",
        ),
        ((*WALK[:-1], Ranked((*HITS, *PRUNED))), "it has 4 hits, but top_k is 3"),
        ((*WALK[:-1], Ranked(HITS, HITS)), "a node is ranked twice"),
        ((*WALK[:-1], Ranked((), PRUNED)), "all passages are pruned"),
    ],
)
def test_a_broken_contract_is_refused(steps, problem):
    with pytest.raises(ValueError, match=problem.replace("(", r"\(")):
        check(steps)


@given(walks())
def test_a_walk_keeps_its_invariants_at_every_step(world):
    steps, _, _ = world
    check(steps)
    top_k = steps[0].top_k
    reached = set()
    for t in range(len(steps) + 1):
        now = frame(steps, t)
        if t:
            reached |= {visit.id for visit in getattr(steps[t - 1], "arrivals", ())}
        assert now.visits == sum(now.counter.values())
        assert sum(now.importance.values()) == pytest.approx(1 if now.visits else 0)
        assert set(now.counter) == reached
        assert all(now.counter[vertex] >= 1 for vertex in now.queue)
        assert sum(row.kept for row in now.ranking_rows) == min(top_k, len(reached))
        assert set(ids(now.ranking_rows)) == reached
        assert not now.walked.keys() & now.refused.keys()
        assert now.roles.keys() <= columns(steps).of.keys()


@given(walks())
def test_frames_equal_a_slow_reference(world):
    """Queue, counter and ranking straight from the definitions, without a fold."""
    steps, _, _ = world
    for t in range(len(steps) + 1):
        past = steps[:t]
        visits = [a for step in past for a in getattr(step, "arrivals", ())]
        names = [visit.id for visit in visits]
        taken = {step.at for step in past if isinstance(step, Offered)}
        began = [number for number, s in enumerate(past, start=1) if isinstance(s, Began)]
        last = began[-2] if len(began) > 1 else 0  # who was reached before it has been taken
        now = frame(steps, t)
        assert now.counter == {name: names.count(name) for name in names}
        assert [v for v in now.queue if v not in taken] == list(now.queue)
        assert set(now.queue) == {
            name for name in names if name not in taken and reached_at(past)[name] >= last
        }
        if past and not isinstance(past[-1], Ranked):
            parts = {visit.id: visit.parts for visit in visits}
            expected = rank(parts, now.counter, steps[0].weight_of_visits)
            assert [row.hit for row in now.ranking_rows] == expected


@given(walks())
def test_a_frame_depends_on_nothing_behind_it(world):
    steps, _, _ = world
    for t in range(len(steps) + 1):
        assert frame(steps, t) == frame(steps[:t], t)


@given(walks())
def test_the_result_is_what_the_last_frame_foretold(world):
    steps, _, _ = world
    assert frame(steps, len(steps) - 1).ranking_rows == frame(steps, len(steps)).ranking_rows


@given(walks())
def test_every_drawn_line_goes_from_one_column_to_another_that_is_drawn(world):
    steps, _, edges = world
    places = columns(steps).of
    for drawn in drawn_lines(steps):
        edge = edges[drawn.id]
        assert (drawn.source, drawn.target) == (edge.source, edge.target)
        assert {drawn.source, drawn.target} <= places.keys()


@given(walks())
def test_all_frames_in_one_pass_are_each_frame_by_itself(walk):
    steps, _, _ = walk
    assert list(frames(steps)) == [frame(steps, t) for t in range(len(steps) + 1)]


def test_where_lists_are_merged_what_has_no_room_is_left_out_again():
    def listed(of, room, **taken):
        things = tuple(Thing(name, "entity", name) for name in taken)
        offers = tuple(Offer(name, 1.0, taken=is_taken) for name, is_taken in taken.items())
        return Offered(ROOT, of, offers, room=room, things=things)

    first = listed("entities", 0, one=True, two=True, three=True)
    fact = Offered(
        ROOT,
        "facts",
        (Offer("said", 1.0, taken=True),),
        things=(Thing("said", "fact", "It is said."),),
    )
    merged = listed("merged entities", 100, one=True, two=False)
    steps = (Asked("any", QUERY, 3), first, fact, merged)
    assert set(frame(steps, 3).roles.values()) == {"visited"}
    roles = frame(steps, 4).roles
    assert roles == {"one": "visited", "two": "offered", "three": "offered", "said": "visited"}
