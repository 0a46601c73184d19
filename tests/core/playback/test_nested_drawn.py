"""The expected states are derived by hand from the nested retrieval in `examples`."""

from core.playback import (
    columns,
    drawn_lines,
)
from core.retrievers.step_ids import edge_ids, passage_ids
from core.steps import Asked, Offer, Offered, Ranked, Said, Spread, Thing
from core.types import Hit
from tests.core.examples import NESTED


def test_columns_stand_as_the_questions_do():
    found = columns([step for step in NESTED if not isinstance(step, Spread)])
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


def test_what_spreads_stands_in_columns_of_its_kinds():
    found = columns(NESTED)
    assert [{name for name in found.of if found.of[name] == at} for at in range(4)] == [
        {"#", "#1", "#2"},
        {"fact:born", "fact:owns"},
        {"entity:mara", "entity:selby"},
        {"club", "owner", "stadium", "town"},
    ]
    assert found.headings == {0: "Questions", 1: "Facts", 2: "Entities", 3: "Passages"}


def test_drawn_lines_are_of_the_graph_brought_or_between_questions():
    found = [
        (line.id, line.source, line.target, line.offered, line.taken, line.of_graph)
        for line in drawn_lines(NESTED)
    ]
    assert found == [
        ("plan", "#1", "#2", 2, None, False),
        ("#>#1", "#", "#1", 3, 3, False),
        ("owned", "club", "owner", 6, 6, True),
        ("plays", "club", "stadium", 6, None, True),
        ("#2>fact:born", "#2", "fact:born", 10, 10, False),
        ("of", "fact:born", "entity:mara", 11, 11, False),
        ("in", "fact:born", "entity:selby", 11, None, False),
        ("named", "entity:mara", "owner", 13, None, False),
    ]


def test_what_is_taken_at_a_thing_is_joined_to_it_and_what_is_refused_there_is_not():
    named = Said("reasoner", "#", "Ada", things=(Thing("name:ada", "entity", "Ada"),))
    listed = Offered("name:ada", "passages", (Offer("club", 1.0, taken=True), Offer("town", 0.5)))
    (line,) = drawn_lines((Asked("any", "Who?", 2), named, listed, Ranked((Hit("club", 1.0),))))
    assert (line.source, line.target, line.taken) == ("name:ada", "club", 3)


def test_a_sentence_that_is_searched_with_comes_from_its_passage():
    asked = Asked("bm25", "Who?", 2, id="#1", parents=("#",))
    said = Said("rules", "#1", "Ada owns it.", rests_on=("club",))
    for query, source in (("Ada owns it.", "club"), ("Who is Ada?", "#1")):
        then = Asked("bm25", query, 2, id="#2", parents=("#1",))
        found = Ranked((Hit("club", 1.0),))
        steps = (Asked("any", "?", 2), asked, found, said, then, found, found)
        assert [line.source for line in drawn_lines(steps) if line.target == "#2"] == [source]


def test_each_search_is_joined_to_all_that_it_lists():
    lists = ("club", "town"), ("owner", "club"), ("town",)
    searches = (
        step
        for n, names in enumerate(lists, start=1)
        for step in (
            Asked("bm25", f"Who {n}?", 2, id=f"#{n}", parents=("#",)),
            Ranked(tuple(Hit(name, 1 / rank) for rank, name in enumerate(names, start=1))),
        )
    )
    steps = (Asked("any", "Who?", 2), *searches, Ranked((Hit("club", 1.0),)))
    found = [(line.source, line.target) for line in drawn_lines(steps)]
    assert [one for one in found if one[0] != "#"] == [
        ("#1", "club"),
        ("#1", "town"),
        ("#2", "owner"),
        ("#2", "club"),
        ("#3", "town"),
    ]


def test_ids_of_passages_and_edges_leave_out_what_steps_bring():
    assert passage_ids(NESTED) == ("club", "owner", "stadium", "town")
    assert edge_ids(NESTED) == ("owned", "plays")
