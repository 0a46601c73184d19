"""The expected states are derived by hand from the walk in `worlds`."""

from dataclasses import replace

import pytest
from hypothesis import given

from core.playback import (
    arrival_hop,
    check,
    columns,
    drawn_edges,
    frame,
    labels,
    sentence,
    stops,
)
from core.ranking import rank
from core.steps import Asked, HopBegan, Judged, Ranked, Seeded
from tests.core.walks import walks
from tests.core.worlds import EDGES, HITS, ONE_SHOT, PARTS, PRUNED, QUERY, TITLES, WALK

END = len(WALK)


def ids(rows):
    return [row.hit.passage_id for row in rows]


def test_before_the_question_nothing_is_there():
    empty = frame(WALK, 0)
    assert (empty.step, empty.hop, empty.queue, empty.visits) == (None, 0, (), 0)
    assert (empty.helpfulness, empty.roles, empty.cutoff) == ((), {}, None)


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
    assert (now.hop, now.queue, now.joined, now.left) == (hop, queue, joined, left)


def test_a_vertex_met_mid_round_waits_behind_the_rest_of_the_round():
    steps = (
        WALK[0],
        Seeded("node", tuple(replace(WALK[1].seeds[0], passage_id=v) for v in ("club", "town"))),
        HopBegan(1, ("club", "town")),
        WALK[3],
    )
    assert frame(steps, 4).queue == ("town", "owner")


def test_counter_and_importance():
    now = frame(WALK, 9)
    assert now.counter == {"club": 1, "owner": 2, "town": 1, "singer": 1}
    assert now.visits == 5
    assert now.importance == {"club": 1 / 5, "owner": 2 / 5, "town": 1 / 5, "singer": 1 / 5}


def test_arrivals_say_new_or_again():
    assert [(visit.passage_id, visit.new) for visit in frame(WALK, 6).arrivals] == [
        ("town", True),
        ("singer", True),
    ]
    (again,) = frame(WALK, 9).arrivals
    assert (again.passage_id, again.new, again.count) == ("owner", False, 2)
    assert frame(WALK, 7).arrivals == ()


def test_helpfulness_as_if_pruned_now():
    now = frame(WALK, 6)
    shares = dict.fromkeys(("club", "owner", "town", "singer"), 1 / 4)
    scores = {v: sum(part.value for part in PARTS[v]) + shares[v] / 2 for v in shares}
    assert ids(now.helpfulness) == ["club", "owner", "town", "singer"]
    assert {row.hit.passage_id: row.hit.score for row in now.helpfulness} == pytest.approx(scores)
    assert [row.kept for row in now.helpfulness] == [True, True, True, False]
    assert [row.rank for row in now.helpfulness] == [1, 2, 3, 4]
    assert now.cutoff == pytest.approx(scores["town"])
    assert now.helpfulness[0].hit.parts[-1].name == "importance"
    assert (now.hits, now.pruned) == ((), ())


def test_no_cutoff_while_all_are_kept():
    assert frame(WALK, 4).cutoff is None


def test_the_end_shows_the_result_as_it_was_given():
    odd = Ranked((HITS[2], HITS[0]), (HITS[1],))
    now = frame((*WALK[:-1], odd), END)
    assert ids(now.helpfulness) == [hit.passage_id for hit in (*odd.hits, *odd.pruned)]
    assert [row.kept for row in now.helpfulness] == [True, True, False]
    assert (now.hits, now.pruned) == (odd.hits, odd.pruned)


def test_the_last_frame_of_the_walk_agrees_with_the_result():
    before, after = frame(WALK, END - 1), frame(WALK, END)
    assert before.helpfulness == after.helpfulness
    assert (after.hits, after.pruned) == (HITS, PRUNED)


def test_offers_and_edges():
    now = frame(WALK, 4)
    assert [offer.edge_id for offer in now.offers] == ["owned", "plays"]
    assert (now.chosen, now.walked, now.refused) == (("owned",), {"owned": 4}, {"plays": 4})
    assert frame(WALK, 5).offers == ()
    assert frame(WALK, END).walked == {"owned": 4, "born": 6, "married": 6}


def test_an_edge_refused_first_and_followed_later_is_walked():
    refused = replace(WALK[5], chosen=("married",), arrivals=WALK[5].arrivals[1:])
    offer = replace(WALK[5].offers[0], backwards=True)
    steps = (*WALK[:5], refused, HopBegan(3, ("singer",)))
    later = Judged(3, "singer", (offer,), ("born",), (WALK[5].arrivals[0],), "")
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
    assert end.seeds == ("club",)


def test_a_one_shot_method_has_nothing_until_its_result():
    asked, end = frame(ONE_SHOT, 1), frame(ONE_SHOT, 2)
    assert (asked.helpfulness, asked.roles, asked.queue) == ((), {}, ())
    assert ids(end.helpfulness) == ["club", "town"]
    assert [row.visits for row in end.helpfulness] == [0, 0]
    assert end.roles == {"club": "retrieved", "town": "retrieved"}
    assert columns(ONE_SHOT) == {"club": 0, "town": 0}


@pytest.mark.parametrize("t", [-1, END + 1])
def test_a_step_that_is_not_there(t):
    with pytest.raises(IndexError, match="there are 10 steps"):
        frame(WALK, t)


def test_stops():
    assert stops(WALK, "event") == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert stops(WALK, "hop") == [1, 2, 4, 6, 9, 10]
    assert stops(ONE_SHOT, "hop") == stops(ONE_SHOT, "event") == [1, 2]


def test_labels():
    assert labels(WALK) == [
        (1, 0, "Question"),
        (2, 0, "Seeds"),
        (3, 1, "Hop 1"),
        (4, 1, "1.1"),
        (5, 2, "Hop 2"),
        (6, 2, "2.1"),
        (7, 3, "Hop 3"),
        (8, 3, "3.1"),
        (9, 3, "3.2"),
        (10, 3, "Result"),
    ]


def test_layers():
    assert arrival_hop(WALK) == {"club": 0, "owner": 1, "town": 2, "singer": 2}
    assert columns(WALK) == {"club": 0, "owner": 1, "stadium": 1, "town": 2, "singer": 2}


def test_drawn_edges_keep_their_own_ends():
    drawn = {edge.edge_id: edge for edge in drawn_edges(WALK)}
    assert list(drawn) == ["owned", "plays", "born", "married"]
    assert {name: (edge.source, edge.target) for name, edge in drawn.items()} == {
        name: (EDGES[name].source, EDGES[name].target) for name in drawn
    }
    assert [(edge.offered, edge.chosen) for edge in drawn.values()] == [
        (4, 4),
        (4, None),
        (6, 6),
        (6, 6),
    ]
    backwards = (*WALK[:5], replace(WALK[5], offers=(), chosen=(), arrivals=()), *WALK[6:])
    married = drawn_edges(backwards)[-1]
    assert (married.source, married.target, married.backwards) == ("owner", "singer", True)


@pytest.mark.parametrize(
    ("t", "expected"),
    [
        (0, "Nothing has happened yet."),
        (1, f"The question is asked: '{QUERY}'. Its keywords: harbour rovers."),
        (
            2,
            "1 passage starts the queue, found as the passages most similar to the question.",
        ),
        (3, "Hop 1 begins: 1 passage waits in the queue."),
        (
            4,
            "Hop 1: at 'Harbour Rovers' the edge 'Who owns the club?' is taken; "
            "'Mara Quist' joins the queue.",
        ),
        (
            6,
            "Hop 2: at 'Mara Quist' the edge 'Where was she born?' is taken; "
            "'Port Selby' joins the queue; the edge 'Whom did she marry?' is taken; "
            "'Ilo Venn' joins the queue.",
        ),
        (7, "Hop 3 begins: 2 passages wait in the queue."),
        (8, "Hop 3: 'Port Selby' leaves the queue. no edge"),
        (
            9,
            "Hop 3: at 'Ilo Venn' the edge 'Whom did she marry?' is taken backwards; "
            "'Mara Quist' has now 2 visits.",
        ),
        (
            10,
            "The end: 3 kept of 4 visited passages, 1 pruned; 'Harbour Rovers' ranks first.",
        ),
    ],
)
def test_sentences(t, expected):
    assert sentence(WALK, t, TITLES.__getitem__) == expected


def test_sentences_of_the_empty_cases():
    refused = replace(WALK[3], chosen=(), arrivals=(), fallback="the model gave no answer.")
    assert sentence((*WALK[:3], refused), 4, TITLES.__getitem__) == (
        "Hop 1: at 'Harbour Rovers' none of 2 edges is taken. Fallback: the model gave no answer."
    )
    nothing = (Asked("bm25", "?", 2), Seeded("edge", ()), Ranked(()))
    assert sentence(nothing, 2, str) == "No passage was found to start from."
    assert sentence(nothing, 3, str) == "The end: no passage was found."
    assert sentence(ONE_SHOT, 2, TITLES.__getitem__) == (
        "2 passages are found; 'Harbour Rovers' ranks first."
    )


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ((), "step 1: a retrieval begins with Asked"),
        (WALK[1:], "step 1: a retrieval begins with Asked"),
        ((replace(WALK[0], top_k=0), *WALK[1:]), "top_k is 0"),
        (WALK[:-1], "step 9: a retrieval ends with Ranked"),
        ((*WALK, WALK[-1]), "step 11: Ranked cannot follow Ranked"),
        ((WALK[0], *WALK), "step 2: Asked cannot follow Asked"),
        ((WALK[0], *WALK[2:]), "step 2: HopBegan cannot follow Asked"),
        ((*WALK[:4], *WALK[3:]), "step 5: its vertex is not in the round's queue"),
        ((*WALK[:4], *WALK[6:]), "step 5: hop is 3, it must be 2"),
        ((*WALK[:2], HopBegan(1, ("town",)), *WALK[3:]), "a vertex never visited"),
        ((*WALK[:2], HopBegan(1, ("club", "club")), *WALK[3:]), "a vertex twice"),
        ((*WALK[:3], replace(WALK[3], chosen=("born",)), *WALK[4:]), "was not on offer"),
        ((*WALK[:3], replace(WALK[3], arrivals=()), *WALK[4:]), "not the ends of the chosen"),
        ((*WALK[:-1], Ranked((*HITS, *PRUNED))), "it has 4 hits, top_k is 3"),
        ((*WALK[:-1], Ranked(HITS, HITS)), "a passage is ranked twice"),
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
            reached |= {seed.passage_id for seed in getattr(steps[t - 1], "seeds", ())}
            reached |= {visit.passage_id for visit in getattr(steps[t - 1], "arrivals", ())}
        assert now.visits == sum(now.counter.values())
        assert sum(now.importance.values()) == pytest.approx(1 if now.visits else 0)
        assert set(now.counter) == reached
        assert all(now.counter[vertex] >= 1 for vertex in now.queue)
        assert sum(row.kept for row in now.helpfulness) == min(top_k, len(reached))
        assert set(ids(now.helpfulness)) == reached
        assert not now.walked.keys() & now.refused.keys()
        assert now.roles.keys() <= columns(steps).keys()


@given(walks())
def test_frames_equal_a_slow_reference(world):
    """Queue, counter and ranking straight from the definitions, without a fold."""
    steps, _, _ = world
    for t in range(len(steps) + 1):
        past = steps[:t]
        visits = [a for s in past for a in getattr(s, "seeds", ()) or getattr(s, "arrivals", ())]
        names = [visit.passage_id for visit in visits]
        taken = {step.vertex for step in past if isinstance(step, Judged)}
        last_hop = max((s.hop for s in past if isinstance(s, HopBegan)), default=0)
        now = frame(steps, t)
        assert now.counter == {name: names.count(name) for name in names}
        assert [v for v in now.queue if v not in taken] == list(now.queue)
        assert set(now.queue) == {
            name for name in names if name not in taken and arrival_hop(past)[name] >= last_hop - 1
        }
        if past and not isinstance(past[-1], Ranked):
            parts = {visit.passage_id: visit.parts for visit in visits}
            expected = rank(parts, now.counter, steps[0].importance_weight)
            assert [row.hit for row in now.helpfulness] == expected


@given(walks())
def test_a_frame_depends_on_nothing_behind_it(world):
    steps, _, _ = world
    for t in range(len(steps) + 1):
        assert frame(steps, t) == frame(steps[:t], t)


@given(walks())
def test_the_result_is_what_the_last_frame_foretold(world):
    steps, _, _ = world
    assert frame(steps, len(steps) - 1).helpfulness == frame(steps, len(steps)).helpfulness


@given(walks())
def test_every_drawn_edge_goes_from_one_column_to_another_that_is_drawn(world):
    steps, _, edges = world
    places = columns(steps)
    for drawn in drawn_edges(steps):
        edge = edges[drawn.edge_id]
        assert (drawn.source, drawn.target) == (edge.source, edge.target)
        assert {drawn.source, drawn.target} <= places.keys()
