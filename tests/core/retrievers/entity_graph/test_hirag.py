"""HiRAG: entities, communities by what they hold, the bridge, and scores by hand."""

import shutil
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from core.artefacts.entity_graph.relations import RELATIONS
from core.artefacts.graph_summaries.communities import COMMUNITIES
from core.artefacts.graph_summaries.summary_entities import HIERARCHY, HIERARCHY_GRAPH
from core.indexing.updates import build
from core.playback import check
from core.retrievers import make
from core.retrievers.entity_graph.bridges import bridge_of
from core.steps import Offered
from core.types import Document
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent

Q = QUESTION.text


@pytest.fixture(scope="module")
def workbench(five_built, tmp_path_factory):
    """One for all tests here: they only ask."""
    folder = shutil.copytree(five_built, tmp_path_factory.mktemp("hirag") / "five")
    return bench_on(folder, WordEmbedder())


def walked(bench, question=Q, **settings):
    steps = tuple(make("hirag", bench, **settings).retrieve(question))
    check(steps)
    return steps


def listed(steps, of):
    return next(step for step in steps if isinstance(step, Offered) and step.of == of)


def test_entities_are_taken_by_what_is_told_of_them(workbench):
    related, asked = workbench.get(RELATIONS), workbench.embedder.encode([Q])[0]
    vectors = np.concatenate((related.vectors, workbench.get(HIERARCHY).vectors))
    cosine = sorted((vectors @ asked).tolist(), reverse=True)
    found = listed(walked(workbench, entities=3), "entities")
    assert [offer.score for offer in found.offers] == pytest.approx(cosine[:3])
    assert found.considered == len(cosine)


def test_communities_come_by_how_many_of_the_entities_they_hold(workbench):
    related, groups = workbench.get(RELATIONS), workbench.get(COMMUNITIES)
    steps = walked(workbench, entities=5, communities=1)
    names = {offer.target for offer in listed(steps, "entities").taken}
    held = [
        sum(f"entity:{related.names[n]}" in names for n in community.members)
        for community in groups.communities
    ]
    found = listed(steps, "communities")
    places = [int(offer.target.removeprefix("community:")) for offer in found.offers]
    assert [held[n] for n in places] == sorted((h for h in held if h), reverse=True)
    assert [offer.taken for offer in found.offers] == [True, *[False] * (len(places) - 1)]
    assert {offer.notes[-1] for offer in found.offers[1:]} == {("left out:", "only 1 are kept")}
    assert len(found.ties) == sum(held)


def test_reports_have_their_room(workbench):
    found = listed(walked(workbench, room=100), "communities")
    assert sum(offer.size for offer in found.taken) <= found.room == 100


def test_the_bridge_is_the_shortest_way_through_the_key_entities(workbench):
    related, graph = workbench.get(RELATIONS), workbench.get(HIERARCHY_GRAPH)
    keys = [related.number[name] for name in ("harbour rovers", "ilo venn", "river ash")]
    bridge = bridge_of(keys, related, graph)
    assert [(path[0], path[-1]) for path in bridge.paths] == list(pairwise(keys))
    for path in bridge.paths:
        assert len(path) - 1 == nx.shortest_path_length(graph, path[0], path[-1])
    assert bridge_of(keys, related, graph) == bridge
    assert bridge_of(keys[:1], related, graph).nodes == ()
    apart = nx.Graph()
    apart.add_nodes_from(keys)
    assert bridge_of(keys, related, apart).paths == ()


def test_a_passage_has_its_cosine_its_nearest_entity_and_its_nearest_fact(workbench):
    related, asked = workbench.get(RELATIONS), workbench.embedder.encode([Q])[0]
    steps = walked(workbench, local=0.5, bridge=0.25, entities=4)
    index = workbench.index
    entities = listed(steps, "entities").taken
    bridge = listed(steps, "bridge nodes")
    names = {offer.target for offer in bridge.offers}
    wanted = {}
    for number, passage in enumerate(index.passages):
        near = [
            offer.score
            for offer in entities
            if (name := offer.target.removeprefix("entity:")) in related.number
            and number in related.passages(related.number[name])
        ]
        ends = [
            (tie.source.removeprefix("entity:"), tie.target.removeprefix("entity:"))
            for tie in bridge.ties
            if {tie.source, tie.target} <= names and "summary:" not in tie.source + tie.target
        ]
        facts = {
            fact
            for one, other in ends
            for fact in related.between(related.number[one], related.number[other])
            if related.told.facts[fact].passage == number
        }
        stated = [float(related.told.vectors[fact] @ asked) for fact in facts]
        if near or stated:
            wanted[passage.id] = (
                float(index.vectors[number] @ asked)
                + 0.5 * max(near, default=0.0)
                + 0.25 * max([0.0, *stated])
            )
    assert {hit.passage_id: hit.score for hit in steps[-1].hits} == pytest.approx(wanted, abs=1e-5)


def test_where_nothing_is_named_passages_have_their_cosine_alone(tmp_path):
    build(tmp_path / "i", corpus(Document("a", "", "so it goes")), WordEmbedder(), silent)
    end = walked(bench_on(tmp_path / "i", WordEmbedder()), "so?")[-1]
    assert [hit.passage_id for hit in end.hits] == ["a"]
    assert "cosine alone" in end.told.fallback


def test_reports_say_whose_they_are(workbench, thinking):
    assert walked(workbench)[-1].told.reason.startswith("Without a model, a report")
    assert walked(thinking)[-1].told.reason == "3 of 3 reports by scripted."
