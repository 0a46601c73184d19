"""Plain records: documents and questions by the names of their fields."""

import json
from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.core.corpus.files import lines, read


def test_ids_are_kept_and_plain_fields_become_metadata(tmp_path: Path) -> None:
    row = {"id": 7, "title": "Rome", "text": "A city.", "year": 2001, "tags": ["a"], "score": None}
    corpus = read(tmp_path, {"docs.jsonl": lines(row)})
    (made,) = corpus.documents
    assert (made.id, made.title, made.text) == ("7", "Rome", "A city.")
    assert made.source == "docs.jsonl"
    assert made.metadata == {"year": 2001}
    assert corpus.files[0].format == "JSONL documents"


def test_a_table_of_titles_and_texts_is_called_by_its_kind(tmp_path: Path) -> None:
    files = {
        "people.csv": "title,text\nRome,A city.\n",
        "a.jsonl": lines({"title": "", "text": "A"}),
    }
    corpus = read(tmp_path, files)
    formats = {file.name: file.format for file in corpus.files}
    assert formats == {
        "people.csv": "CSV with title and text",
        "a.jsonl": "JSONL with title and text",
    }


def test_a_made_id_is_of_the_content_alone(tmp_path: Path) -> None:
    rows = [{"title": "Rome", "text": "A city."}, {"title": "Po", "text": "A river."}]
    first = read(tmp_path, {"a.json": json.dumps(rows)})
    second = read(tmp_path, {"b.json": json.dumps(rows[::-1])})
    assert {made.id for made in first.documents} == {made.id for made in second.documents}
    assert first.documents[0].id.startswith("rome-")


@pytest.mark.parametrize("field", ["text", "Body", "content", "contents", "passage"])
def test_the_text_goes_by_several_names(tmp_path: Path, field: str) -> None:
    corpus = read(tmp_path, {"docs.csv": f"id,title,{field}\n1,Rome,A city.\n"})
    assert corpus.documents[0].text == "A city."


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_csv_is_read_whatever_separates_its_columns(tmp_path: Path, separator: str) -> None:
    text = 'id?title?text\n1?Rome?"A ""city"", a?b;\nreally."\n\n2?Po?A river.\n'
    corpus = read(tmp_path, {"docs.csv": text.replace("?", separator)})
    assert [made.text for made in corpus.documents] == [
        f'A "city", a{separator}b;\nreally.',
        "A river.",
    ]


def test_tsv_without_quoting_may_begin_with_a_quotation_mark(tmp_path: Path) -> None:
    corpus = read(tmp_path, {"docs.tsv": 'id\ttext\n1\t"Rome" is a city.\n2\tAn "odd one.\n'})
    assert [made.text for made in corpus.documents] == ['"Rome" is a city.', 'An "odd one.']


def test_a_parquet_table_is_read(tmp_path: Path) -> None:
    buffer = BytesIO()
    pq.write_table(
        pa.table({"id": [1, 2], "text": ["A city.", "A river."], "y": [1.5, None]}), buffer
    )
    corpus = read(tmp_path, {"docs.parquet": buffer.getvalue()})
    assert [(made.id, made.text) for made in corpus.documents] == [
        ("1", "A city."),
        ("2", "A river."),
    ]
    assert corpus.files[0].format == "Parquet documents"


def test_questions_come_as_jsonl(tmp_path: Path) -> None:
    row = {
        "id": "q1",
        "question": "Which?",
        "gold": ["1", "2", "1"],
        "answer": "Rome",
        "type": "bridge",
        "dataset": "own",
    }
    corpus = read(tmp_path, {"questions.jsonl": lines(row)})
    (query,) = corpus.queries
    assert (query.id, query.gold, query.answers) == ("q1", ("1", "2"), ("Rome",))
    assert (query.type, query.dataset, query.origin) == ("bridge", "own", "questions.jsonl")
    assert corpus.files[0].format == "JSONL questions"


@pytest.mark.parametrize("separator", ["|", "; "])
def test_questions_come_as_csv(tmp_path: Path, separator: str) -> None:
    text = f"question,gold,answers\nWhich?,a#0{separator}b,Rome|Roma\n"
    (query,) = read(tmp_path, {"q.csv": text}).queries
    assert (query.gold, query.answers) == (("a#0", "b"), ("Rome", "Roma"))
    assert query.id.startswith("which-")


def test_records_without_text_are_left_out_and_counted(tmp_path: Path) -> None:
    corpus = read(tmp_path, {"d.jsonl": lines({"text": "A."}, {"text": " "}, {"other": 1})})
    assert len(corpus.documents) == 1
    assert corpus.notes == ("d.jsonl: 2 of 3 records left out: no text",)


def test_a_table_without_a_text_column_names_what_it_has(tmp_path: Path) -> None:
    (rejected,) = read(tmp_path, {"d.csv": "name,age\nAnn,5\n"}).rejected
    assert rejected.reason.startswith(
        "no field with the text; found: name, age. Rename one of them"
    )


def test_duplicates_are_left_out_and_listed(tmp_path: Path) -> None:
    rows = [{"id": "a", "text": "One  text."}, {"id": "b", "text": "One text."}]
    question = {"question": "Which?", "gold": ["b", "a"]}
    corpus = read(tmp_path, {"d.jsonl": lines(*rows), "q.jsonl": lines(question)})
    assert [made.id for made in corpus.documents] == ["a"]
    assert [(each.id, each.source, each.of) for each in corpus.duplicates] == [
        ("b", "d.jsonl", "a")
    ]
    assert corpus.queries[0].gold == ("a",)


def test_an_id_that_another_text_has_is_changed_and_said(tmp_path: Path) -> None:
    files = {
        "a.jsonl": lines({"id": "1", "text": "A."}),
        "b.jsonl": lines({"id": "1", "text": "B."}),
    }
    corpus = read(tmp_path, files)
    first, second = corpus.documents
    assert (first.id, second.text) == ("1", "B.")
    assert second.id.startswith("1~")
    assert corpus.notes == (
        f"b.jsonl: 1 new id, because the old id was taken; '1' is now '{second.id}'",
    )


def test_the_first_of_a_file_keeps_an_id_that_comes_again(tmp_path: Path) -> None:
    rows = [{"id": 1, "text": f"Text {number}."} for number in range(12)]
    question = {"question": "Which?", "gold": ["1"]}
    corpus = read(tmp_path, {"a.jsonl": lines(*rows), "q.jsonl": lines(question)})
    assert [made.text for made in corpus.documents if made.id == "1"] == ["Text 0."]
    assert len({made.id for made in corpus.documents}) == 12
    assert corpus.queries[0].gold == ("1",)


def test_a_corpus_keeps_its_ids_beside_question_files_that_hold_the_same_text(
    tmp_path: Path,
) -> None:
    asked = {"_id": "q", "question": "?", "supporting_facts": [["Rome", 0]]}
    files = {
        "dev.json": json.dumps([asked | {"context": [["Rome", ["A city."]]]}]),
        "docs.jsonl": lines({"id": "d1", "title": "Rome", "text": "A city."}),
    }
    corpus = read(tmp_path, files)
    assert [made.id for made in corpus.documents] == ["d1"]
    assert corpus.queries[0].gold == ("d1",)
    assert not corpus.duplicates


def test_gold_may_be_a_title_that_one_document_has(tmp_path: Path) -> None:
    documents = [
        {"id": "1", "title": "Rome", "text": "A."},
        {"id": "2", "title": "Po", "text": "B."},
        {"id": "3", "title": "Po", "text": "C."},
    ]
    questions = {"question": "Which?", "gold": ["Rome", "Po", "2#4"]}
    corpus = read(tmp_path, {"d.jsonl": lines(*documents), "q.jsonl": lines(questions)})
    assert corpus.queries[0].gold == ("1", "Po", "2#4")
    assert "Gold of 1 question refers" in corpus.notes[0]


def test_a_question_that_comes_twice_is_one_with_the_gold_of_both(tmp_path: Path) -> None:
    one, two = ({"id": "q", "question": "Which?", "gold": [gold]} for gold in ("a", "b"))
    other = {"id": "q", "question": "Another?"}
    corpus = read(tmp_path, {"q.jsonl": lines(one, two, other)})
    assert [query.gold for query in corpus.queries] == [("a", "b"), ()]
    assert len({query.id for query in corpus.queries}) == 2
