"""Questions of two hops in five languages, with an embedder that reads them and with one that does
not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.indexing.updates import build
from core.models.embedder import Embedder, load_embedder
from core.models.legible import legible
from core.retrievers import make
from core.settings import BUNDLED_EMBEDDER
from core.store.index import Index
from core.types import Query
from tests.core.five import silent
from tests.core.languages import ASKED, LANGUAGES, TEXTS, corpus
from tests.core.tiny_model import make_tiny_model

K = 4
HOPS = ("hoprag-coverage", "hoprag-similarity")


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    """A sentence-transformers folder whose vocabulary has the words of all five languages."""
    texts = [text for part in TEXTS.values() for pair in part.items() for text in pair]
    asked = [question for questions in ASKED.values() for question in questions]
    return load_embedder(str(make_tiny_model(tmp_path_factory.mktemp("model"), texts + asked)))


def opened(folder: Path, language: str, embedder: Embedder) -> Workbench:
    build(folder, corpus(language), embedder, silent)
    return Workbench(Index.open(folder, embedder.info), embedder)


def found(workbench: Workbench, retriever: str, question: Query) -> list[str]:
    steps = list(make(retriever, workbench, top_k=K).retrieve(question.text))
    return [hit.passage_id for hit in steps[-1].hits]


def asked(workbench: Workbench) -> Iterator[tuple[Query, str, str]]:
    for question in workbench.index.questions:
        first, second = question.gold
        edges = workbench.index.graph.out_edges(first)
        assert [edge.jaccard for edge in edges if edge.target == second] == [1.0], question
        yield question, first, second


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hop_finds_what_no_likeness_does(
    language: str, tmp_path: Path, reading: Embedder
) -> None:
    workbench = opened(tmp_path / "index", language, reading)
    assert legible(reading.info.name, list(TEXTS[language].values())).share == 0
    for question, first, second in asked(workbench):
        assert first in found(workbench, "bm25", question)
        for retriever in ("bm25", "dense", "hybrid"):
            assert second not in found(workbench, retriever, question), (retriever, question)
        assert any(second in found(workbench, hop, question) for hop in HOPS), question


@pytest.mark.embedder
@pytest.mark.parametrize("language", LANGUAGES)
def test_words_and_names_work_with_an_embedder_that_reads_english(
    language: str, tmp_path: Path
) -> None:
    workbench = opened(tmp_path / "index", language, load_embedder(BUNDLED_EMBEDDER))
    assert legible(BUNDLED_EMBEDDER, list(TEXTS[language].values())).share > 0.5
    for question, first, second in asked(workbench):
        assert first in found(workbench, "bm25", question)
        assert first in found(workbench, "hoprag-coverage", question)
        assert any(second in found(workbench, hop, question) for hop in HOPS), question
