"""The numbers of each one-shot method, written as their formulas."""

from math import log

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from core.artefacts.lexical.bm25 import LEXICAL
from core.ranking import best, min_max
from core.retrievers import make
from core.store.schema import passage_text
from core.text.tokens import words

QUESTION = "In which town was the owner of Harbour Rovers born?"


def hits(workbench, key, **settings):
    return list(make(key, workbench, **settings).retrieve(QUESTION))[-1].hits


@pytest.fixture
def bm25(workbench):
    texts = [words(passage_text(p.title, p.text)) for p in workbench.index.passages]
    okapi, n = BM25Okapi(texts), len(texts)
    for word in okapi.idf:
        holding = sum(word in text for text in texts)
        okapi.idf[word] = log(1 + (n - holding + 0.5) / (holding + 0.5))
    return okapi.get_scores(words(QUESTION))


@pytest.fixture
def cosines(workbench):
    index, embedder = workbench.index, workbench.embedder
    vectors = embedder.encode([passage_text(p.title, p.text) for p in index.passages])
    return vectors @ embedder.encode([QUESTION])[0]


def expected(workbench, scores):
    ids = [passage.id for passage in workbench.index.passages]
    return {ids[i]: pytest.approx(scores[i], abs=1e-6) for i in np.argsort(-scores)}


def test_bm25_adds_up_word_by_word(workbench, bm25):
    found = hits(workbench, "bm25")
    assert {hit.passage_id: hit.score for hit in found} == {
        name: score for name, score in expected(workbench, bm25).items() if score != 0
    }
    assert {part.name for part in found[0].parts} <= set(words(QUESTION))


def test_dense_is_the_cosine(workbench, cosines):
    assert {hit.passage_id: hit.score for hit in hits(workbench, "dense")} == expected(
        workbench, cosines
    )


def test_hybrid_is_half_of_each_scaled(workbench, bm25, cosines):
    def scaled(x):
        return (x - x.min()) / (x.max() - x.min())

    total = bm25 / bm25.max() / 2 + scaled(cosines) / 2
    assert {hit.passage_id: hit.score for hit in hits(workbench, "hybrid")} == expected(
        workbench, total
    )


def test_rrf_adds_reciprocal_ranks(workbench, bm25, cosines):
    def rank(scores, i):
        return 1 + sum(scores > scores[i])

    total = np.array(
        [(bm25[i] > 0) / (60 + rank(bm25, i)) + 1 / (60 + rank(cosines, i)) for i in range(5)]
    )
    assert {hit.passage_id: hit.score for hit in hits(workbench, "hybrid-rrf")} == expected(
        workbench, total
    )


def test_best_keeps_ties_in_order():
    scores = np.array([1.0, 3.0, 2.0, 3.0, 2.0, 2.0])
    assert best(scores, 4).tolist() == [1, 3, 2, 4]
    assert best(scores, 99).tolist() == [1, 3, 2, 4, 5, 0]


def test_min_max_of_equal_scores_is_zero():
    assert min_max(np.array([2.0, 2.0])).tolist() == [0.0, 0.0]
    assert min_max(np.array([1.0, 2.0, 3.0])).tolist() == [0.0, 0.5, 1.0]


def test_addends_of_a_word_asked_twice_sum_to_the_score(workbench):
    # The retriever writes addends for its hits; their sum is the score that BM25 itself gave.
    twice = "Rovers Rovers Rovers brewer"
    scores = workbench.get(LEXICAL).scored(twice).of(np.arange(5))
    for hit in list(make("bm25", workbench).retrieve(twice))[-1].hits:
        told = sum(part.value for part in hit.parts)
        assert told == pytest.approx(scores[workbench.index.number[hit.passage_id]], rel=1e-6)


def test_rrf_ranks_no_passage_by_words_it_does_not_share(workbench):
    matched = workbench.get(LEXICAL).scored("stadium").matched(np.arange(5))
    found = list(make("hybrid-rrf", workbench).retrieve("stadium"))[-1].hits
    without = [hit for hit in found if not matched[workbench.index.number[hit.passage_id]]]
    assert without
    for hit in found:
        value = next(part.value for part in hit.parts if part.name == "lexical")
        assert (value == 0) == (hit in without)
