"""The graph of passages and entities, against what is counted by hand and by networkx."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.artefacts.entity_graph import graph as entity_graph
from core.artefacts.entity_graph.graph import (
    ALIKE,
    ENTITIES,
    ENTITY_GRAPH,
    FACTS,
    Entities,
    EntityGraph,
    Fact,
    is_linkable,
    synonyms,
)
from core.artefacts.stored_artefacts import missing
from core.indexing.updates import add, build
from core.store.artefact_tables import shelved
from core.types import Document
from core.vectors import unit_norm
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent

NAMED = {
    "club": {"harbour rovers", "mara quist", "lantern ground"},
    "owner": {"mara quist", "port selby", "ilo venn"},
    "singer": {"ilo venn", "low tide band"},
    "stadium": {"lantern ground", "port selby"},
    "town": {"port selby", "river ash"},
}
TOLD = {
    ("harbour rovers", "mara quist"),
    ("harbour rovers", "lantern ground"),
    ("mara quist", "port selby"),
    ("mara quist", "ilo venn"),
    ("ilo venn", "low tide band"),
    ("lantern ground", "port selby"),
    ("port selby", "river ash"),
}


def none(_: int) -> None:
    """A report that nobody reads."""


def edges_of(graph, ids):
    """Weight by the unordered pair of names."""
    names = [*ids, *graph.entities.names]
    found = graph.edges.tocoo()
    return {
        frozenset((names[i], names[j])): float(w)
        for i, j, w in zip(found.row, found.col, found.data, strict=True)
    }


def test_the_graph_of_five_passages(workbench):
    graph = workbench.get(ENTITY_GRAPH)
    ids = [passage.id for passage in workbench.index.passages]
    assert set(graph.entities.names) == set().union(*NAMED.values())
    assert len(set(graph.entities.names)) == len(graph.entities.names)
    one, other, cosine = graph.entities.synonyms
    alike = {
        frozenset((graph.entities.names[i], graph.entities.names[j])): w
        for i, j, w in zip(one, other, cosine, strict=True)
    }
    expected = {frozenset((p, name)): 1.0 for p, names in NAMED.items() for name in names}
    expected |= {frozenset(pair): 1.0 for pair in TOLD}
    for pair, weight in alike.items():
        expected[pair] = expected.get(pair, 0.0) + weight
    assert edges_of(graph, ids) == pytest.approx(expected)
    assert (graph.edges != graph.edges.T).nnz == 0
    bearers = dict(zip(graph.entities.names, graph.bearers.tolist(), strict=True))
    assert bearers == {n: sum(n in names for names in NAMED.values()) for n in bearers}
    assert graph.node("mara quist") == 5 + graph.entities.number["mara quist"]
    assert graph.node("nobody") is None


def test_a_bare_number_is_an_entity_only_where_a_passage_is_called_so(tmp_path):
    year = Document("year", "1998", "Ada Birch won in 1998.")
    ada = Document("ada", "Ada Birch", "Ada Birch won 4 to 3 in 1998 and in 2004.")
    build(tmp_path / "i", corpus(year, ada), WordEmbedder(), silent)
    names = bench_on(tmp_path / "i", WordEmbedder()).get(ENTITY_GRAPH).entities.names
    assert names == ("1998", "ada birch")


def test_facts_are_sentences_with_their_subject(workbench):
    facts = workbench.get(FACTS)
    texts = {fact.text for fact in facts.facts}
    assert "Mara Quist. She was born in Port Selby." in texts
    assert "Mara Quist. Mara Quist is a brewer." in texts
    assert {(f.subject, o) for f in facts.facts for o in f.objects} == TOLD
    assert facts.vectors.shape == (len(facts.facts), workbench.embedder.info.dimension)
    assert np.linalg.norm(facts.vectors, axis=1) == pytest.approx(1, abs=1e-5)
    for fact in facts.facts:
        assert fact.names == (fact.subject, *fact.objects)


def test_between_names_each_edge_once(workbench):
    graph = workbench.get(ENTITY_GRAPH)
    nodes = list(range(graph.size))
    found = list(graph.between(nodes))
    assert len(found) == graph.edges.nnz / 2
    assert all(one < other for one, other, _ in found)
    some = sorted([0, 2, 5, 7, graph.size - 1])
    assert {(a, b) for a, b, _ in graph.between(some)} == {
        (a, b) for a, b, _ in found if {a, b} <= set(some)
    }


VECTORS = st.integers(0, 30).flatmap(
    lambda n: arrays(np.float32, (n, 3), elements=st.sampled_from([-1.0, -0.25, 0.5, 1.0]))
)


@settings(max_examples=60)
@given(VECTORS, st.integers(1, 12))
def test_synonyms_are_those_of_a_brute_force_whatever_the_block(raw, block):
    vectors = unit_norm(raw)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entity_graph, "_BLOCK", block)
        told = []
        one, other, cosine = synonyms(vectors, told.append)
    cosines = vectors @ vectors.T
    sure = {
        (i, j)
        for i in range(len(raw))
        for j in range(i + 1, len(raw))
        if cosines[i, j] > ALIKE + 1e-5
    }
    found = set(zip(one.tolist(), other.tolist(), strict=True))
    assert len(found) == len(one)
    assert sure <= found
    for i, j, near in zip(one, other, cosine, strict=True):
        assert i < j
        assert near == pytest.approx(float(vectors[i] @ vectors[j]), abs=1e-5)
        assert near >= ALIKE
    assert told == sorted(told)
    assert (told[-1] if told else 0) == len(raw)


@pytest.mark.parametrize("block", [1, 2, 7, 2048])
def test_a_name_has_its_nearest_synonyms_at_most(monkeypatch, block):
    monkeypatch.setattr(entity_graph, "MOST_SYNONYMS", 3)
    monkeypatch.setattr(entity_graph, "_BLOCK", block)
    angles = np.linspace(0, 0.3, 8)
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    one, other, _ = synonyms(vectors, none)
    found = {i: sorted(other[one == i].tolist()) for i in set(one.tolist())}
    # Of the first, the three nearest behind it; nobody has more than that behind it.
    assert found == {i: list(range(i + 1, min(i + 4, 8))) for i in range(7)}


def test_what_may_have_synonyms():
    assert is_linkable("ada")
    assert is_linkable("東京都")
    for name in ("", "ab", "a1b", "world war 2", "1998", "12 5", "a-b", "!!!", "² ³ ¹"):
        assert not is_linkable(name)


def small(passages, names, told=(), alike=()):
    number = {name: i for i, name in enumerate(names)}
    pairs = np.array([(i, j) for i, j, _ in alike], np.int64).reshape(-1, 2).T
    synonyms = (pairs[0], pairs[1], np.array([w for *_, w in alike], float))
    nothing = np.zeros((0, 3), np.float32)
    entities = Entities(tuple(names), number, synonyms, np.zeros(0, np.int64), nothing)
    return EntityGraph(passages, entities, [Fact(0, s, "", o) for s, o in told])


def test_weights_add_up_on_one_pair():
    graph = small([["a", "b"]], "ab", [("a", ("b",)), ("b", ("a",)), ("", ("a",))], [(0, 1, 0.9)])
    assert edges_of(graph, ["p"])[frozenset("ab")] == pytest.approx(1 + 1 + 0.9)


@st.composite
def worlds(draw):
    """Passages that name some of a few entities, facts, synonyms, and a reset of three columns."""
    names = "abcdefg"[: draw(st.integers(0, 7))]
    some = st.lists(st.sampled_from(names), unique=True, max_size=4) if names else st.just([])
    passages = draw(st.lists(some, min_size=1, max_size=6))
    told, alike = [], []
    if len(names) > 1:
        for subject in draw(st.lists(st.sampled_from(names), max_size=6)):
            others = [name for name in draw(some) if name != subject]
            told.append((subject, tuple(others)))
        pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
        for i, j in draw(st.lists(st.sampled_from(pairs), unique=True, max_size=4)):
            alike.append((i, j, draw(st.floats(0.8, 1))))
    graph = small(passages, names, told, alike)
    raw = draw(arrays(np.float32, (graph.size, 3), elements=st.integers(0, 5).map(float)))
    raw[draw(st.integers(0, graph.size - 1)), 0] += 1
    return graph, raw / raw.sum()


@settings(max_examples=60)
@given(worlds(), st.sampled_from([0.05, 0.5, 0.85]))
def test_spread_is_pagerank(world, damping):
    graph, reset = world
    for mass, moved in graph.spread(reset, damping, rounds=500, enough=1e-6):
        assert float(mass.sum()) == pytest.approx(1, abs=1e-4)
        assert (mass >= 0).all()
        assert 0 <= moved <= 2 + 1e-5
    other = nx.Graph()
    other.add_nodes_from(range(graph.size))
    found = graph.edges.tocoo()
    other.add_weighted_edges_from(
        zip(found.row.tolist(), found.col.tolist(), found.data.tolist(), strict=True)
    )
    start = dict(enumerate(reset.sum(axis=1).tolist()))
    wanted = nx.pagerank(
        other, damping, start, weight="weight", dangling=start, tol=1e-10, max_iter=1000
    )
    assert mass.sum(axis=1) == pytest.approx([wanted[n] for n in range(graph.size)], abs=1e-4)


@settings(max_examples=40)
@given(worlds(), st.sampled_from([0.2, 0.5, 0.9]))
def test_each_column_is_what_came_from_its_source(world, damping):
    """Alone, a source spreads as it does together with the others."""
    graph, reset = world
    *_, (together, _) = graph.spread(reset, damping, rounds=300, enough=1e-7)
    for column in range(3):
        share = float(reset[:, column].sum())
        if not share:
            assert not together[:, column].any()
            continue
        alone = np.zeros_like(reset)
        alone[:, column] = reset[:, column] / share
        *_, (own, _) = graph.spread(alone, damping, rounds=300, enough=1e-7)
        assert np.argsort(together[:, column]).shape == np.argsort(own[:, column]).shape
        if not graph._stranded:
            assert together[:, column] == pytest.approx(own[:, column] * share, abs=1e-4)


def test_it_ends_when_it_stands_still(workbench):
    graph = workbench.get(ENTITY_GRAPH)
    reset = np.full((graph.size, 1), 1 / graph.size, np.float32)
    moved = [moved for _, moved in graph.spread(reset, 0.5)]
    assert 1 <= len(moved) < 30
    assert moved[-1] < 1e-3 <= min(moved[:-1], default=1)
    assert len(list(graph.spread(reset, 0.95, rounds=4, enough=0))) == 4


ODD = {
    "names nothing": [("", "it was a day like any other. nothing came of it.")],
    "only numbers": [("1998", "It was 1998. It cost 3.5 of 12.")],
    "odd characters": [
        ("#1", '#1 and `C++` met "O\'Neil & Söhne" at Łódź. <b>Bold</b> was there.'),
        ("entity:ada", "Entity:Ada met #1 > #2. Ada > Bob."),
        ("日本", "日本 is Japan. Ada; Bob, and C# in $\\alpha$."),
    ],
    "the same title": [("Ada", "Ada met Bob."), ("Ada", "Ada met Bob."), ("The Ada", "Ada sang.")],
    "no word": [("?!", "?! ... --"), ("-", "* * *")],
}


@pytest.mark.parametrize("world", ODD)
def test_odd_corpora(tmp_path, world):
    documents = [Document(f"d{i}", *each) for i, each in enumerate(ODD[world])]
    embedder = WordEmbedder()
    build(tmp_path / "odd", corpus(*documents), embedder, silent)
    bench = bench_on(tmp_path / "odd", embedder)
    graph = bench.get(ENTITY_GRAPH)
    assert graph.passages == len(bench.index.passages)
    assert graph.size == graph.passages + len(graph.entities.names)
    assert "" not in graph.entities.names
    reset = np.full((graph.size, 3), 1 / graph.size / 3, np.float32)
    for mass, _ in graph.spread(reset, 0.5):
        assert float(mass.sum()) == pytest.approx(1, abs=1e-4)


def test_it_is_stored_and_opened_as_it_was(built, embedder, workbench):
    first = workbench.get(ENTITY_GRAPH)
    facts = workbench.get(FACTS)
    assert {"entities", "facts"} <= set(shelved(built))
    later = bench_on(built, WordEmbedder(), making=None)
    again = later.get(ENTITY_GRAPH)
    assert again.entities.names == first.entities.names
    for mine, theirs in zip(first.entities.synonyms, again.entities.synonyms, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert (again.edges != first.edges).nnz == 0
    assert later.get(FACTS).facts == facts.facts
    np.testing.assert_array_equal(later.get(FACTS).vectors, facts.vectors)
    assert later.embedder.texts == []

    add(built, corpus(Document("isle", "Isle", "Ilo Venn left for the Isle.")), embedder, silent)
    bench = bench_on(built, embedder)
    assert {each.name for each in missing([ENTITY_GRAPH], bench)} == {"entities", "facts"}
    embedder.texts.clear()
    assert "isle" in bench.get(ENTITIES).names
    assert embedder.texts == ["isle"]
    assert bench.get(ENTITY_GRAPH).passages == 6
