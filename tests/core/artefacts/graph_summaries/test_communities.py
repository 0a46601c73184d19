"""Relations, communities and what entities have in common, on the five passages and on circles."""

import json
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pytest

from core.artefacts.cost_forecast import forecast
from core.artefacts.entity_graph.graph import FACTS, Fact, Facts
from core.artefacts.entity_graph.relations import RELATIONS, relations
from core.artefacts.graph_summaries.communities import COMMUNITIES, nearest_rows, partitions
from core.artefacts.graph_summaries.summary_entities import HIERARCHY, HIERARCHY_GRAPH, sparsity
from core.indexing.updates import build
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.types import Document
from core.vectors import unit_norm
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint


def told(*facts: tuple[str, ...]) -> Facts:
    """A fact of each row of names, the first its subject; the vectors are all different."""
    made = tuple(Fact(n, first, f"fact {n}", tuple(rest)) for n, (first, *rest) in enumerate(facts))
    return Facts(made, np.eye(len(made), dtype=np.float32))


def test_who_is_named_together_is_related_as_often():
    found = relations(told(("ada", "bob", "cyd", "1979"), ("ada", "bob"), ("dee",)))
    assert found.names == ("ada", "bob", "cyd", "dee")
    assert found.pairs == {(0, 1): (0, 1), (0, 2): (0,), (1, 2): (0,)}
    assert found.between(1, 0) == (0, 1)
    assert found.between(0, 3) == ()
    assert sorted(found.graph.edges(data="weight")) == [(0, 1, 2), (0, 2, 1), (1, 2, 1)]
    assert found.vectors[0] == pytest.approx(np.array([0.5**0.5, 0.5**0.5, 0]))
    assert found.passages(1) == (0, 1)


def test_a_long_list_of_names_does_not_join_everything():
    names = tuple(f"ada {chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(40))
    assert len(relations(told(names)).pairs) == 12 * 11 / 2


def circles(count: int, size: int) -> Facts:
    """Circles in which everybody is told of with everybody, joined to the next by one fact."""
    rows = []
    for circle in range(count):
        members = [f"{'abcdef'[circle]}, {'vwxyz'[n]} smith" for n in range(size)]
        rows += list(combinations(members, 2)) * 3
        rows.append((members[0], f"{'abcdef'[(circle + 1) % count]}, v smith"))
    return told(*rows)


def test_circles_are_communities_and_levels_join_whole_ones():
    found = relations(circles(6, 5))
    levels = partitions(found)
    fine = {frozenset(found.names[n][0] for n in part) for part in levels[0]}
    assert fine == {frozenset(letter) for letter in "abcdef"}
    for one, other in pairwise(levels):
        for part in one:
            assert sum(set(part) <= set(wide) for wide in other) == 1
    assert partitions(found) == levels
    assert partitions(relations(told(("ada",), ("bob",)))) == []


@pytest.fixture
def world(tmp_path):
    """Two circles of people, and one who is told of in both."""
    documents = []
    for circle, trade in (("North", "fish nets boats"), ("South", "wine vines barrels")):
        people = [f"{name} {circle}" for name in ("Ada", "Bo", "Cy", "Dee")]
        for one, other in combinations(people, 2):
            documents.append(
                Document(f"{one}{other}".replace(" ", ""), one, f"He met {other} over {trade}.")
            )
    documents.append(Document("both", "Eve Marsh", "She knew Ada North and Ada South."))
    build(tmp_path / "i", corpus(*documents), WordEmbedder(), silent)
    return tmp_path / "i"


def test_a_report_is_of_the_facts_that_join_the_members(world):
    bench = bench_on(world, WordEmbedder())
    found, related = bench.get(COMMUNITIES), bench.get(RELATIONS)
    facts = {fact.text: set(fact.names) for fact in bench.get(FACTS).facts}
    for community in found.communities:
        names = {related.names[n] for n in community.members}
        assert community.maker == ""
        said = [text for text in facts if text in community.report]
        assert said
        assert all(len(facts[text] & names) >= 2 for text in said)
        if community.parent is not None:
            above = found.communities[community.parent]
            assert above.level == community.level + 1
            assert set(community.members) <= set(above.members)
    for entity in range(len(related.names)):
        numbers = list(found.above(entity))
        assert [found.communities[n].level for n in numbers] == list(range(1, len(numbers) + 1))
        assert all(entity in found.communities[n].members for n in numbers)
    assert len(found.vectors) == len(found.communities)


def test_of_a_large_community_a_model_reads_the_facts_nearest_to_its_centre():
    rng = np.random.default_rng(0)
    vectors = unit_norm(rng.normal(size=(60, 8)).astype(np.float32))
    rows, centre = list(range(1, 60)), vectors[7]
    found = nearest_rows(rows, vectors, centre)
    by_cosine = sorted(rows, key=lambda row: -float(vectors[row] @ centre))
    assert found == sorted(by_cosine[:40])
    assert nearest_rows(rows[:40], vectors, centre) == rows[:40]


def test_a_model_writes_the_reports_and_is_asked_once(world, tmp_path):
    answer = Answer(json.dumps({"summary": "They met."}))
    with ChatServer(lambda _: answer) as server:
        oracle = Oracle(Llm(endpoint(server), retries=0), Replies(tmp_path / "r"), LEAVE)
        bench = bench_on(world, WordEmbedder())
        bench.oracle = oracle
        assert "about" in forecast(bench, [COMMUNITIES])
        found = bench.get(COMMUNITIES).communities
        assert {(one.report, one.maker) for one in found} == {("They met.", "scripted")}
        asked = len(server.requests)
        assert 0 < asked <= len(found)
    again = bench_on(world, WordEmbedder())
    assert again.get(COMMUNITIES).communities == found  # what was paid for stands without it


def test_sparsity_is_the_share_of_pairs_that_no_cluster_joins():
    assert sparsity([4], 4) == 0
    assert sparsity([1] * 4, 4) == 1
    assert sparsity([2, 2], 4) == pytest.approx(1 - (2 + 2) / 12)
    assert sparsity([1], 1) == 0


def test_what_entities_have_in_common_stands_above_them(world):
    bench = bench_on(world, WordEmbedder())
    found, related = bench.get(HIERARCHY), bench.get(RELATIONS)
    assert found.summaries
    base = found.entities
    vectors = np.concatenate((related.vectors, found.vectors))
    held = {member for one in found.summaries if one.layer == 1 for member in one.members}
    assert held == {n for n in range(base) if len(related.passages(n)) >= 2}
    for number, one in enumerate(found.summaries):
        assert vectors[base + number] == pytest.approx(
            unit_norm(vectors[list(one.members)].mean(0)[None])[0], abs=1e-6
        )
        assert all(base + number in found.parents[member] for member in one.members)
        assert one.label.count(", ") <= 2
    graph = bench.get(HIERARCHY_GRAPH)
    assert len(graph) == base + len(found.summaries)
    assert nx.is_isomorphic(graph.subgraph(range(base)), related.graph)


@pytest.mark.parametrize("texts", [("One line.",), ("so it goes", "and on it goes")])
def test_a_corpus_that_names_nothing_has_none(tmp_path, texts):
    documents = (Document(f"d{n}", "", text) for n, text in enumerate(texts))
    build(tmp_path / "i", corpus(*documents), WordEmbedder(), silent)
    bench = bench_on(tmp_path / "i", WordEmbedder())
    assert bench.get(COMMUNITIES).communities == ()
    assert bench.get(HIERARCHY).summaries == ()
