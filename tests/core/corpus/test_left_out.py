"""Nothing of a record is left out or changed without a note that names and counts it."""

import json
from pathlib import Path

import pytest

from core.corpus.assembly import assemble
from core.corpus.file_contents import Contents
from core.types import Query
from tests.core.corpus.files import lines, read


def test_a_filled_field_is_the_text_where_another_is_empty(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "text": "", "content": "A city."},
        {"id": 2, "text": None, "body": "A river."},
    ]
    corpus = read(tmp_path, {"d.jsonl": lines(*rows)})
    assert [made.text for made in corpus.documents] == ["A city.", "A river."]
    assert not corpus.notes


def test_a_second_text_and_nested_values_are_said(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "text": "A city.", "body": "Another text.", "tags": ["a"], "none": []},
        {"id": 2, "title": "Po", "text": "A river.", "passage": "Po\nA river.", "year": 1},
    ]
    corpus = read(tmp_path, {"d.jsonl": lines(*rows)})
    assert corpus.notes == (
        "d.jsonl: in 1 of 2 records 'tags' was left out, because metadata cannot contain "
        "lists or objects",
        "d.jsonl: in 1 of 2 records 'body' was left out, because 'text' is used as the text",
    )


def test_ids_that_are_made_up_are_said(tmp_path: Path) -> None:
    rows = [
        {"_id": {"$oid": "65f0"}, "text": "A city."},
        {"_id": ["a"], "text": "A river."},
        {"_id": None, "text": "A sea."},
    ]
    corpus = read(tmp_path, {"d.json": json.dumps(rows)})
    assert corpus.documents[0].id == "65f0"
    assert corpus.notes == (
        "d.json: in 1 of 3 records '_id' is neither text nor a number, so an id was derived from "
        "the content",
        "d.json: in 1 of 3 records the id is missing, so one was derived from the content",
    )


@pytest.mark.parametrize("value", [True, False, "NaN", "nan", "None", "null", "<NA>"])
def test_what_is_written_for_a_missing_id_is_none(tmp_path: Path, value: object) -> None:
    files = {
        "d.jsonl": lines({"id": value, "text": "A city."}),
        "q.jsonl": lines({"id": value, "question": "Which city?", "gold": ["A city."]}),
    }
    corpus = read(tmp_path, files)
    assert [made.id[:5] for made in corpus.documents] == ["text-"]
    assert [query.id[:10] for query in corpus.queries] == ["which-city"]
    assert corpus.notes == tuple(
        f"{name}: in 1 of 1 record 'id' is '{value}', so an id was derived from the content"
        for name in files
    )


@pytest.mark.parametrize("text", [{"value": "A city."}, ["A city."], {"content": "A city."}])
def test_a_text_may_be_in_an_object(tmp_path: Path, text: object) -> None:
    corpus = read(tmp_path, {"d.jsonl": lines({"title": 1984, "text": text})})
    assert [(made.title, made.text) for made in corpus.documents] == [("1984", "A city.")]


@pytest.mark.parametrize("text", [{"a": "A city."}, [{"a": 1}]])
def test_an_object_is_no_text(tmp_path: Path, text: object) -> None:
    (rejected,) = read(tmp_path, {"d.jsonl": lines({"text": text})}).rejected
    assert "record 1 is not in that format: 'text' is a" in rejected.reason


def test_empty_paragraphs_and_questions_are_counted(tmp_path: Path) -> None:
    row = {"_id": "a", "question": " ", "context": [["Rome", []], ["Po", ["A river."]]]}
    corpus = read(tmp_path, {"dev.json": json.dumps([row])})
    assert corpus.notes == (
        "dev.json: 1 paragraph without text left out",
        "dev.json: 1 question without text left out",
    )


def test_questions_that_share_an_id_or_come_again_are_counted(tmp_path: Path) -> None:
    rows = [
        {"id": "q", "question": "Which?", "gold": ["a"]},
        {"id": "q", "question": "Which?", "gold": ["b"]},
        {"id": "q", "question": "Another?"},
    ]
    corpus = read(tmp_path, {"q.jsonl": lines(*rows)})
    first, second = corpus.queries
    assert corpus.notes == (
        f"1 question shared an id with another and got a new one; 'q' is now '{second.id}'",
        "1 duplicate question was merged, with all gold, such as 'q'",
        f"Without gold: 1 of 2 questions, such as '{second.id}'; recall is measured on the others",
    )
    assert first.gold == ("a", "b")


TSV = 'id\ttitle\ttext\n1\tRome\t"A city\n2\tPo\tA river"\n3\tTiber\t"A ""long"" river"\n'


def test_a_quotation_mark_in_a_tsv_file_swallows_no_row(tmp_path: Path) -> None:
    corpus = read(tmp_path, {"d.tsv": TSV})
    assert [(made.id, made.text) for made in corpus.documents] == [
        ("1", '"A city'),
        ("2", 'A river"'),
        ("3", 'A "long" river'),
    ]


def test_rows_that_are_short_and_cells_that_hold_rows_are_said(tmp_path: Path) -> None:
    uneven = 'id\ttitle\ttext\n1\tRome\t"A city\n2\tPo\tA river\n3\tSelby\tA town"\n4\tUle\n'
    corpus = read(tmp_path, {"d.tsv": uneven})
    assert corpus.notes[:2] == (
        "d.tsv: fewer cells than the header in 1 of 2 rows; the missing ones are empty",
        "d.tsv: 1 quoted cell contains whole lines; if these are rows, double "
        "each quotation mark inside a text",
    )


def test_a_line_may_name_the_separator(tmp_path: Path) -> None:
    for n, first in enumerate(("sep=;", "sep=;\r", '"sep=;"', "SEP=;")):
        text = f"{first}\nid;title;text\n1;Gauge, old;It was set, in 1871.\n2;Pilot;Oda Fisk.\n"
        corpus = read(tmp_path / str(n), {"d.csv": text})
        assert [made.id for made in corpus.documents] == ["1", "2"]
        assert corpus.documents[0].title == "Gauge, old"


def test_columns_keep_apart(tmp_path: Path) -> None:
    corpus = read(tmp_path, {"d.csv": ",text,year,year\n7,A city.,1,2\n"})
    (made,) = corpus.documents
    assert (made.id, made.metadata) == ("7", {"year": "1", "year.4": "2"})


def test_objects_over_several_lines_are_read(tmp_path: Path) -> None:
    text = '{\n "id": "a",\n "text": "A city."\n}\n{\n "id": "b",\n "text": "A river."\n}\n'
    assert [made.id for made in read(tmp_path, {"d.jsonl": text}).documents] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"text": "A."},\n{"text": "B."}\n', "line 1: remove the comma after the object"),
        ('{"text": "A."}\n{"text": "B', "line 2: .*Each line must contain one complete object"),
        (
            '{\n"text": "A."\n}\n{\n"text": "B',
            "line 1: .*Each line must contain one complete object",
        ),
    ],
)
def test_broken_lines_are_named(tmp_path: Path, text: str, why: str) -> None:
    (rejected,) = read(tmp_path, {"d.jsonl": text}).rejected
    with pytest.raises(type(rejected), match=why):
        raise rejected


def test_a_later_file_of_the_name_replaces_the_gold_of_its_questions() -> None:
    def asked(name: str, *gold: str) -> Contents:
        return Contents("Test", [], [Query("q", "Which?", gold=gold, origin=name)])

    corpus = assemble([asked("q.jsonl", "a"), asked("q.jsonl", "b")])
    assert [query.gold for query in corpus.queries] == [("b",)]
    assert corpus.question_notes[0] == (
        "q.jsonl was added more than once: its last version replaces the gold of 1 question"
    )
    corpus = assemble([asked("q.jsonl", "a"), asked("other.jsonl", "b")])
    assert [query.gold for query in corpus.queries] == [("a", "b")]
