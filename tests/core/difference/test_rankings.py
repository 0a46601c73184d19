"""The difference of retrievals that only rank, and of one of them beside a walk."""

from collections.abc import Sequence
from dataclasses import replace

from core.difference import make_difference
from core.difference.columns import IN_NEITHER
from core.difference.contract import RoundData
from core.difference.rounds import in_turn
from core.steps import Asked, Offer, Offered, Ranked, Said, Step
from core.traces import Trace
from core.types import Hit, Passage
from tests.core.difference.five_passages import (
    SHORTER,
    columns_of,
    focus_of,
    lines,
    ranking,
    trace,
    whose,
)
from tests.core.trace_analysis.wide import trace as wide_trace
from tests.core.worlds import (
    ONE_SHOT,
    QUERY,
    WALK,
)


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


def test_a_passage_on_the_walk_to_gold_keeps_its_column_if_only_the_ranking_retrieves_it():
    kept = tuple(Hit(name, score) for name, score in (("club", 0.9), ("town", 0.5)))
    walk = trace((*WALK[:-1], Ranked(kept, (), "memory")), ("town",))
    found = make_difference(walk, ranking("club", "owner"))
    assert whose(found)["owner"] == "b"
    assert columns_of(found)["Hop 1 of A"] == ["owner"]
    assert {"owned", "born"} <= {edge["id"] for edge in found["edges"] if edge["leads"]}


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
