"""What an index contains once files are added, told before and as it is added."""

from pathlib import Path

import pytest

from core.corpus.assembly import assemble
from core.corpus.file_contents import Contents
from core.corpus.types import Corpus
from core.corpus.updates.added import Added
from core.indexing.joining import join, passages_after
from core.indexing.updates import add, build
from core.store.index import Index
from core.types import Document, Query
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

ASH = Document("1", "Ash", "Ash is a river.", "a.txt")
SELBY = Document("2", "Selby", "Selby is a port.", "a.txt")
YORK = Document("3", "York", "York is a city.", "b.txt")


def asked(name: str, *gold: str) -> Query:
    return Query("q", "Where does it end?", gold=gold, origin=name)


def read(*documents: Document, queries: tuple[Query, ...] = ()) -> Corpus:
    return assemble([Contents("Test", list(documents), list(queries))])


@pytest.fixture
def index(tmp_path: Path) -> Index:
    folder = tmp_path / "ix"
    corpus = read(ASH, SELBY, queries=(asked("q.jsonl", "Ash"),))
    build(folder, corpus, WordEmbedder(), silent)
    return Index.open(folder)


def test_documents_of_both_have_their_passages_once(index: Index) -> None:
    joined = join(index, read(ASH, SELBY, YORK), "ask")
    assert joined.added == Added(documents=1)
    assert [document.title for document in joined.new] == ["York"]
    passages = passages_after(index, joined)
    add(index.path, read(ASH, SELBY, YORK), WordEmbedder(), silent)
    assert set(passages) == set(Index.open(index.path).passages)


@pytest.mark.parametrize(
    ("name", "added", "gold"),
    [("q.jsonl", Added(replaced=1), ("2",)), ("other.jsonl", Added(extended=1), ("1", "2"))],
)
def test_gold_is_replaced_by_a_file_of_the_same_name_only(
    index: Index, name: str, added: Added, gold: tuple[str, ...]
) -> None:
    questions = read(queries=(asked(name, "Selby"),))
    counts: list[Added] = []
    assert join(index, questions, "ask").asked[0].gold == ("2",)
    add(index.path, questions, WordEmbedder(), silent, counted=counts.append)
    assert counts == [added]
    assert Index.open(index.path).questions[0].gold == gold


def test_files_that_are_there_already_change_nothing(index: Index) -> None:
    joined = join(index, read(ASH, SELBY, queries=(asked("q.jsonl", "Ash"),)), "ask")
    assert joined.is_unchanged
    assert joined.added == Added()
