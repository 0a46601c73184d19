"""Algorithm 1 against a slow reading of it, and the formulas of Eq. 1 to 3."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.hop_graph.edges import jaccard
from core.indexing.updates import build
from core.playback import frame
from core.retrievers import make
from core.retrievers.hoprag.walking import ENTRY_REASONS
from core.steps import Offered
from core.store.index import Index
from core.store.schema import passage_text
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent
from tests.core.meetings import NAMES, invariants, meetings


def sim(workbench, keywords, vector, question):
    """Eq. 1, of anything with the question."""
    asked = workbench.encode(question)
    return (jaccard(set(keywords), set(asked.keywords)) + float(vector @ asked.vector)) / 2


def matched(workbench, edge):
    """The vector of the in-coming question: as it is matched, not as it is shown."""
    text = workbench.index.graph.pseudo_query(edge.in_query_id).text
    return workbench.embedder.encode([text])[0]


def edge_sim(workbench, edge, question):
    vector = matched(workbench, edge)
    return sim(workbench, edge.keywords, vector, question)


def passage_sim(workbench, passage_id, question):
    passage = workbench.index.passage(passage_id)
    text = passage_text(passage.title, passage.text)
    vector = workbench.embedder.encode([text])[0]
    return sim(workbench, workbench.get(KEYWORDS).of(text), vector, question)


def all_edges(index):
    return [edge for passage in index.passages for edge in index.graph.out_edges(passage.id)]


def reference(workbench, question, top_k, n_hop):
    """Algorithm 1 line by line: (passages kept, their Helpfulness, visits)."""
    index = workbench.index
    queue = []
    for edge in sorted(all_edges(index), key=lambda e: -edge_sim(workbench, e, question)):
        if edge.target not in queue and len(queue) < top_k:
            queue.append(edge.target)
    count = dict.fromkeys(queue, 1)
    for _ in range(n_hop):
        for vertex in list(queue):
            queue.remove(vertex)
            edges = index.graph.out_edges(vertex)
            if not edges:
                continue
            end = max(edges, key=lambda e: edge_sim(workbench, e, question)).target
            if end not in count:
                queue.append(end)
            count[end] = count.get(end, 0) + 1
    visits = sum(count.values())
    helpfulness = {v: (passage_sim(workbench, v, question) + count[v] / visits) / 2 for v in count}
    kept = sorted(helpfulness, key=lambda v: -helpfulness[v])[:top_k]
    return kept, helpfulness, count


@pytest.mark.parametrize("top_k", [1, 2, 5])
@pytest.mark.parametrize("n_hop", [1, 2, 4])
def test_the_walk_of_algorithm_1(workbench, top_k, n_hop):
    kept, helpfulness, count = reference(workbench, QUESTION.text, top_k, n_hop)
    retriever = make("hoprag-similarity", workbench, top_k=top_k, n_hop=n_hop)
    steps = list(retriever.retrieve(QUESTION.text))
    last = frame(steps, len(steps))
    assert last.counter == count
    assert [hit.passage_id for hit in last.hits] == kept
    for hit in (*last.hits, *last.pruned):
        assert hit.score == pytest.approx(helpfulness[hit.passage_id], abs=1e-6)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(meetings(), st.sampled_from(NAMES), st.integers(1, 4), st.integers(1, 4))
def test_random_worlds_walk_as_the_reference(tmp_path_factory, documents, name, top_k, n_hop):
    folder = tmp_path_factory.mktemp("random") / "index"
    embedder = WordEmbedder(32)
    build(folder, corpus(*documents), embedder, silent)
    workbench = Workbench(Index.open(folder), embedder)
    question = f"Whom did {name} meet?"
    _, helpfulness, count = reference(workbench, question, top_k, n_hop)
    steps = list(make("hoprag-similarity", workbench, top_k=top_k, n_hop=n_hop).retrieve(question))
    invariants(workbench.index, steps, top_k)
    last = frame(steps, len(steps))
    assert last.counter == count
    scores = {hit.passage_id: hit.score for hit in (*last.hits, *last.pruned)}
    assert scores == pytest.approx(helpfulness, abs=1e-6)


def test_an_edge_on_offer_shows_both_halves_of_sim(workbench):
    steps = list(make("hoprag-similarity", workbench).retrieve(QUESTION.text))
    looked_at = [step for step in steps if isinstance(step, Offered) and not step.entry]
    for offer in looked_at[0].offers:
        edge = workbench.index.graph.edge(offer.tie)
        asked = workbench.encode(QUESTION.text)
        keywords = jaccard(set(edge.keywords), set(asked.keywords))
        cosine = matched(workbench, edge) @ asked.vector
        parts = {part.name: part.value for part in offer.parts}
        assert parts == pytest.approx({"keywords": keywords / 2, "dense": cosine / 2}, abs=1e-6)


@pytest.mark.parametrize("key", ["hoprag-similarity", "hoprag-coverage"])
@pytest.mark.parametrize("entry", ["edge", "node", "hybrid"])
def test_every_entry_starts_at_its_best(workbench, key, entry):
    steps = list(make(key, workbench, entry=entry, top_k=3).retrieve(QUESTION.text))
    seeded = steps[1]
    kind = "edges" if entry == "edge" else "passages"
    assert (seeded.of, seeded.entry, len(seeded.arrivals) >= 3) == (kind, True, True)
    assert seeded.told.reason == ENTRY_REASONS[entry]
    scores = [offer.score for offer in seeded.offers]
    assert scores == sorted(scores, reverse=True)
    assert [seed.id for seed in seeded.arrivals] == [o.target for o in seeded.offers]
    if entry == "edge":
        best = max(edge_sim(workbench, e, QUESTION.text) for e in all_edges(workbench.index))
        assert scores[0] == pytest.approx(best, abs=1e-6)


def test_an_unknown_entry_is_refused(workbench):
    with pytest.raises(InputError, match="edge, node, hybrid"):
        list(make("hoprag-similarity", workbench, entry="door").retrieve("x"))
