from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.artefacts.lexical.bm25 import LEXICAL, InMemory
from core.artefacts.workbench import Workbench
from core.corpus.types import Corpus
from core.indexing.updates import build
from core.retrievers import make
from core.store import derived_tables
from core.store.index import Index
from core.types import Document
from tests.core import languages
from tests.core.exact import ExactEmbedder, build_sample
from tests.core.five import QUESTION, corpus, silent

TEXTS = st.lists(st.lists(st.sampled_from("abcde"), max_size=6), min_size=1, max_size=6)


@pytest.fixture
def small(workbench):
    """The five passages in memory, whatever the limit becomes."""
    assert workbench.get(LEXICAL).engine == "rank-bm25"
    return workbench


@pytest.fixture
def large(small, tmp_path, embedder, large_from):
    """The five passages, treated as too many for memory."""
    large_from(5)
    build(tmp_path / "large", corpus(), embedder, silent)
    return Workbench(Index.open(tmp_path / "large"), embedder)


def scores(bench, text):
    """(n,) the score of every passage."""
    return bench.get(LEXICAL).scored(text).of(np.arange(len(bench.index.ids)))


@given(TEXTS, st.lists(st.sampled_from("abcdex"), max_size=4))
def test_scores_are_those_of_the_formula(passages, query):
    """k1 1.5, b 0.75, and Lucene's inverse document frequency; summed over repeated words."""
    n, average = len(passages), sum(map(len, passages)) / len(passages)
    found = InMemory(passages).scored(" ".join(query))
    every = np.arange(n)
    for passage, score, matched in zip(
        passages, found.of(every), found.matched(every), strict=True
    ):
        expected = 0.0
        for word in query:
            holding = sum(word in other for other in passages)
            often = passage.count(word)
            if often:
                idf = log(1 + (n - holding + 0.5) / (holding + 0.5))
                length = 1 - 0.75 + 0.75 * len(passage) / average
                expected += idf * often * 2.5 / (often + 1.5 * length)
        assert score == pytest.approx(expected)
        assert matched == bool({*query} & {*passage})
        assert matched == (score > 0)


@pytest.mark.parametrize(
    ("texts", "query", "found"),
    [
        (("Gale windmill turns above Orrin.", "The weather was calm."), "windmill Orrin", "0"),
        (("The river is at Selby.",), "What river is Selby on?", "0"),
        (("copper", "copper tin", "silver", "gold"), "copper", "01"),
        (("the cat", "the dog", "the bird", "a copper fish"), "the copper", "3012"),
    ],
    ids=["words in half of two", "one passage", "a word in half of four", "a common and a rare"],
)
def test_a_word_in_half_or_more_of_the_passages_counts(texts, query, found, tmp_path, embedder):
    documents = tuple(Document(str(n), "", text, f"{n}.txt") for n, text in enumerate(texts))
    build(tmp_path / "few", Corpus(documents, ()), embedder, silent)
    bench = Workbench(Index.open(tmp_path / "few"), embedder)
    hits = list(make("bm25", bench).retrieve(query))[-1].hits
    assert [hit.passage_id for hit in hits] == list(found)
    assert all(hit.score > 0 and all(part.value > 0 for part in hit.parts) for hit in hits)
    for retriever in ("hybrid", "hybrid-rrf", "hoprag-coverage"):
        lexical = {
            hit.passage_id: part.value
            for hit in list(make(retriever, bench).retrieve(query))[-1].hits
            for part in hit.parts
            if part.name == "lexical"
        }
        assert {name for name, value in lexical.items() if value > 0} == set(found)


def test_the_trace_names_the_engine(small, large):
    small_end = list(make("bm25", small).retrieve(QUESTION.text))[-1]
    large_end = list(make("bm25", large).retrieve(QUESTION.text))[-1]
    assert small_end.engine == "rank-bm25"
    assert large_end.engine == "LanceDB full-text"
    assert large_end.hits == small_end.hits
    assert large_end.hits[0].passage_id == "club"


@pytest.mark.parametrize("text", ["title:club AND (", '"owner', "club^9 -owner *", "'", "%_", ""])
def test_a_question_is_never_query_syntax(small, large, text):
    assert scores(large, text).tolist() == scores(small, text).tolist()


def test_words_of_nothing_score_nothing(small, large):
    for bench in (small, large):
        assert scores(bench, "zzzz").tolist() == [0.0] * 5
        assert not bench.get(LEXICAL).scored("zzzz").matched(np.arange(5)).any()


def test_both_engines_count_the_same_words(tmp_path, embedder, large_from):
    large_from(5)
    build(tmp_path / "large", languages.corpus("Chinese"), embedder, silent)
    bench = Workbench(Index.open(tmp_path / "large"), embedder)
    assert bench.get(LEXICAL).engine == "LanceDB full-text"
    for question in bench.index.questions:
        best = scores(bench, question.text).argmax()
        assert bench.index.passages[best].id == question.gold[0]


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """A large index of the sample."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOPRAG_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("HOPRAG_LARGE_FROM", "100")
        from core.settings import settings

        settings.cache_clear()
        folder = tmp_path_factory.mktemp("lexical") / "sample"
        asked = build_sample(folder)
        bench = Workbench(Index.open(folder), ExactEmbedder())
    settings.cache_clear()
    return bench, asked


@pytest.mark.parametrize("count", [1, 5, 40])
def test_no_passage_that_is_not_listed_scores_more_than_is_said(sample, count):
    bench, asked = sample
    for question in (*asked, "the the of", "Who was born in 1952 in the town of the river?"):
        scored = bench.get(LEXICAL).scored(question)
        numbers, rest = scored.first(count)
        others = np.setdiff1d(np.arange(len(bench.index.ids)), numbers)
        assert len(numbers) == count
        assert scored.of(others).max() <= rest


def test_an_index_with_the_full_text_defaults_of_before_scores_by_the_same_words(
    tmp_path, embedder, large_from, monkeypatch, small
):
    """LanceDB's defaults stem, fold, and leave out function words: what they find is not all."""
    write = derived_tables._vocabulary
    monkeypatch.setattr(
        derived_tables, "OWN_WORDS", derived_tables.FTS(base_tokenizer="whitespace")
    )
    monkeypatch.setattr(derived_tables, "_vocabulary", lambda table: write(table).select([0, 1]))
    large_from(5)
    build(tmp_path / "old", corpus(), embedder, silent)
    old = Workbench(Index.open(tmp_path / "old"), embedder)
    assert "built by an earlier version" in old.get(LEXICAL).engine
    assert scores(old, QUESTION.text).tolist() == scores(small, QUESTION.text).tolist()
    hits = list(make("bm25", old).retrieve("clubs brewing"))[-1].hits
    assert hits == ()  # stems that are no words of a passage
    assert list(make("bm25", old).retrieve("brewer"))[-1].hits[0].passage_id == "owner"


def test_a_repeated_word_of_the_query_counts_as_often(small, large):
    for bench in (small, large):
        once, twice = scores(bench, "club"), scores(bench, "club club")
        assert twice.tolist() == (2 * once).tolist()
        parts = bench.get(LEXICAL).parts("club club", [0])[0]
        assert Counter(part.name for part in parts) == {"club": 1}
        assert sum(part.value for part in parts) == twice[0]
