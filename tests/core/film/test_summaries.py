"""A film of passages that are listed together with what stands for them."""

import pytest

from core.film import make_film
from core.steps import ROOT, Asked, Offer, Offered, Pooled, Ranked, Thing, Tie
from core.types import Hit, Passage
from tests.core.film.decoding import by_id, unpacked
from tests.core.film.wide import trace
from tests.core.worlds import PASSAGES, QUERY

SUMMARY, ENTITY = Thing("cluster:0", "cluster", "Sport"), Thing("entity:quist", "entity", "Quist")


def stands_for(thing, passage):
    return Tie(f"{thing.id}>{passage}", thing.id, passage, "stands for")


LISTED = Offered(
    ROOT,
    "texts",
    (
        Offer("club", 0.9, taken=True),
        Offer(SUMMARY.id, 0.8, taken=True),
        Offer(ENTITY.id, 0.7, taken=True),
        Offer("singer", 0.2),
    ),
    considered=9,
    things=(ENTITY, SUMMARY),
    ties=(stands_for(SUMMARY, "club"), stands_for(ENTITY, "singer")),
)
POOLED = Pooled(
    ("1 passage taken", "2 passages that 1 summary and 1 entity stand for"),
    (Hit("club", 1.0), Hit("stadium", 0.5)),
    ties=(stands_for(SUMMARY, "club"), stands_for(SUMMARY, "stadium")),
)
STEPS = (Asked("raptor", QUERY, 2), LISTED, POOLED, Ranked(POOLED.hits))


@pytest.fixture
def film():
    return make_film(trace(STEPS, PASSAGES))


def test_each_kind_has_a_column_and_what_stands_for_most_comes_first(film):
    view = film["views"]["focus"]
    assert [band["label"] for band in view["bands"]] == ["Summaries", "Entities", "Passages"]
    places = by_id(film, {**view["places"], **view["guests"]})
    columns = {name: x for name, (x, _) in places.items()}
    assert columns[SUMMARY.id] < columns[ENTITY.id] < columns["club"] == columns["stadium"]


def test_a_line_leads_from_a_summary_to_each_of_its_passages_and_says_what_it_does(film):
    _, listed, pooled, _ = unpacked(film, "event")
    assert set(by_id(film, listed["lines"], "lines")) == {tie.id for tie in LISTED.ties}
    assert f"{SUMMARY.id}>stadium" in by_id(film, pooled["lines"], "lines")
    assert {"of": "line", "name": "plain", "label": "Stands for"} in film["legend"]


def test_what_is_found_by_a_summary_alone_brings_the_summary_along(film):
    _, listed, pooled, _ = unpacked(film, "event")
    assert "stadium" not in by_id(film, listed["nodes"])
    assert by_id(film, pooled["nodes"])["stadium"] == "visited"


def test_passages_and_what_stands_for_them_are_counted_apart(film):
    _, listed, pooled, _ = unpacked(film, "event")
    assert listed["caption"] == (
        "3 of 9 texts are taken, 1 passage, 1 entity and 1 summary: "
        "'Harbour Rovers', summary 'Sport' and entity 'Quist'."
    )
    assert pooled["caption"] == (
        "2 lists are merged (1 passage taken and 2 passages that 1 summary and 1 entity stand for):"
        " the best 2 passages are ranked."
    )


def test_a_merged_list_says_what_its_scores_are_made_of(five):
    """A passage has another score there than where it was on offer: a summary's share is added."""
    index, found = five
    boards = [now["board"] for now in unpacked(make_film(found["raptor"], index=index), "event")]
    merged = [board for board in boards if board and board["title"] == "Merged"]
    assert merged
    assert all(board["note"].endswith("; score: passage + summary") for board in merged)


def test_each_of_the_first_summaries_is_drawn_with_a_passage_that_it_stands_for():
    """One stands for all that ranks best, the other for a passage far down."""
    passages = {f"p{n}": Passage(f"p{n}", f"p{n}", 0, f"Passage {n}", "text") for n in range(40)}
    other = Thing("cluster:1", "cluster", "Far")
    ties = [stands_for(SUMMARY, f"p{n}") for n in range(35)] + [stands_for(other, "p36")]
    offers = tuple(Offer(name, 0.9, taken=True) for name in (*passages, SUMMARY.id, other.id))
    listed = Offered(ROOT, "texts", offers, things=(SUMMARY, other), ties=tuple(ties))
    hits = tuple(Hit(name, 1 / (n + 1)) for n, name in enumerate(passages))
    steps = (Asked("raptor", QUERY, 40), listed, Ranked(hits))
    film = make_film(trace(steps, passages))
    for view in ("focus", "stage"):
        places = film["views"][view]["places"] | film["views"][view]["guests"]
        drawn = {film["nodes"][int(number)]["id"] for number in places}
        assert SUMMARY.id in drawn
        assert len(drawn) < 40
        assert other.id not in drawn or "p36" in drawn
        assert "p36" in drawn
