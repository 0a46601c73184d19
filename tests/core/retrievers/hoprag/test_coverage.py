"""The coverage walk against a slow reading of its formula."""

from math import log

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.artefacts.lexical.bm25 import LEXICAL
from core.artefacts.workbench import Workbench
from core.indexing.updates import build
from core.playback import frame
from core.ranking import min_max
from core.retrievers import make
from core.retrievers.hoprag.coverage import Worth
from core.retrievers.hoprag.reasons import BRINGS, NAMED_WITH, refusals
from core.steps import Offered
from core.store.index import Index
from core.store.schema import passage_text
from core.text.entities.mentions import entity_key
from core.text.stop_words import STOP_WORDS
from core.text.tokens import words
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import DOCUMENTS, QUESTION, corpus, silent
from tests.core.meetings import NAMES, invariants, meetings

WORTH = Worth()
NAMED = 1.0
WIDTH = 6


def held(workbench, vertex):
    passage = workbench.index.passage(vertex)
    return set(words(passage_text(passage.title, passage.text)))


def entry_scores(workbench, question):
    """The hybrid score of every passage, and 1/r for the r-th best bearer of a name asked for."""
    index, asked = workbench.index, workbench.encode(question)
    every = np.arange(len(index.passages))
    bm25 = workbench.get(LEXICAL).scored(question).of(every)
    lexical = bm25 / max(bm25.max(), 1e-12) / 2
    dense = min_max((index.vectors @ asked.vector).astype(float)) / 2
    hybrid = {p.id: lexical[i] + dense[i] for i, p in enumerate(index.passages)}
    bonus = dict.fromkeys(hybrid, 0.0)
    for keyword in asked.keywords:
        bearers = [p.id for p in index.passages if entity_key(p.title) == keyword]
        for rank, vertex in enumerate(sorted(bearers, key=lambda v: -hybrid[v]), start=1):
            bonus[vertex] = max(bonus[vertex], 1 / rank)
    return {vertex: hybrid[vertex] + NAMED * bonus[vertex] for vertex in hybrid}


def neighbours(index, vertex):
    """(edge, end, whether backwards), one to each neighbour; an edge that leaves comes first."""
    found = {edge.target: (edge, False) for edge in index.graph.out_edges(vertex)}
    for edge in index.graph.in_edges(vertex):
        found.setdefault(edge.source, (edge, True))
    order = sorted(found, key=index.number.__getitem__)
    return [(found[end][0], end, found[end][1]) for end in order]


def reference(workbench, question, top_k, n_hop):
    """(score of each visited passage, visits), in plain loops."""
    index = workbench.index
    vector = workbench.encode(question).vector
    content = dict.fromkeys(word for word in words(question) if word not in STOP_WORDS)
    texts = [held(workbench, name) for name in index.ids]
    counts = {word: sum(word in text for text in texts) for word in content}
    idf = {w: log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for w, n in counts.items() if n}
    total = sum(idf.values())
    entry = entry_scores(workbench, question)
    queue = sorted(entry, key=lambda v: (-entry[v], index.number[v]))[:top_k]
    score = {vertex: entry[vertex] for vertex in queue}
    strength = dict(score)
    covered = {vertex: held(workbench, vertex) for vertex in queue}
    visits = dict.fromkeys(queue, 1)

    def cut():
        return sorted(score.values())[-top_k] if len(score) >= top_k else float("-inf")

    def worth(vertex, edge, end, backwards):
        new = held(workbench, end) - covered[vertex]
        share = sum(idf[word] for word in content if word in new) / total if total else 0
        text = index.graph.pseudo_query(edge.out_query_id).text
        cosine = max(0, float(workbench.embedder.encode([text])[0] @ vector))
        sum_ = WORTH.link + WORTH.coverage * share + WORTH.mention * cosine
        return strength[vertex] * sum_ * (WORTH.backwards if backwards else 1)

    for _ in range(n_hop):
        joined = []
        for vertex in queue:
            limit = cut()
            if score[vertex] < limit:
                continue
            offers = [(worth(vertex, *each), each[1]) for each in neighbours(index, vertex)]
            offers.sort(key=lambda offer: (-offer[0], index.number[offer[1]]))
            rising = [(w, end) for w, end in offers if entry[end] + w > limit]
            for value, end in rising[:WIDTH]:
                if end not in score:
                    joined.append(end)
                    strength[end] = value
                    covered[end] = covered[vertex] | held(workbench, end)
                visits[end] = visits.get(end, 0) + 1
                score[end] = max(score.get(end, 0), entry[end] + value)
        queue = joined
    return score, visits


def check_against_reference(workbench, question, top_k, n_hop):
    retriever = make("hoprag-coverage", workbench, top_k=top_k, n_hop=n_hop)
    steps = list(retriever.retrieve(question))
    invariants(workbench.index, steps, top_k)
    score, visits = reference(workbench, question, top_k, n_hop)
    last = frame(steps, len(steps))
    assert last.counter == visits
    found = {hit.passage_id: hit.score for hit in (*last.hits, *last.pruned)}
    assert found == pytest.approx(score, abs=1e-6)


@pytest.mark.parametrize("top_k", [1, 2, 3, 5])
@pytest.mark.parametrize("n_hop", [1, 2, 4])
def test_the_walk_is_its_formula(workbench, top_k, n_hop):
    check_against_reference(workbench, QUESTION.text, top_k, n_hop)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(meetings(), st.sampled_from(NAMES), st.integers(1, 4), st.integers(1, 4))
def test_random_worlds(tmp_path_factory, documents, name, top_k, n_hop):
    folder = tmp_path_factory.mktemp("random") / "index"
    embedder = WordEmbedder(32)
    build(folder, corpus(*documents), embedder, silent)
    workbench = Workbench(Index.open(folder), embedder)
    check_against_reference(workbench, f"Whom did {name} meet?", top_k, n_hop)


def judged(workbench, question, **settings):
    steps = make("hoprag-coverage", workbench, **settings).retrieve(question)
    return [step for step in steps if isinstance(step, Offered) and not step.entry]


def test_an_edge_shows_the_words_it_was_chosen_for(workbench):
    by_vertex = {step.at: step.offers for step in judged(workbench, QUESTION.text)}
    club = {offer.target: offer for offer in by_vertex["club"]}
    owner = {offer.target: offer for offer in by_vertex["owner"]}
    assert club["owner"].notes[0] == (BRINGS, "born")
    # Port Selby is named where the passage of the owner tells that she was born.
    assert owner["town"].notes == ((BRINGS, "town"), (NAMED_WITH, "born"))
    for offer in (*club.values(), *owner.values()):
        assert offer.score == pytest.approx(sum(part.value for part in offer.parts))
        assert [part.name for part in offer.parts] == ["link", "coverage", "mention"]


def test_a_passage_called_by_its_name_is_a_seed(workbench):
    steps = list(make("hoprag-coverage", workbench, top_k=1).retrieve("Tell of Ilo Venn."))
    (seed,) = steps[1].arrivals
    assert seed.id == "singer"
    assert {part.name: part.value for part in seed.parts}["named"] == 1.0


def test_a_name_stands_in_for_a_missing_title(tmp_path):
    documents = [Document(d.id, "", d.text, d.source) for d in DOCUMENTS]
    embedder = WordEmbedder(32)
    build(tmp_path / "index", corpus(*documents), embedder, silent)
    workbench = Workbench(Index.open(tmp_path / "index"), embedder)
    steps = list(make("hoprag-coverage", workbench, top_k=2).retrieve(QUESTION.text))
    assert {hit.passage_id for hit in steps[-1].hits} >= {"club"}
    assert {seed.id for seed in steps[1].arrivals} >= {"club"}
    assert workbench.index.names[workbench.index.number["club"]] == "Harbour Rovers"
    first = next(step for step in steps if isinstance(step, Offered) and step.at == "club")
    assert {"owner", "stadium"} <= {offer.target for offer in first.offers}


def test_what_fell_below_the_cut_is_not_looked_at(workbench):
    skipped = [
        step
        for top_k in (1, 2, 3)
        for step in judged(workbench, QUESTION.text, top_k=top_k)
        if not step.offers and "No longer in the top" in step.told.reason
    ]
    assert skipped
    assert all(not step.taken and not step.considered for step in skipped)


@pytest.mark.parametrize(("top_k", "width"), [(2, 6), (3, 1), (5, 1)])
def test_each_refused_edge_says_what_kept_it_out(workbench, top_k, width):
    """A refusal is what the edge's end comes to against the cut, or edges that are worth more."""
    entry = entry_scores(workbench, QUESTION.text)
    refused = [
        (step, offer)
        for step in judged(workbench, QUESTION.text, top_k=top_k, width=width)
        for offer in step.offers
        if not offer.taken
    ]
    assert refused
    for step, offer in refused:
        if offer.margin is None:
            assert offer.why == f"only the best {width} are followed"
            assert len(step.taken) == width
            assert offer.score <= min(one.score for one in step.taken)
        else:
            comes = entry[offer.target] + offer.score
            cut = f"{comes - offer.margin:.3f}"
            assert offer.margin <= 0
            assert offer.why == f"score {comes:.3f}, cut-off {cut} (rank {top_k})"
            assert cut in step.told.reason
    assert all(not one.why for step, _ in refused for one in step.taken)


def test_backwards_is_worth_its_share(workbench):
    by = {
        share: {
            (step.at, offer.tie): offer
            for step in judged(workbench, QUESTION.text, backwards=share, n_hop=1)
            for offer in step.offers
        }
        for share in (0.5, 1.0)
    }
    assert any(offer.backwards for offer in by[0.5].values())
    for name, offer in by[0.5].items():
        assert by[1.0][name].score == pytest.approx(offer.score * (2 if offer.backwards else 1))


def test_what_stands_above_the_line_by_another_edge_is_told_so():
    found = refusals([0.9, 0.4, 0.3], 0.5, [0, 2, 0], width=6, top_k=20)
    why = "score 0.300, cut-off 0.500 (rank 20)"
    assert found == [("", None), ("already at rank 2 without this edge", None), (why, 0.3 - 0.5)]
