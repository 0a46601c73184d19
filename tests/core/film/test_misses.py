"""Gold that was missed: why, how far it is, and the way to it."""

from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.film import make_film
from core.film.misses import Gold, Misses
from core.film.plot import heading_of
from core.film.ways import Ways
from core.funnel.data import Fate
from core.steps import Asked, Offered, Ranked, Said, Told
from core.traces import Trace
from core.types import Hit, Passage
from tests.core.film.decoding import by_id, unpacked
from tests.core.worlds import EDGES, PASSAGES, QUERY, WALK, judged, offer, seeds

NAMES = (*PASSAGES, "alone")
ALL = {**PASSAGES, "alone": Passage("alone", "alone", 0, "Alone", "No edge.")}


@dataclass
class FiveGraph:
    """The graph of the hand-made world."""

    listed: list = field(default_factory=lambda: list(EDGES.values()))

    @property
    def adjacency(self):
        ends = [[NAMES.index(getattr(e, end)) for e in self.listed] for end in ("source", "target")]
        return SimpleNamespace(source=np.array(ends[0]), target=np.array(ends[1]))

    def edges(self, numbers):
        return [self.listed[number] for number in numbers]

    def questions(self, query_ids):
        return []

    def spoken(self, query):
        return query.text


INDEX = SimpleNamespace(
    passages=tuple(ALL.values()),
    ids=tuple(NAMES),
    number={name: number for number, name in enumerate(NAMES)},
    document_passages={name: (name,) for name in NAMES},
    graph=FiveGraph(),
    shown=lambda names: {name: ALL[name].title for name in names},
    question=lambda text: None,
)
SHORT = (WALK[0], seeds("club"), Ranked((Hit("club", 0.5),)))
"""A walk that ends where it starts."""


def film(steps, gold, index=INDEX, retriever="hoprag-coverage"):
    named = {name: PASSAGES[name] for name in PASSAGES}
    marks = dict.fromkeys(gold, "given")
    return make_film(
        Trace(QUERY, retriever, "five", "g", steps, named, EDGES, (), "2026-01-01"), marks, index
    )


def missing(made):
    return {gold["name"]: gold["missing"] for gold in made["gold"]}


def test_what_was_never_named_is_told_with_its_way():
    made = film(SHORT, ["town", "owner"])
    assert missing(made) == {
        "Port Selby": "Never offered: 2 edges from 'Harbour Rovers', a seed.",
        "Mara Quist": "Never offered: 1 edge from 'Harbour Rovers', a seed.",
    }


def test_the_way_is_drawn_with_real_edges_at_the_end_only():
    made = film(SHORT, ["singer"])
    *before, last = unpacked(made, "event")
    ghosts = by_id(made, last["nodes"])
    assert ghosts == {"club": "retrieved", "owner": "ghost", "singer": "ghost"}
    assert by_id(made, last["lines"], "lines") == {"owned": "ghost", "married": "ghost"}
    assert not any("ghost" in {*now["nodes"].values(), *now["lines"].values()} for now in before)
    for line in made["lines"]:
        edge = EDGES[line["id"]]
        ends = (made["nodes"][line["source"]]["id"], made["nodes"][line["target"]]["id"])
        assert ends == (edge.source, edge.target)
    assert {"owner", "singer"} <= {
        made["nodes"][int(n)]["id"] for n in made["views"]["focus"]["places"]
    }
    assert last["gold"] == {str(made["gold"][0]["node"]): "lost: never offered"}


def test_a_way_goes_as_the_walk_may():
    asked = replace(WALK[0], retriever="hoprag-coverage")
    steps = (asked, seeds("town"), Ranked((Hit("town", 0.5),)))
    assert missing(film(steps, ["owner"])) == {
        "Mara Quist": "Never offered: 1 edge from 'Port Selby', a seed, against its direction."
    }
    steps = (WALK[0], *steps[1:])
    against = "Out of reach: no path from any seed: its edge to 'Port Selby' leads away from it."
    assert missing(film(steps, ["owner"], retriever="hoprag-similarity")) == {"Mara Quist": against}


def test_what_was_never_seen_stands_right_of_all_rounds():
    looked = judged("club", offer("plays", 0.3))
    ends = film((*SHORT[:2], WALK[2], looked, SHORT[2]), ["singer"])
    inside = {
        ends["nodes"][int(number)]["id"]: band["label"]
        for band in ends["views"]["focus"]["bands"]
        for number, (x, _) in ends["views"]["focus"]["places"].items()
        if band["left"] <= x < band["right"]
    }
    assert inside["owner"] == inside["singer"] == "Never offered"
    assert inside["stadium"] == "Hop 1"


def test_what_nothing_leads_to_stands_by_itself():
    made = film(SHORT, ["alone"])
    assert missing(made) == {"Alone": "Out of reach: no path from any seed."}
    assert by_id(made, unpacked(made, "event")[-1]["nodes"])["alone"] == "ghost"
    assert [b["label"] for b in made["views"]["focus"]["bands"]] == ["Seeds", "Out of reach"]


def since(made):
    """By heading from when each column is told, where that is not from the beginning."""
    bands = [band for view in made["views"].values() for band in view["bands"]]
    return {band["label"]: band["since"] for band in bands if "since" in band}


def test_that_gold_was_never_seen_is_no_heading_before_the_end():
    looked = judged("club", offer("plays", 0.3))
    steps = (*SHORT[:2], WALK[2], looked, SHORT[2])
    assert since(film(steps, ["singer"])) == {"Never offered": len(steps)}
    kept = film(SHORT, ["club"])
    assert not any("since" in band for view in kept["views"].values() for band in view["bands"])


def test_what_no_edge_leads_to_is_told_at_the_seeds():
    steps = (*SHORT[:2], WALK[2], judged("club", offer("plays", 0.3)), SHORT[2])
    made = film(steps, ["alone"])
    assert since(made) == {"Out of reach": 2}
    frames = unpacked(made, "event")
    ghost = [by_id(made, now["nodes"]).get("alone") for now in frames]
    assert ghost == [None, *["ghost"] * (len(frames) - 1)]
    (number,) = frames[0]["gold"]
    told = [now["gold"][number] for now in frames]
    assert told == ["not found yet", *["out of reach"] * (len(frames) - 2), "lost: out of reach"]
    seeds_said = frames[1]["caption"]
    assert seeds_said.endswith("No edges lead from them to gold 'Alone'.")
    assert sum("No edges lead" in now["caption"] for now in frames) == 1


def test_the_index_is_not_blamed_on_the_walk():
    made = film(SHORT, ["nobody"])
    assert missing(made) == {"nobody": "not in the index"}
    assert made["gold"][0]["node"] is None
    assert missing(film(SHORT, ["town"], index=None)) == {
        "town": "not found; open the index to learn more"
    }


def test_nothing_found_has_no_ways():
    steps = (Asked("any", QUERY, 2), Ranked(()))
    assert missing(film(steps, ["town"])) == {"Port Selby": "Nothing was retrieved."}


def test_what_was_seen_is_told_by_where_it_was_lost():
    made = film(WALK, ["stadium", "owner"])
    assert missing(made)["Lantern Ground"] == (
        "On offer, not taken: in hop 1 at 'Harbour Rovers', 0.300 against 0.800 for 'Mara "
        "Quist', which was taken. The edge asks 'Where does the club play?'."
    )
    assert missing(made)["Mara Quist"] == ""
    cut = (*SHORT[:2], judged("club", offer("owned", 0.5, taken=True)),
           Ranked((Hit("club", 0.5),), (Hit("owner", 0.1),)))  # fmt: skip
    assert missing(film(cut, ["owner"])) == {
        "Mara Quist": "Below the top 1: rank 2, score 0.100 against 0.500 "
        "for the last one retrieved."
    }


def test_lost_gold_is_told_with_what_the_nearest_place_said():
    looked = replace(judged("club", offer("plays", 0.1)), told=Told(reason="It fell behind."))
    made = film((*SHORT[:2], looked, SHORT[2]), ["town"])
    [gold] = made["gold"]
    assert gold["told_at"] == 3
    assert gold["told"].endswith("It fell behind.")
    assert "2 edges from 'Harbour Rovers'" in gold["missing"]
    *_, last = unpacked(made, "event")
    assert last["board"]["rows"][0]["text"].endswith("It fell behind.")


def test_who_left_the_queue_with_the_edge_to_lost_gold_is_named():
    looked = judged("club", reason="No longer in the top 1, so its edges are not examined.")
    made = film((*SHORT[:2], WALK[2], looked, SHORT[2]), ["owner"])
    now = next(one for one in unpacked(made, "event") if one["t"] == 4)
    assert now["caption"].endswith(
        "so its edges are not examined. 'Harbour Rovers' has the edge to gold 'Mara Quist'."
    )
    others = [one["caption"] for one in unpacked(made, "event") if one["t"] != 4]
    assert not any("has the edge" in told for told in others)


def beside(*offers, reason):
    """A walk past the stadium, which alone leads to the town."""
    ways = [edge for edge in EDGES.values() if edge.id != "born"]
    index = SimpleNamespace(**{**vars(INDEX), "graph": FiveGraph(ways)})
    looked = judged("club", *offers, reason=reason)
    return film((*SHORT[:2], looked, SHORT[2]), ["town"], index)


def test_the_edge_on_the_way_to_lost_gold_is_told_with_the_one_that_was_taken():
    said = "It is the most similar of 2 edges."
    made = beside(offer("owned", 0.8, taken=True), offer("plays", 0.1), reason=said)
    [gold] = made["gold"]
    assert gold["told"].endswith(
        ": at 'Harbour Rovers' the edge to 'Lantern Ground' (0.100), on the way to it, is not "
        "taken; that to 'Mara Quist' (0.800) is: 'Who owns the club?'."
    )
    assert made["lines"][gold["told_line"]]["id"] == "plays"


def test_what_scores_do_not_tell_of_an_edge_on_the_way_is_told_with_its_reason():
    said = "The owner matters more."
    made = beside(offer("owned", 0.1, taken=True), offer("plays", 0.8), reason=said)
    assert made["gold"][0]["told"].endswith(
        f"; that to 'Mara Quist' (0.100) is: 'Who owns the club?'. {said}"
    )


def test_an_edge_on_the_way_that_was_not_on_offer_has_no_line():
    made = beside(offer("owned", 0.8, taken=True), reason="It is the only edge.")
    assert made["gold"][0]["told"].endswith(": It is the only edge.")
    assert made["gold"][0]["told_line"] is None


def test_the_line_that_lost_gold_was_refused_by_stands_out_at_the_end_only():
    made = film(WALK, ["stadium"])
    *before, last = unpacked(made, "event")
    assert by_id(made, last["lines"], "lines")["plays"] == "missed"
    assert not last["faded"]["lines"].get(
        next(iter(str(n) for n, line in enumerate(made["lines"]) if line["id"] == "plays"))
    )
    assert not any("missed" in now["lines"].values() for now in before)
    missed = {"of": "line", "name": "missed", "label": "Not taken, to lost gold"}
    assert {**missed, "brief": "To lost gold"} in made["legend"]
    other = by_id(made, unpacked(film(WALK, ["town"]), "event")[-1]["lines"], "lines")
    assert "missed" not in other.values()


def test_an_edge_that_says_why_it_is_refused_is_not_explained_by_those_beside_it():
    refused = replace(offer("plays", 0.1), why="the passage would score 0.100")
    looked = judged("club", refused, offer("owned", 0.8, taken=True), reason="One edge brings it.")
    [gold] = film((*SHORT[:2], looked, SHORT[2]), ["stadium"])["gold"]
    assert gold["missing"].endswith(
        "the passage would score 0.100. The edge asks 'Where does the club play?'."
    )
    assert not gold["told"]


def test_of_what_a_score_refused_it_is_told_who_was_taken():
    looked = judged(
        "club",
        offer("plays", 0.1),
        offer("owned", 0.8, taken=True),
        reason="It is the most similar.",
    )
    [gold] = film((*SHORT[:2], looked, SHORT[2]), ["stadium"])["gold"]
    assert gold["missing"].endswith(
        "0.100 against 0.800 for 'Mara Quist', which was taken. The edge asks 'Where does the club "
        "play?'."
    )
    assert gold["told"].endswith(
        ": the edge to 'Mara Quist' (0.800) is taken there: 'Who owns the club?'."
    )


def test_a_document_is_found_with_any_of_its_passages():
    index = SimpleNamespace(**{**vars(INDEX), "document_passages": {"book": ("alone", "owner")}})
    assert missing(film(SHORT, ["book"], index)) == {
        "Mara Quist": "Never offered: 1 edge from 'Harbour Rovers', a seed."
    }


def test_a_mark_that_was_taken_away_is_none_and_stays_in_sight():
    trace = Trace(QUERY, "any", "five", "g", WALK, PASSAGES, EDGES, (), "2026-01-01")
    found = make_film(trace, {"owner": "", "town": "hand"})["gold"]
    assert [(one["id"], one["marked"]) for one in found] == [("town", "hand"), ("owner", "")]
    assert found[1]["missing"] == "unmarked by hand"


def test_ways_are_as_short_as_can_be():
    ways = Ways(INDEX.graph, [NAMES.index("club")], len(NAMES), "both")
    path = ways.to([NAMES.index("town")])
    assert len(path.edges) == 2
    assert ways.to([NAMES.index("alone")]) is None


def test_the_real_index_has_the_edges_of_a_way(five):
    index, found = five
    trace = replace(found["bm25"], retriever="hoprag-coverage")
    reached = {hit.passage_id for hit in trace.steps[-1].hits}
    marks = dict.fromkeys(set(index.number) - reached, "hand")
    made = make_film(trace, marks, index)
    for line in made["lines"]:
        edge = index.graph.edge(line["id"])
        ends = (made["nodes"][line["source"]]["id"], made["nodes"][line["target"]]["id"])
        assert ends == (edge.source, edge.target)
    told = [gold["missing"] for gold in made["gold"]]
    assert len(told) == len(marks)
    assert all("no way" in text or "edge" in text for text in told)


def test_who_follows_no_edges_has_no_way_to_gold(five):
    index, found = five
    trace = found["bm25"]
    reached = {hit.passage_id for hit in trace.steps[-1].hits}
    lost = min(set(index.number) - reached)
    made = make_film(trace, {lost: "given"}, index)
    assert made["lines"] == []
    assert [gold["missing"] for gold in made["gold"]] == ["Not found."]
    assert made["views"]["focus"]["bands"][-1]["label"] == "Not found"


@pytest.mark.parametrize(
    ("ends", "heading"),
    [
        ([Fate("a", "a", "cut", 4, k=1, inner=True, search="#1")], "In no search's top 1"),
        ([Fate("a", "a", "cut", 4, k=1)], "Below the top 1"),
        ([Fate("a", "a", "cut", 4, k=1), Fate("b", "b", "cut", 4, k=2)], "Below the top k"),
        ([Fate("a", "a", "below", k=1)], "Not found"),
        ([Fate("a", "a", "far")], "Out of reach"),
        ([Fate("a", "a", "unoffered")], "Never offered"),
        ([Fate("a", "a", "far"), Fate("b", "b", "unoffered")], "Not reached"),
        ([Fate("a", "a", "below", k=1), Fate("b", "b", "cut", 4, k=1)], "Not retrieved"),
    ],
)
def test_the_column_of_what_no_step_named_says_what_became_of_it(ends, heading):
    gold = [Gold(one.gold, "given", None, str(one), one, way=(one.gold,)) for one in ends]
    assert heading_of(Misses(gold)) == heading


def test_an_end_with_fewer_than_it_may_have_says_why_the_search_stopped():
    full = Said("rules", "#", "", ends="the result is full at 1")
    steps = (Asked("ircot", QUERY, 2), full, Ranked((Hit("club", 1.0),)))
    *_, last = unpacked(film(steps, ["town"], retriever="ircot"), "event")
    assert last["caption"].endswith(" The search stopped: the result is full at 1.")


def test_where_gold_stands_now():
    made = film(WALK, ["town", "stadium"])
    numbers = {node["id"]: str(n) for n, node in enumerate(made["nodes"])}
    told = [now["gold"][numbers["stadium"]] for now in unpacked(made, "event")]
    assert told[0] == "not found yet"
    assert "on offer, not taken" in told
    assert told[-1] == "lost: on offer, not taken"
    assert unpacked(made, "event")[-1]["gold"][numbers["town"]].startswith("rank ")


@pytest.mark.parametrize("kind", ["offered", "reached", "kept"])
def test_moments_of_gold_are_on_the_timeline(kind):
    made = film(WALK, ["owner"])
    moments = {m["kind"]: m["t"] for m in made["timeline"]["moments"]}
    first = next(
        t
        for t, s in enumerate(WALK, 1)
        if isinstance(s, Offered) and s.at == "club" and not s.entry
    )
    assert moments[kind] == (len(WALK) if kind == "kept" else first)


def test_under_a_walk_stands_what_the_best_choices_keep():
    best = "Upper bound from these seeds: 1 of 2 gold passages in 3 hops. "
    assert film(SHORT, ["town", "alone"])["footer"].startswith(best)
    assert "best choices" not in film(SHORT, ["town"], index=None)["footer"]
    assert "best choices" not in film(SHORT, [])["footer"]
