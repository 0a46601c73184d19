"""Question file means the same when it is read for a build and when it is evaluated."""

import json
from pathlib import Path

import pytest

from core.corpus.chunking.chunker import Chunking
from core.indexing.updates import build
from core.runs.question_sets import own_questions, questions_in
from core.store.index import Index
from core.types import Query
from tests.core.corpus.files import lines, read
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

DOCUMENTS = (
    {"id": 1, "title": "Orrin Mill", "text": "Orrin Mill was built by Ada Finch in 1790."},
    {"id": 2, "title": "Ada Finch", "text": "Ada Finch was born in Selby. She made clocks."},
    {"id": "3.0", "title": "Selby", "text": "Selby lies on the river Ule."},
    {"id": "O'Brien, C/1", "title": "O'Brien", "text": "O'Brien steers the ferry."},
)
ASKED = "Who built Orrin Mill?"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("questions")
    corpus = read(folder / "files", {"c.jsonl": lines(*DOCUMENTS)})
    build(folder / "index", corpus, WordEmbedder(), silent, chunking=Chunking.parse("as-is"))
    return Index.open(folder / "index")


def both(index: Index, folder: Path, name: str, content: str | bytes) -> Query:
    """The question of a file, read with its corpus and read for an index; they are equal."""
    corpus = read(folder, {"c.jsonl": lines(*DOCUMENTS), name: content})
    (built,) = corpus.queries
    (asked,) = questions_in(folder / name, index).questions
    assert asked == built
    assert (asked.grades, asked.details) == (built.grades, built.details)
    return asked


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        (["Orrin Mill"], ("1",)),
        ([1.0], ("1",)),
        (3, ("3.0",)),
        ("1", ("1",)),
        (["1", "1", 2], ("1", "2")),
        ([{"id": 2}, {"title": "Selby"}], ("2", "3.0")),
        ("1; 2", ("1", "2")),
        (["1, 2"], ("1", "2")),
        (["O'Brien, C/1"], ("O'Brien, C/1",)),
        (["Orrin Mill was built by Ada Finch in 1790."], ("1",)),
        (["O'Brien steers the ferry."], ("O'Brien, C/1",)),
        (["77"], ("77",)),
        (None, ()),
    ],
)
def test_gold_is_found_however_it_is_written(
    index: Index, tmp_path: Path, gold: object, expected: tuple[str, ...]
) -> None:
    row = {"id": "q", "question": ASKED, "gold": gold}
    assert both(index, tmp_path, "q.jsonl", lines(row)).gold == expected


def test_gold_may_have_grades(index: Index, tmp_path: Path) -> None:
    row = {"question": ASKED, "gold": {"Orrin Mill": 2, "2": 1, "3": 0}}
    asked = both(index, tmp_path, "q.jsonl", lines(row))
    assert (asked.gold, asked.grades) == (("1", "2"), {"1": 2})


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"answer": False}, ("no",)),
        ({"answer": 1790}, ("1790",)),
        ({"answers": {"text": ["1790"], "answer_start": [3]}}, ("1790",)),
        ({"answer": "Ada", "answers": ["Finch", "Ada"]}, ("Ada", "Finch")),
        ({"answer": "Ada", "answer_aliases": ["A. Finch"]}, ("Ada", "A. Finch")),
    ],
)
def test_answers_are_read_however_they_are_written(
    index: Index, tmp_path: Path, answers: dict[str, object], expected: tuple[str, ...]
) -> None:
    row = {"id": "q", "question": ASKED, **answers, "gold": ["1"]}
    assert both(index, tmp_path, "q.jsonl", lines(row)).answers == expected


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ('"[""1"", ""2""]"', ("1", "2")),
        ("\"['1', '2']\"", ("1", "2")),
        ('"O\'Brien, C/1;1"', ("O'Brien, C/1", "1")),
        ('"1, 2"', ("1", "2")),
        ("1|2", ("1", "2")),
    ],
)
def test_a_cell_may_hold_a_list(
    index: Index, tmp_path: Path, cell: str, expected: tuple[str, ...]
) -> None:
    text = f"id,question,gold\nq,{ASKED},{cell}\n"
    assert both(index, tmp_path, "q.csv", text).gold == expected


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
@pytest.mark.parametrize("field", ["relevant", "gold_titles"])
def test_encodings_and_names_of_fields_are_the_same(
    index: Index, tmp_path: Path, encoding: str, field: str
) -> None:
    text = json.dumps([{"query": ASKED, field: ["Orrin Mill"]}])
    assert both(index, tmp_path, "q.json", text.encode(encoding)).gold == ("1",)


def test_evidence_is_placed_where_gold_is_named_by_its_id(index: Index, tmp_path: Path) -> None:
    items = [{"text": "She made clocks.", "title": "Ada Finch"}, {"document": "3.0"}]
    path = tmp_path / "q.jsonl"
    path.write_text(lines({"id": "q", "question": ASKED, "gold": ["1"], "evidence": items}))
    (asked,) = questions_in(path, index).questions
    assert [(each.document, each.parts) for each in asked.evidence] == [
        ("2", (("2",),)),
        ("3.0", (("3.0",),)),
    ]


def test_what_was_changed_is_said(index: Index, tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(lines({"id": "q", "question": "A?"}, {"id": "q", "question": "B?"}))
    found = questions_in(path, index)
    assert len({query.id for query in found.questions}) == 2
    assert found.notes[0].startswith("1 question shared an id with another")


def test_questions_without_gold_are_said(index: Index, tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(lines({"question": "A?"}, {"question": "B?"}))
    (note,) = questions_in(path, index).notes
    assert note.startswith("No question has gold, so retrieval cannot be measured.")
    path.write_text(lines({"id": "a", "question": "A?"}, {"question": ASKED, "gold": "Orrin Mill"}))
    (note,) = questions_in(path, index).notes
    assert note.startswith("Without gold: 1 of 2 questions, such as 'a'")


def test_grades_and_details_stay_with_the_questions_of_an_index(tmp_path: Path) -> None:
    row = {"id": "q", "question": ASKED, "gold": {"1": 2}, "facts": ["A fact."]}
    corpus = read(tmp_path, {"c.jsonl": lines(*DOCUMENTS), "q.jsonl": lines(row)})
    build(tmp_path / "index", corpus, WordEmbedder(), silent)
    (question,) = Index.open(tmp_path / "index").questions
    assert (question.grades, question.details) == ({"1": 2}, {"facts": ("A fact.",)})


def test_two_questions_of_one_text_keep_their_own_gold(tmp_path: Path) -> None:
    rows = [{"id": "a", "question": ASKED, "gold": ["1"]}, {"id": "b", "question": ASKED}]
    corpus = read(tmp_path, {"c.jsonl": lines(*DOCUMENTS), "q.jsonl": lines(*rows)})
    build(tmp_path / "index", corpus, WordEmbedder(), silent)
    own = own_questions(Index.open(tmp_path / "index"))
    assert {query.id: query.gold for query in own} == {"a": ("1",), "b": ()}
