"""Gold that was missed: why, how far it is, and the way to it."""

from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.funnel.data import Fate
from core.lost_gold.causes import causes
from core.lost_gold.missed_gold import Gold, Misses
from core.lost_gold.shortest_paths import Ways
from core.playback.wording import ended
from core.steps import Asked, Ranked, Told
from core.trace_analysis.cost_summary import footer
from core.trace_analysis.node_columns import heading_of, make_plot
from core.trace_analysis.trace_frames import play
from core.traces import Trace
from core.types import Hit, Passage
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


def played(steps, gold, index=INDEX, retriever="hoprag-coverage"):
    """A trace of these steps, played once with this gold."""
    trace = Trace(QUERY, retriever, "five", "g", steps, PASSAGES, EDGES, (), "2026-01-01")
    return play(trace, dict.fromkeys(gold, "given"), index)


def missing(made):
    """By name of the gold, why it is missed."""
    return {
        gold.name: ended(gold.missing) if gold.passage and gold.fate else gold.missing
        for gold in made.missed.gold
    }


def cause(made):
    """What the steps said of the only gold."""
    [found] = causes(
        made.missed.gold, made.trace.steps, made.names, lambda node: ALL[node].title, made.falls
    )
    return found


def plotted(made):
    return make_plot(made.trace, made.last, made.missed, made.called)


def test_what_was_never_named_is_told_with_its_way():
    made = played(SHORT, ["town", "owner"])
    assert missing(made) == {
        "Port Selby": "Never a candidate: 2 edges from 'Harbour Rovers' (a seed).",
        "Mara Quist": "Never a candidate: 1 edge from 'Harbour Rovers' (a seed).",
    }


def test_the_way_is_made_of_real_edges():
    plot = plotted(played(SHORT, ["singer"]))
    assert plot.unnamed == {"owner", "singer"}
    assert {line.id for line in plot.cast.lines} == {"owned", "married"}
    for line in plot.cast.lines:
        assert (line.source, line.target) == (EDGES[line.id].source, EDGES[line.id].target)


def test_a_way_goes_as_the_walk_may():
    asked = replace(WALK[0], retriever="hoprag-coverage")
    steps = (asked, seeds("town"), Ranked((Hit("town", 0.5),)))
    assert missing(played(steps, ["owner"])) == {
        "Mara Quist": "Never a candidate: 1 edge from 'Port Selby' (a seed), against the edge "
        "direction."
    }
    steps = (WALK[0], *steps[1:])
    against = "Out of reach: no path from any seed: its edge to 'Port Selby' points away from it."
    assert missing(played(steps, ["owner"], retriever="hoprag-similarity")) == {
        "Mara Quist": against
    }


def test_what_was_never_seen_stands_right_of_all_rounds():
    looked = judged("club", offer("plays", 0.3))
    columns = plotted(played((*SHORT[:2], WALK[2], looked, SHORT[2]), ["singer"])).columns
    headings = {node: columns.headings[number] for node, number in columns.of.items()}
    assert headings["owner"] == headings["singer"] == "Never a candidate"
    assert headings["stadium"] == "Hop 1"


def test_what_nothing_leads_to_stands_by_itself():
    made = played(SHORT, ["alone"])
    assert missing(made) == {"Alone": "Out of reach: no path from any seed."}
    assert [*plotted(made).columns.headings.values()] == ["Seeds", "Out of reach"]


def test_the_index_is_not_blamed_on_the_walk():
    made = played(SHORT, ["nobody"])
    assert missing(made) == {"nobody": "not in the index"}
    assert made.missed.gold[0].passage is None
    assert missing(played(SHORT, ["town"], index=None)) == {
        "town": "not found (open the index for details)"
    }


def test_nothing_found_has_no_ways():
    steps = (Asked("any", QUERY, 2), Ranked(()))
    assert missing(played(steps, ["town"])) == {"Port Selby": "Nothing was retrieved."}


def test_what_was_seen_is_told_by_where_it_was_lost():
    made = played(WALK, ["stadium", "owner"])
    assert missing(made)["Lantern Ground"] == (
        "Not followed: a candidate in hop 1 at 'Harbour Rovers', score 0.300, lowest "
        "accepted 0.800. Edge question: 'Where does the club play?'."
    )
    assert missing(made)["Mara Quist"] == ""
    cut = (*SHORT[:2], judged("club", offer("owned", 0.5, taken=True)),
           Ranked((Hit("club", 0.5),), (Hit("owner", 0.1),)))  # fmt: skip
    assert missing(played(cut, ["owner"])) == {
        "Mara Quist": "Below the top 1: rank 2, score 0.100, cut-off 0.500."
    }


def test_lost_gold_is_told_with_what_the_nearest_place_said():
    looked = replace(judged("club", offer("plays", 0.1)), told=Told(reason="It fell behind."))
    made = played((*SHORT[:2], looked, SHORT[2]), ["town"])
    assert cause(made).t == 3
    assert cause(made).told.endswith("It fell behind.")
    assert "2 edges from 'Harbour Rovers'" in missing(made)["Port Selby"]


def beside(*offers, reason):
    """A walk past the stadium, which alone leads to the town."""
    ways = [edge for edge in EDGES.values() if edge.id != "born"]
    index = SimpleNamespace(**{**vars(INDEX), "graph": FiveGraph(ways)})
    looked = judged("club", *offers, reason=reason)
    return played((*SHORT[:2], looked, SHORT[2]), ["town"], index)


def test_the_edge_on_the_way_to_lost_gold_is_told_with_the_one_that_was_taken():
    said = "It is the most similar of 2 edges."
    made = beside(offer("owned", 0.8, taken=True), offer("plays", 0.1), reason=said)
    assert cause(made).told.endswith(
        ": the edge from 'Harbour Rovers' to 'Lantern Ground', on the path to it, was not "
        "followed: score 0.100, lowest accepted 0.800. The edge 'Who owns the club?' to 'Mara "
        "Quist' (score 0.800) was followed instead."
    )
    assert cause(made).line == "plays"


def test_what_scores_do_not_tell_of_an_edge_on_the_way_is_told_with_its_reason():
    said = "The owner matters more."
    made = beside(offer("owned", 0.1, taken=True), offer("plays", 0.8), reason=said)
    assert cause(made).told.endswith(
        f" The edge 'Who owns the club?' to 'Mara Quist' (score 0.100) was followed instead. {said}"
    )


def test_an_edge_on_the_way_that_was_not_on_offer_has_no_line():
    made = beside(offer("owned", 0.8, taken=True), reason="It is the only edge.")
    assert cause(made).told.endswith(": It is the only edge.")
    assert not cause(made).line


def test_an_edge_that_says_why_it_is_refused_is_not_explained_by_those_beside_it():
    refused = replace(offer("plays", 0.1), why="the passage would score 0.100")
    looked = judged("club", refused, offer("owned", 0.8, taken=True), reason="One edge brings it.")
    made = played((*SHORT[:2], looked, SHORT[2]), ["stadium"])
    assert missing(made)["Lantern Ground"].endswith(
        "the passage would score 0.100. Edge question: 'Where does the club play?'."
    )
    assert not cause(made).told


def test_of_what_a_score_refused_it_is_told_who_was_taken():
    looked = judged(
        "club",
        offer("plays", 0.1),
        offer("owned", 0.8, taken=True),
        reason="It is the most similar.",
    )
    made = played((*SHORT[:2], looked, SHORT[2]), ["stadium"])
    assert missing(made)["Lantern Ground"].endswith(
        "score 0.100, lowest accepted 0.800. Edge question: 'Where does the club play?'."
    )
    assert cause(made).told.endswith(
        ": the edge 'Who owns the club?' to 'Mara Quist' (score 0.800) was followed instead."
    )


def test_what_was_refused_twice_is_told_of_one_step_and_one_edge():
    """The town came nearest at the stadium, and was refused once more at the owner."""
    back = offer("plays", 0.4, taken=True, backwards=True)
    nearer = judged("stadium", back, offer("lies", 0.3))
    later = judged("owner", offer("married", 0.9, taken=True), offer("born", 0.1))
    steps = (*SHORT[:2], WALK[2], nearer, later, SHORT[2])
    made = played(steps, ["town"])
    [gold] = made.missed.gold
    found = cause(made)
    assert gold.fate.at == "stadium"
    assert found.line == gold.fate.tie == "lies"
    assert (
        "score 0.300, lowest accepted 0.400. Edge question: 'Where does the stadium lie?'"
        in (missing(made)["Port Selby"])
    )
    assert steps[found.t - 1] is nearer
    assert "(score 0.400)" in found.told
    assert "(0.900)" not in found.told


def test_a_document_is_found_with_any_of_its_passages():
    index = SimpleNamespace(**{**vars(INDEX), "document_passages": {"book": ("alone", "owner")}})
    assert missing(played(SHORT, ["book"], index)) == {
        "Mara Quist": "Never a candidate: 1 edge from 'Harbour Rovers' (a seed)."
    }


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
    made = play(trace, marks, index)
    for line in plotted(made).cast.lines:
        edge = index.graph.edge(line.id)
        assert (line.source, line.target) == (edge.source, edge.target)
    told = [gold.missing for gold in made.missed.gold]
    assert len(told) == len(marks)
    assert all("no way" in text or "edge" in text for text in told)


def test_who_follows_no_edges_has_no_way_to_gold(five):
    index, found = five
    trace = found["bm25"]
    reached = {hit.passage_id for hit in trace.steps[-1].hits}
    lost = min(set(index.number) - reached)
    made = play(trace, {lost: "given"}, index)
    plot = plotted(made)
    assert plot.cast.lines == ()
    assert [*missing(made).values()] == ["Not found."]
    assert plot.columns.headings[plot.columns.of[lost]] == "Not found"


@pytest.mark.parametrize(
    ("ends", "heading"),
    [
        (
            [Fate("a", "a", "cut", 4, k=1, inner=True, search="#1")],
            "Not in the top 1 of any search",
        ),
        ([Fate("a", "a", "cut", 4, k=1)], "Below the top 1"),
        ([Fate("a", "a", "cut", 4, k=1), Fate("b", "b", "cut", 4, k=2)], "Below the top k"),
        ([Fate("a", "a", "below", k=1)], "Not found"),
        ([Fate("a", "a", "far")], "Out of reach"),
        ([Fate("a", "a", "unoffered")], "Never a candidate"),
        ([Fate("a", "a", "far"), Fate("b", "b", "unoffered")], "Not reached"),
        ([Fate("a", "a", "below", k=1), Fate("b", "b", "cut", 4, k=1)], "Not retrieved"),
    ],
)
def test_the_column_of_what_no_step_named_says_what_became_of_it(ends, heading):
    gold = [Gold(one.gold, "given", None, str(one), one, way=(one.gold,)) for one in ends]
    assert heading_of(Misses(gold)) == heading


def test_under_a_walk_stands_what_the_best_choices_keep():
    def told(gold, index=INDEX):
        made = played(SHORT, gold, index)
        return footer(made.trace, made.title, made.spec, dict.fromkeys(gold, "given"), index)

    best = "From these seeds, 1 of 2 gold passages can be reached within 3 hops. "
    assert told(["town", "alone"]).startswith(best)
    assert "best choices" not in told(["town"], index=None)
    assert "best choices" not in told([])
