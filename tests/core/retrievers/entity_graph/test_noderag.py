"""NodeRAG: its graph, the walk against a slow reading, what is kept of each kind, and scores."""

import json
import shutil
from collections import defaultdict
from contextlib import contextmanager

import numpy as np
import pytest

from core.artefacts.cost_forecast import forecast as forecast_of
from core.artefacts.entity_graph.graph import FACTS
from core.artefacts.entity_graph.relations import RELATIONS, relations
from core.artefacts.graph_summaries.communities import COMMUNITIES
from core.artefacts.graph_summaries.node_graph import NODE_GRAPH, important_entities
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.steps import Offered, Pooled, Spread
from tests.core.artefacts.demonstration import bench_on
from tests.core.artefacts.graph_summaries.test_communities import told
from tests.core.fakes import WordEmbedder
from tests.core.retrievers.scripted import Q, walked
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint


@pytest.fixture(scope="module")
def unaided(five_built, tmp_path_factory):
    """One for all tests here: they only ask, and no model has had a hand in what it stands on."""
    folder = shutil.copytree(five_built, tmp_path_factory.mktemp("noderag") / "five")
    return bench_on(folder, WordEmbedder())


@contextmanager
def saying(bench, names, folder):
    """The workbench with a model that finds `names` in every question; it made no artefact."""
    bench.get(NODE_GRAPH)
    with ChatServer(lambda _: Answer(json.dumps({"names": names}))) as server:
        replies = Replies(folder)
        # It gives no summary, which would be the end of a model that nobody knows.
        oracle = Oracle(Llm(endpoint(server), retries=0), replies, LEAVE, proven=True)
        yield bench.with_oracle(oracle)
        replies.close()


def listed(steps, of):
    return next(step for step in steps if isinstance(step, Offered) and step.of == of)


def neighbours(bench):
    """Who is joined to whom, read from what the graph is made of; nodes as (kind, number)."""
    related, groups = bench.get(RELATIONS), bench.get(COMMUNITIES)
    joined = defaultdict(set)

    def join(one, other):
        joined[one].add(other)
        joined[other].add(one)

    for n, fact in enumerate(related.told.facts):
        join(("text", fact.passage), ("unit", n))
        for name in fact.names:
            if name in related.number:
                join(("unit", n), ("entity", related.number[name]))
    for n, pair in enumerate(related.pairs):
        for end in pair:
            join(("relationship", n), ("entity", end))
    for n, community in enumerate(groups.communities):
        join(("element", n), ("title", n))
        for member in community.members:
            join(("element", n), ("entity", member))
    told = [("unit", n) for n in range(len(related.told.facts))]
    told += [("element", n) for n in range(len(groups.communities))]
    vectors = np.concatenate((related.told.vectors, groups.vectors))
    for one, other in zip(*np.nonzero(np.triu(vectors @ vectors.T >= 0.8, 1)), strict=True):
        join(told[one], told[other])
    return joined


def test_the_graph_has_every_kind_and_its_lines(unaided):
    graph, wanted = unaided.get(NODE_GRAPH), neighbours(unaided)
    for node in range(graph.size):
        kind = graph.kind(node)
        found = {
            (graph.kind(other), other - graph.first(graph.kind(other)))
            for other in graph.edges[node].indices.tolist()
        }
        assert found == wanted[kind, node - graph.first(kind)]
    assert (graph.attributes, graph.maker) == ((), "")


def test_two_rounds_of_the_lazy_walk_are_a_slow_readings(unaided):
    graph, joined = unaided.get(NODE_GRAPH), neighbours(unaided)
    steps = walked(unaided, "noderag(near=2)")
    entry = {offer.target for of in ("nodes", "names") for offer in listed(steps, of).offers}
    spots = {_id(unaided, graph, node): node for node in range(graph.size)}
    mass = {_place(graph, spots[name]): 1 / len(entry) for name in entry}
    for _ in range(2):
        then = {node: share / 2 for node, share in mass.items()}
        for node, share in mass.items():
            for other in joined[node]:
                then[other] = then.get(other, 0) + share / 2 / len(joined[node])
        mass = then
    last = [step for step in steps if isinstance(step, Spread)][-1]
    for hit in last.hits:
        assert hit.score == pytest.approx(mass[_place(graph, spots[hit.passage_id])])
    kept = listed(steps, "texts and summaries").offers
    units = {o.target: o.score for o in kept if o.target.startswith("fact:")}
    related = unaided.get(RELATIONS)
    pairs = listed(steps, "relations").offers
    for hit in steps[-1].hits:
        number = unaided.index.number[hit.passage_id]
        score = mass.get(("text", number), 0)
        score += sum(
            share
            for name, share in units.items()
            if related.told.facts[int(name[5:])].passage == number
        )
        for offer in pairs:
            pair = graph.pairs[int(offer.target.removeprefix("relation:"))]
            stated = {related.told.facts[n].passage for n in related.pairs[pair]}
            score += offer.score / len(stated) * (number in stated)
        assert hit.score == pytest.approx(score)


def _place(graph, node):
    return graph.kind(node), node - graph.first(graph.kind(node))


def _id(bench, graph, node):
    kind, number = _place(graph, node)
    if kind == "text":
        return bench.index.passages[number].id
    if kind == "entity":
        return f"entity:{bench.get(RELATIONS).names[number]}"
    called = {"unit": "fact", "relationship": "relation", "element": "community"}
    return f"{called.get(kind, kind)}:{number}"


def test_pagerank_comes_to_rest_where_the_walk_does_not(unaided):
    graph = unaided.get(NODE_GRAPH)
    start = np.zeros(graph.size)
    start[0] = 1
    rest = graph.pagerank(start, 0.5, enough=1e-9)
    assert rest == pytest.approx(0.5 * (graph.step @ rest) + 0.5 * start, abs=1e-8)
    *_, second = graph.walk(start, 0.5, 2)
    assert second.sum() == pytest.approx(1)
    (shown,) = (s for s in walked(unaided, "noderag(walk=pagerank)") if isinstance(s, Spread))
    assert shown.hits


def test_so_many_of_each_kind_are_kept(unaided):
    steps = walked(unaided, "noderag")
    most = {"entities": 10, "relations": 30, "titles": 10, "texts and summaries": 10}
    for of, count in most.items():
        offers = listed(steps, of).offers
        assert len(offers) <= count
        assert [o.score for o in offers] == sorted((o.score for o in offers), reverse=True)
    assert {dict(o.notes)["is"] for o in listed(steps, "texts and summaries").offers} <= {
        *("text", "unit", "element")
    }


def test_a_passage_is_joined_to_what_is_kept_of_what_it_states(unaided):
    steps, told = walked(unaided, "noderag"), unaided.get(FACTS)
    (pooled,) = (step for step in steps if isinstance(step, Pooled))
    ids, scored = unaided.index.ids, {hit.passage_id: hit for hit in pooled.hits}
    kept = {offer.target for offer in listed(steps, "texts and summaries").taken}
    units = {tie.source: tie.target for tie in pooled.ties if tie.source.startswith("fact:")}
    assert units == {
        unit: ids[told.facts[int(unit[5:])].passage] for unit in kept if unit.startswith("fact:")
    }
    stating = {tie.target for tie in pooled.ties}
    assert stating == {
        name
        for name, hit in scored.items()
        if {part.name for part in hit.parts} & {"sentences", "relations"}
    }


def test_a_name_matches_its_entity_and_the_titles_that_have_it(unaided, tmp_path):
    graph, related = unaided.get(NODE_GRAPH), unaided.get(RELATIONS)
    with saying(unaided, ["The Lantern Ground", "Nobody"], tmp_path) as bench:
        names = listed(walked(bench, "noderag"), "names")
    ground = related.number["lantern ground"]
    titles = {f"title:{n}" for n, title in enumerate(graph.titles) if ground in title}
    assert {o.target for o in names.offers} == {"entity:lantern ground", *titles}
    assert names.told.verdict == "The Lantern Ground, Nobody"


def test_one_call_is_foreseen(unaided, tmp_path):
    with saying(unaided, ["Ilo Venn"], tmp_path) as bench:
        told = forecast(make("noderag", bench.with_leave(None)), Q)
        assert (told.calls, told.likely) == (1, 1)


def test_who_stands_in_the_core_or_between_is_important():
    rows = [("hub", f"{'abcdefgh'[n]} leaf") for n in range(8)]
    star = relations(told(*rows))
    assert [star.names[n] for n in important_entities(star)] == ["hub"]
    assert important_entities(relations(told(("ada",), ("bob",)))) == []


def test_a_model_says_what_important_entities_are_like(thinking):
    assert "about" in forecast_of(thinking, [COMMUNITIES, NODE_GRAPH])
    graph, related = thinking.get(NODE_GRAPH), thinking.get(RELATIONS)
    assert [entity for entity, _ in graph.attributes] == important_entities(related) != []
    assert graph.maker == "scripted"
    node = graph.first("attribute")
    (of,) = graph.edges[node].indices.tolist()
    assert of == graph.first("entity") + graph.attributes[0][0]
    assert len(graph.vectors) == len(graph.attributes)
    end = walked(thinking, "noderag")[-1]
    attributes, reports = len(graph.attributes), len(thinking.get(COMMUNITIES).communities)
    assert end.told.reason == (
        f"{attributes} of {attributes} attributes by scripted. "
        f"{reports} of {reports} reports by scripted."
    )


def test_a_list_that_a_limit_cuts_says_of_how_many_it_is(unaided):
    steps, related = walked(unaided, "noderag(near=2)"), unaided.get(RELATIONS)
    compared = (unaided.index.passages, related.told.facts, unaided.get(COMMUNITIES).communities)
    assert listed(steps, "nodes").considered == sum(map(len, compared))
    assert len(listed(steps, "nodes").taken) == 2
    assert listed(steps, "entities").considered >= len(listed(steps, "entities").taken)
