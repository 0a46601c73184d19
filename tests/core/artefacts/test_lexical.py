import pytest

from core.artefacts.lexical import LEXICAL
from core.artefacts.workbench import Workbench
from core.build import build
from core.retrievers import make
from core.store.index import Index
from tests.core import languages
from tests.core.five import QUESTION, corpus, silent


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


def test_the_trace_names_the_engine(small, large):
    small_end = list(make("bm25", small).retrieve(QUESTION.text))[-1]
    large_end = list(make("bm25", large).retrieve(QUESTION.text))[-1]
    assert small_end.engine == "rank-bm25"
    assert large_end.engine == "LanceDB full-text"
    assert large_end.hits[0].passage_id == small_end.hits[0].passage_id == "club"


@pytest.mark.parametrize("text", ["title:club AND (", '"owner', "club^9 -owner *", "'", "%_", ""])
def test_a_question_is_never_query_syntax(large, text):
    assert large.get(LEXICAL).scores(text).shape == (5,)


def test_words_of_nothing_score_nothing(small, large):
    for bench in (small, large):
        assert bench.get(LEXICAL).scores("zzzz").max() <= 0


def test_both_engines_count_the_same_words(tmp_path, embedder, large_from):
    large_from(5)
    build(tmp_path / "large", languages.corpus("Chinese"), embedder, silent)
    bench = Workbench(Index.open(tmp_path / "large"), embedder)
    assert bench.get(LEXICAL).engine == "LanceDB full-text"
    for question in bench.index.questions:
        scores = bench.get(LEXICAL).scores(question.text)
        assert bench.index.passages[scores.argmax()].id == question.gold[0]
