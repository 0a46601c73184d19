"""Gold marked by hand: kept with the index, whatever is built, and said to be by hand."""

import sqlite3
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from core.corpus.chunking.chunker import Chunking
from core.errors import InputError, StoreError
from core.evaluation import read_questions
from core.indexing.updates import add, build, remove
from core.library.catalogue import rename
from core.marks import (
    FILE,
    Gold,
    Marks,
    as_file,
    forget,
    gold_of,
    golds_of_queries,
    marked_questions,
    marks_on,
    restore_marks,
    set_gold,
    unsettled,
)
from core.store.index import Index
from core.store.locking import sqlite_file
from core.types import Document, Query
from tests.core.fakes import WordEmbedder
from tests.core.five import DOCUMENTS, QUESTION, corpus, silent

ASKED = QUESTION.text
MANY = 12


@pytest.fixture
def index(built: Path) -> Index:
    return Index.open(built)


def test_what_the_question_set_gives_is_gold_without_a_mark(index: Index) -> None:
    gold = gold_of(index, ASKED)
    assert gold == Gold(("owner", "town"), passages={"owner": ("owner",), "town": ("town",)})
    assert gold.ids == ("owner", "town")
    assert [gold.author_of(name) for name in gold.ids] == ["given", "given"]
    assert not (index.path / FILE).exists()


def test_a_mark_by_hand_is_there_for_whoever_opens_the_index(index: Index) -> None:
    set_gold(index, ASKED, "stadium", gold=True, annotator="ada@example.org")
    gold = gold_of(Index.open(index.path), f"  {ASKED.replace(' ', '  ')} ")
    assert gold.ids == ("owner", "town", "stadium")
    assert gold.added == ("stadium",)
    assert gold.author_of("stadium") == "hand"
    assert gold.has("stadium")
    (mark,) = Marks(index.path).of(ASKED)
    assert (mark.title, mark.who, mark.gold) == ("Lantern Ground", "ada@example.org", True)
    assert gold.told["stadium"].startswith("by ada@example.org, ")
    assert gold_of(index, "Another question?") == Gold()


def test_a_mark_of_the_question_set_that_is_taken_away_is_a_mark_by_hand(index: Index) -> None:
    gold = set_gold(index, ASKED, "town", gold=False)
    assert gold.ids == ("owner",)
    assert gold.removed == gold.taken_away == ("town",)
    assert gold.given == ("owner", "town")
    assert not gold.has("town")
    assert set_gold(index, ASKED, "town", gold=True).ids == ("owner", "town")
    assert Marks(index.path).all() == []


@pytest.mark.parametrize(("passage", "gold"), [("stadium", False), ("town", True)])
def test_a_mark_that_is_put_back_is_as_it_was(index: Index, passage: str, gold: bool) -> None:
    set_gold(index, ASKED, passage, gold=not gold, annotator="ada")
    old = replace(*marks_on(index, ASKED, passage), at="2026-01-02T03:04:05+00:00")
    restore_marks(index, ASKED, passage, [old])
    set_gold(index, ASKED, passage, gold=gold, annotator="bo")
    assert marks_on(index, ASKED, passage) == []
    restore_marks(index, ASKED, passage, [old])
    assert Marks(index.path).all() == [old]
    restore_marks(index, ASKED, passage, [])
    assert gold_of(index, ASKED).has(passage) == gold


def test_marking_twice_and_unmarking_leaves_nothing(index: Index) -> None:
    for gold in (True, True, False):
        set_gold(index, "Who sings?", "singer", gold=gold)
    assert gold_of(index, "Who sings?") == Gold()
    assert Marks(index.path).all() == []


def test_marks_outlive_a_build_a_document_more_and_one_less(
    index: Index, embedder: WordEmbedder
) -> None:
    folder = index.path
    set_gold(index, ASKED, "stadium", gold=True)
    set_gold(index, ASKED, "town", gold=False)
    expected = ("owner", "stadium")
    new = Document("new", "New", "A new text.", "new.txt")
    add(folder, corpus(new, queries=()), embedder, silent)
    assert gold_of(Index.open(folder), ASKED).ids == expected
    remove(folder, ["new"], embedder, silent)
    assert gold_of(Index.open(folder), ASKED).ids == expected
    build(folder, corpus(), embedder, silent, restart=True)
    assert gold_of(Index.open(folder), ASKED).ids == expected
    moved = rename(folder.parent, folder.name, "six")
    assert gold_of(Index.open(moved), ASKED).ids == expected


def test_a_mark_follows_its_text_to_another_id(index: Index, embedder: WordEmbedder) -> None:
    set_gold(index, ASKED, "stadium", gold=True)
    called = {"stadium": "ground"}
    documents = [replace(one, id=called.get(one.id, one.id)) for one in DOCUMENTS]
    build(index.path, corpus(*documents), embedder, silent)
    gold = gold_of(Index.open(index.path), ASKED)
    assert gold.added == ("ground",)
    assert gold.absent == ()


def test_a_passage_that_the_index_holds_no_more_is_said_to_be_missing(
    index: Index, embedder: WordEmbedder
) -> None:
    set_gold(index, ASKED, "stadium", gold=True)
    documents = [one for one in DOCUMENTS if one.id != "stadium"]
    other = Document("stadium", "Other", "What has this id now is another text.", "other.txt")
    build(index.path, corpus(*documents, other), embedder, silent)
    opened = Index.open(index.path)
    gold = gold_of(opened, ASKED)
    (name,) = gold.absent
    assert name.startswith("stadium~")
    assert gold.titles == {name: "Lantern Ground"}
    assert gold.author_of(name) == "hand"
    assert not gold.has("stadium")
    assert gold.held == ("owner", "town")
    forget(opened, ASKED, name)
    assert gold_of(opened, ASKED).absent == ()


def test_of_passages_that_are_as_near_one_of_the_document_is_named(
    index: Index, embedder: WordEmbedder
) -> None:
    set_gold(index, "Where?", "stadium", gold=True)
    text = "The ground was torn down long ago. It stood in Port Selby."
    changed = [replace(one, text=text) if one.id == "stadium" else one for one in DOCUMENTS]
    build(index.path, corpus(*changed), embedder, silent)
    (lost,) = unsettled(Index.open(index.path))  # 'the Lantern Ground' is in `club`
    assert lost.nearest
    assert lost.nearest.id == "stadium"


def test_gold_of_the_question_set_that_the_index_does_not_hold_is_said(
    index: Index, embedder: WordEmbedder
) -> None:
    query = replace(QUESTION, gold=("owner", "nobody"))
    build(index.path, corpus(queries=(query,)), embedder, silent)
    gold = gold_of(Index.open(index.path), ASKED)
    assert gold.absent == ("nobody",)
    assert gold.author_of("nobody") == "given"
    assert gold.ids == ("owner", "nobody")


def test_of_a_gold_document_single_passages_can_be_taken_away(
    tmp_path: Path, embedder: WordEmbedder
) -> None:
    text = "\n\n".join(f"{word} is a word of the text. It stands alone. " * 9 for word in "abc")
    query = Query("q", "What?", gold=("long",))
    folder = tmp_path / "long"
    content = corpus(Document("long", "Long", text, "long.txt"), queries=(query,))
    build(folder, content, embedder, silent, chunking=Chunking("paragraph"))
    index = Index.open(folder)
    passages = index.document_passages["long"]
    assert len(passages) > 1
    gold = set_gold(index, "What?", passages[0], gold=False)
    assert gold.ids == ("long",)
    assert gold.passages["long"] == passages[1:]
    for passage in passages[1:]:
        gold = set_gold(index, "What?", passage, gold=False)
    assert gold.ids == ()
    assert gold.taken_away == ("long",)


def test_many_questions_are_read_at_once(index: Index) -> None:
    set_gold(index, "Who sings?", "singer", gold=True)
    asked = [Query(text, text) for text in (ASKED, "Who sings?", "Who?")]
    both = list(golds_of_queries(index, asked))
    assert [gold.ids for gold in both] == [("owner", "town"), ("singer",), ()]


def test_a_question_file_has_the_gold_that_is_there_now(index: Index, tmp_path: Path) -> None:
    set_gold(index, ASKED, "town", gold=False)
    set_gold(index, "Who sings?", "singer", gold=True)
    file = tmp_path / "questions.jsonl"
    file.write_bytes(as_file(marked_questions(index)))
    rows = file.read_text().splitlines()
    assert [(q.text, q.gold) for q in read_questions(file)] == [
        (ASKED, ("owner",)),
        ("Who sings?", ("singer",)),
    ]
    assert '"gold_by_hand": ["singer"]' in rows[1]
    assert '"gold_removed": ["town"]' in rows[0]
    assert '"gold_marked": {"town": {"who": "", "at": "2' in rows[0]


@pytest.mark.parametrize(("question", "passage"), [(" ", "town"), (ASKED, "nobody")])
def test_what_cannot_be_marked_is_said(index: Index, question: str, passage: str) -> None:
    with pytest.raises(InputError):
        set_gold(index, question, passage, gold=True)


def test_a_damaged_file_is_named_with_its_remedy(index: Index) -> None:
    (index.path / FILE).write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match=r"marks\.sqlite cannot be read"):
        gold_of(index, ASKED)


@pytest.mark.parametrize(
    ("pragma", "said"),
    [
        ("PRAGMA max_page_count = 3", r"\(database or disk is full\).*free up disk space"),
        ("PRAGMA query_only = 1", r"\(attempt to write a readonly database\).*folder writable"),
    ],
)
def test_a_mark_that_cannot_be_written_says_why_and_those_before_it_stay(
    index: Index, monkeypatch: pytest.MonkeyPatch, pragma: str, said: str
) -> None:
    set_gold(index, ASKED, "club", gold=True)
    opened = sqlite_file._opened

    def hindered(path: Path, mode: str) -> sqlite3.Connection:
        connection = opened(path, mode)
        connection.execute(pragma)
        return connection

    monkeypatch.setattr(sqlite_file, "_opened", hindered)
    with pytest.raises(StoreError, match=said):
        set_gold(index, "A long question? " * 4000, "stadium", gold=True)
    monkeypatch.undo()
    assert [mark.passage for mark in Marks(index.path).all()] == ["club"]


def test_a_file_that_a_killed_process_left_empty_holds_nothing(index: Index) -> None:
    (index.path / FILE).touch()
    assert gold_of(index, ASKED).added == ()
    assert set_gold(index, ASKED, "club", gold=True).added == ("club",)


def _mark_many(folder: Path, which: str) -> None:
    index = Index.open(folder)
    for number in range(MANY):
        set_gold(index, f"{which} {number}?", "club", gold=True)


OTHER = """
import sys
from pathlib import Path
from tests.core.marks.test_marks import _mark_many

_mark_many(Path(sys.argv[1]), "a")
"""


def test_several_processes_mark_and_none_loses_a_mark(index: Index, warm_python: str) -> None:
    with subprocess.Popen([warm_python, "-c", OTHER, str(index.path)]) as other:
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(lambda name: _mark_many(index.path, name), ("b", "c")))
        assert other.wait(60) == 0
    assert len(Marks(index.path).all()) == 3 * MANY
