"""Trees of clusters: they end, hold everything, and their summaries are who they say they are."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.artefacts.base import Artefact
from core.artefacts.cost_forecast import forecast
from core.artefacts.entity_graph.graph import FACTS, Fact
from core.artefacts.making import make_artefacts
from core.artefacts.stored_artefacts import missing
from core.artefacts.tree import growing, summaries
from core.artefacts.tree.clustering import DIMENSIONS, mixture, soft_clusters
from core.artefacts.tree.related import RELATED, by_entity
from core.artefacts.tree.similar import TREE
from core.errors import LlmError, ReplyUnreadable
from core.indexing.updates import add, build, remove
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.store.artefact_tables import shelved
from core.types import Document
from core.vectors import unit_norm
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint


def cloud(seed: int, groups: int, each: int, spread: float = 0.05, dimension: int = 24):
    """Rows round `groups` centres that lie far from one another."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(groups, dimension))
    rows = np.repeat(centres, each, axis=0) + spread * rng.normal(size=(groups * each, dimension))
    return unit_norm(rows.astype(np.float32))


def test_rows_round_one_centre_are_a_cluster():
    found = mixture(cloud(0, groups=4, each=10))
    assert [part.tolist() for part in found if len(part)]
    wanted = {tuple(range(10 * g, 10 * g + 10)) for g in range(4)}
    assert {tuple(part.tolist()) for part in found} == wanted


def test_a_row_between_two_centres_is_in_both():
    rows = cloud(1, groups=2, each=30)
    between = unit_norm(rows[:1] + rows[59:])
    found = soft_clusters(np.concatenate((rows, between)), [1] * 61, 100)
    assert sum(60 in part for part in found) >= 1
    assert set(np.concatenate(found).tolist()) == set(range(61))


@pytest.mark.parametrize("rows", range(1, DIMENSIONS + 2))
def test_a_few_rows_are_one_cluster(rows):
    assert [part.tolist() for part in soft_clusters(cloud(2, 1, rows), [1] * rows, 100)] == [
        list(range(rows))
    ]


@settings(max_examples=8, deadline=None)
@given(st.integers(1, 30), st.integers(1, 4), st.sampled_from([0.0, 0.3]), st.integers(1, 12))
def test_it_ends_and_every_cluster_has_room(rows, seed, spread, room):
    """Also where all rows are the same, which no mixture takes apart."""
    vectors = cloud(seed, 1, rows, spread)
    sizes = [1 + n % 3 for n in range(rows)]
    found = soft_clusters(vectors, sizes, room)
    assert set(np.concatenate(found).tolist()) == set(range(rows))
    for part in found:
        assert len(part) == 1 or sum(sizes[n] for n in part) <= room
        assert len(set(part.tolist())) == len(part)
    again = soft_clusters(vectors, sizes, room)
    assert [part.tolist() for part in again] == [part.tolist() for part in found]


def test_a_summary_is_of_the_sentences_nearest_to_the_centre(monkeypatch):
    monkeypatch.setattr(summaries, "WORDS", 3)
    vectors = np.eye(4, 2, dtype=np.float32)
    vectors[2:] = [[0.8, 0.6], [0.6, 0.8]]
    told = summaries.Sentences(["far away", "near it", "the nearest one", "near it"], vectors)
    centre = np.array([0, 1], np.float32)
    assert summaries.nearest([0, 1, 3, 2, 1], told, centre) == (1,)
    assert summaries.nearest([2, 0], told, centre) == (2,)
    assert summaries.nearest([], told, centre) == ()
    monkeypatch.setattr(summaries, "WORDS", 5)
    assert summaries.nearest([2, 3], told, centre) == (2, 3)  # 5 words, in their own order


@pytest.fixture
def topics(tmp_path):
    """Passages about four things, eight of each."""
    topics = ("harbour ships tide", "violin opera score", "glacier snow peak", "oven bread salt")
    documents = tuple(
        Document(f"d{n:02}", f"T{n}", f"{topics[n % 4]}. Mara tells number {n} of {topics[n % 4]}.")
        for n in range(32)
    )
    folder = tmp_path / "topics"
    build(folder, corpus(*documents), WordEmbedder(), silent)
    return folder


def assert_whole(tree, leaves):
    """Layer by layer every node is held, and there are fewer of them the higher it goes."""
    layers = sorted({cluster.layer for cluster in tree.clusters})
    assert layers == list(range(1, len(layers) + 1))
    below = set(range(leaves))
    for layer in layers:
        here = [n for n, cluster in enumerate(tree.clusters) if cluster.layer == layer]
        assert {m for n in here for m in tree.clusters[n].members} == below
        assert len(here) < len(below)
        below = {leaves + n for n in here}
    assert {tree.leaves + n for n in tree.roots} == (below if layers else set())
    for root in tree.roots:
        assert set(tree.below(root)) <= set(range(leaves))
    assert len(tree.clusters) == len(tree.vectors)


def test_a_tree_holds_every_passage(topics):
    bench = bench_on(topics, WordEmbedder())
    tree = bench.get(TREE)
    assert len(tree.clusters) >= 3
    assert_whole(tree, 32)
    for cluster in tree.clusters:
        assert cluster.maker == ""
        assert cluster.text
    related = bench.get(RELATED)
    assert_whole(related.tree, len(related.aggregates.names))
    shown = [related.below(n) for n in related.tree.roots]
    assert {passage for each in shown for passage in each} <= set(range(32))


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_a_small_corpus_has_one_cluster_or_none(tmp_path, count):
    documents = (Document(f"d{n}", f"T{n}", f"A line about {n}.") for n in range(count))
    build(tmp_path / "i", corpus(*documents), WordEmbedder(), silent)
    tree = bench_on(tmp_path / "i", WordEmbedder()).get(TREE)
    assert [cluster.members for cluster in tree.clusters] == [tuple(range(count))] * (count > 1)


def test_a_passage_without_a_name_or_a_sentence_that_states_anything(tmp_path):
    documents = (Document(f"d{n}", "", f"so it goes {n}") for n in range(3))
    build(tmp_path / "i", corpus(*documents), WordEmbedder(), silent)
    tree = bench_on(tmp_path / "i", WordEmbedder()).get(TREE)
    assert [bool(cluster.text) for cluster in tree.clusters] == [True]


def test_it_follows_the_documents_and_embeds_nothing_twice(topics):
    embedder = WordEmbedder()
    first = bench_on(topics, embedder)
    before = first.get(TREE)
    add(topics, corpus(Document("new", "New", "harbour ships tide. One more.")), embedder, silent)
    assert missing([TREE], bench_on(topics, embedder, making=None))
    embedder.texts.clear()
    after = bench_on(topics, embedder).get(TREE)
    assert_whole(after, 33)
    kept = {cluster.text for cluster in before.clusters}
    assert not kept & set(embedder.texts)
    remove(topics, ["new"], embedder, silent)
    embedder.texts.clear()
    again = bench_on(topics, embedder).get(TREE)
    assert again.clusters == before.clusters
    assert embedder.texts == []


def oracle_of(server, folder, *, proven=False):
    return Oracle(Llm(endpoint(server), retries=0), Replies(folder), LEAVE, proven=proven)


def test_a_model_writes_the_summaries_and_is_paid_once(built, embedder):
    def answer(request):
        return Answer(json.dumps({"summary": f"{len(request.data['texts'])} texts of a club."}))

    with ChatServer(answer) as server:
        oracle = oracle_of(server, built)
        bench = bench_on(built, embedder)
        bench.oracle = oracle
        assert "scripted: about 1 call (at most 2), " in forecast(bench, [TREE])
        assert server.requests == []
        tree = bench.get(TREE)
        assert [(c.text, c.maker) for c in tree.clusters] == [("5 texts of a club.", "scripted")]
        assert len(server.requests) == 1
        add(built, corpus(Document("isle", "Isle", "It is an isle.")), embedder, silent)
        bench = bench_on(built, embedder)
        bench.oracle = oracle
        assert bench.get(TREE).clusters[0].text == "6 texts of a club."
        remove(built, ["isle"], embedder, silent)
        bench = bench_on(built, embedder)
        bench.oracle = oracle
        assert bench.get(TREE).clusters == tree.clusters
        assert len(server.requests) == 2


def test_a_reply_that_cannot_be_used_leaves_the_sentences_and_is_counted(topics, tmp_path):
    alone = {
        cluster.members: cluster.text
        for cluster in bench_on(topics, WordEmbedder()).get(TREE).clusters
    }

    def every_second(request):
        return Answer(json.dumps({"summary": "A summary." if "T0" in request.user else " "}))

    told = []
    with ChatServer(every_second) as server:
        bench = bench_on(topics, WordEmbedder(), making=told.append)
        # Which clusters come first is up to their numbers: six unusable replies would end it.
        bench.oracle = oracle_of(server, tmp_path / "r", proven=True)
        clusters = bench.get(TREE).clusters
    by_rules = [cluster for cluster in clusters if not cluster.maker]
    assert {cluster.text for cluster in clusters if cluster.maker} == {"A summary."}
    assert 0 < len(by_rules) < len(clusters)
    assert all(alone.get(cluster.members, cluster.text) == cluster.text for cluster in by_rules)
    row = shelved(topics)["tree"]
    assert (row.authorship.by_model, row.authorship.by_rules) == (
        len(clusters) - len(by_rules),
        len(by_rules),
    )
    assert "no summary" in row.authorship.why
    assert max(each.authorship.by_rules for each in told if each.authorship) > 0
    assert f"{len(by_rules)} by rules: " in bench.authorship(TREE)
    with pytest.raises(ReplyUnreadable, match="summary"):
        summaries.read_summary('{"summary": ""}')


def test_a_model_that_is_refused_stops_the_making(workbench, tmp_path):
    with ChatServer(lambda _: Answer("no such key", status=401)) as server:
        bench = bench_on(workbench.index.path, workbench.embedder)
        bench.oracle = oracle_of(server, tmp_path / "r")
        with pytest.raises(LlmError):
            make_artefacts(bench, [TREE], silent)
        bench.oracle = None
        assert missing([TREE], bench) == (TREE,)


def test_what_has_a_substitute_asks_only_a_model_that_is_there(workbench, oracle):
    assert TREE.asks(oracle)
    assert not TREE.asks(None)
    assert Artefact("x", "", lambda b, t: t, asks_model=True).asks(None)
    assert not FACTS.asks(oracle)
    assert forecast(workbench, [TREE]) == ""


def test_more_texts_are_foreseen_as_more_calls():
    found = [growing.estimated_prompts(["a text"] * n) for n in (1, 2, 4, 5, 16, 17)]
    assert [len(each.prompts) for each in found] == [0, 1, 1, 2 + 1, 4 + 1, 5 + 2 + 1]
    assert [each.most for each in found] == [4 * len(each.prompts) for each in found]


def test_facts_stand_together_by_the_entity_that_they_name():
    facts = [
        Fact(0, "ada", "Ada met Bob.", ("bob", "1979")),
        Fact(1, "ada", "Ada left Cyd.", ("cyd",)),
        Fact(2, "", "Dee met Eve.", ("dee", "eve")),
    ]
    # What is told of Bob and Cyd stands with Ada; of Dee and Eve the first has their one fact.
    assert by_entity(facts) == {"ada": (0, 1), "dee": (2,)}


def test_what_is_told_of_an_entity_is_the_mean_of_its_facts(workbench):
    related, facts = workbench.get(RELATED), workbench.get(FACTS)
    told = related.aggregates
    number = told.names.index("port selby")
    rows = [n for n, fact in enumerate(facts.facts) if "port selby" in fact.names]
    assert told.facts[number] == tuple(rows)
    assert told.vectors[number] == pytest.approx(unit_norm(facts.vectors[rows].sum(0)[None])[0])
    assert told.text(number).split("\n") == [facts.facts[n].text for n in rows]
