"""Evidence in plain records, however its fields are called and written."""

from pathlib import Path
from typing import Any

import pytest

from core.corpus import Corpus
from core.types import Evidence, Query
from tests.core.corpus.files import lines, read

FACT = "The ferry Gale was rebuilt by the Tern yard."
DOCUMENTS = (
    {"id": 1, "title": "Gale", "text": f"Many liked it. {FACT}", "url": "http://g"},
    {"id": 2, "title": "Tern yard", "text": "It was founded by Iris Holm."},
    {"id": 3, "title": "Gale", "text": "A gale is a wind."},
)


def both(folder: Path, **row: Any) -> tuple[Corpus, Query]:
    question = {"question": "Who?"} | row
    corpus = read(folder, {"c.jsonl": lines(*DOCUMENTS), "q.jsonl": lines(question)})
    assert not corpus.rejected
    (query,) = corpus.queries
    return corpus, query


@pytest.mark.parametrize("key", ["evidence", "Evidences", "facts", "supporting_facts"])
@pytest.mark.parametrize("value", [FACT, [FACT], [FACT, f" {FACT}\n"], {"text": FACT}])
def test_texts_are_evidence(tmp_path: Path, key: str, value: object) -> None:
    _, query = both(tmp_path, **{key: value})
    assert query.evidence == (Evidence(FACT),)
    assert query.gold == ()


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"fact": FACT, "title": "Tern yard"}, Evidence(FACT, "fact", "2")),
        ({"sentence": FACT, "url": "http://g"}, Evidence(FACT, "sentence", "1")),
        ({"text": FACT, "source": "Tern yard"}, Evidence(FACT, "fact", "2")),
        ({"text": FACT, "document": 2.0, "title": "Gale"}, Evidence(FACT, "fact", "2")),
        ({"text": FACT, "id": 2, "hop": "3"}, Evidence(FACT, "fact", "2", 3)),
        ({"text": FACT, "url": "http://x", "title": "Tern yard"}, Evidence(FACT, "fact", "2")),
        ({"passage": FACT, "document": "2#0"}, Evidence(FACT, "paragraph", "2")),
        ({"text": FACT, "grade": 2, "hop": -1}, Evidence(FACT, grade=2)),
        ({"text": FACT, "hop": 10**400}, Evidence(FACT)),
        ({"text": FACT, "hop": "inf"}, Evidence(FACT)),
        (
            {"text": " ", "fact": "\0", "title": "Tern yard"},
            Evidence("It was founded by Iris Holm.", "paragraph", "2"),
        ),
        (
            {"text": FACT, "asks": "Who?", "answer": "Y", "by": "Ana", "kind": "span"},
            Evidence(FACT, "span", asks="Who?", answer="Y", by="Ana"),
        ),
        ({"document": "2"}, Evidence("It was founded by Iris Holm.", "paragraph", "2")),
        ({"text": FACT, "title": "Gale"}, Evidence(FACT, "fact", "Gale")),
    ],
)
def test_an_object_may_say_more(tmp_path: Path, item: dict[str, Any], expected: Evidence) -> None:
    _, query = both(tmp_path, evidence=[item])
    assert query.evidence == (expected,)


def test_what_is_judged_as_irrelevant_is_no_evidence(tmp_path: Path) -> None:
    _, query = both(tmp_path, evidence=[{"text": FACT, "grade": 0}])
    assert query.evidence == ()


def test_one_gold_id_is_the_document_of_evidence_without_one(tmp_path: Path) -> None:
    items = [FACT, {"text": "It is old.", "title": "Tern yard"}, {"text": "A b.", "document": ""}]
    _, query = both(tmp_path, evidence=items, gold=["1"])
    assert [each.document for each in query.evidence] == ["1", "2", ""]
    _, query = both(tmp_path / "two", evidence=items, gold=["1", "2"])
    assert [each.document for each in query.evidence] == ["", "2", ""]
    assert query.gold == ("1", "2")


def test_contexts_are_paragraphs_of_the_documents_that_hold_them(tmp_path: Path) -> None:
    other = "Nobody wrote these words anywhere."
    _, query = both(tmp_path, reference_contexts=[FACT, other])
    assert query.evidence == (Evidence(FACT, "paragraph", "1"), Evidence(other, "paragraph"))
    assert query.gold == ("1", other)


def test_a_cell_may_hold_a_list(tmp_path: Path) -> None:
    text = f"question,gold_titles,evidence\nWho?,Tern yard,\"['{FACT}', 'It is old.']\"\n"
    corpus = read(tmp_path, {"c.jsonl": lines(*DOCUMENTS), "q.csv": text})
    (query,) = corpus.queries
    assert query.evidence == (Evidence(FACT, "fact", "2"), Evidence("It is old.", "fact", "2"))


@pytest.mark.parametrize(
    "value",
    [
        *("high", 3, 0.5, True, ["p1", "p2"], {"a": 1}, {"grade": "high"}),
        *([["Gale", 0]], [["Gale", "is", "a ferry"]], [None, 4]),
    ],
)
def test_a_column_that_holds_something_else_stays_readable(tmp_path: Path, value: object) -> None:
    corpus, query = both(tmp_path, evidence=value, gold=["1"])
    assert (query.evidence, query.gold) == ((), ("1",))
    assert corpus.notes[0] == (
        "q.jsonl: in 1 of 1 record 'evidence' contains values other than texts, which were ignored"
    )


@pytest.mark.parametrize("grade", ["high", "nan"])
def test_a_grade_that_is_no_number_is_said(tmp_path: Path, grade: str) -> None:
    corpus, query = both(tmp_path, evidence={"text": FACT, "grade": grade})
    assert query.evidence == (Evidence(FACT),)
    assert "'evidence' has a grade that is not a number" in corpus.notes[0]


@pytest.mark.parametrize(("value", "unanswerable"), [(False, True), ("no", True), (True, False)])
def test_a_question_may_be_unanswerable(tmp_path: Path, value: object, unanswerable: bool) -> None:
    corpus, query = both(tmp_path, answerable=value)
    assert query.unanswerable == unanswerable
    assert bool(corpus.notes) != unanswerable


def test_a_title_of_several_documents_is_named(tmp_path: Path) -> None:
    corpus, _ = both(tmp_path, evidence={"text": FACT, "title": "Gale"})
    assert corpus.notes == (
        "1 gold reference is a title shared by several documents, such as 'Gale'; refer to "
        "these documents by id",
        "Evidence of 1 question refers to documents that are not in this corpus, "
        "such as 'Gale'; evidence with a text is searched for in all documents",
    )


def test_numbers_that_ids_write_otherwise_are_named(tmp_path: Path) -> None:
    corpus, query = both(tmp_path, gold=[1.0, 2], evidence={"text": FACT, "id": "2.00"})
    assert (query.gold, query.evidence[0].document) == (("1", "2"), "2")
    assert corpus.notes == (
        "2 gold references are numbers written differently from the ids, such as '1.0' for '1'",
    )


def test_questions_without_gold_are_counted(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "question": "A?"},
        {"id": "b", "question": "B?", "gold": ["1"]},
        {"id": "c", "question": "C?", "evidence": [FACT]},
        {"id": "d", "question": "D?", "answerable": False},
    ]
    corpus = read(tmp_path, {"c.jsonl": lines(*DOCUMENTS), "q.jsonl": lines(*rows)})
    said = "Without gold: 1 of 4 questions, such as 'a'; recall is measured on the others"
    assert corpus.notes == (said,)
    assert corpus.question_notes == (said,)


def test_duplicate_questions_join_their_evidence(tmp_path: Path) -> None:
    rows = [
        {"id": "q", "question": "Who?", "evidence": [{"text": FACT, "title": "Tern yard"}]},
        {"id": "q", "question": "Who?", "evidence": [{"text": FACT, "id": 2}, "It is old."]},
    ]
    corpus = read(tmp_path, {"c.jsonl": lines(*DOCUMENTS), "q.jsonl": lines(*rows)})
    (query,) = corpus.queries
    assert query.evidence == (Evidence(FACT, "fact", "2"), Evidence("It is old."))
