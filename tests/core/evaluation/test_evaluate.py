import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.evaluation import Evaluation, Outcome, measure, read_questions
from core.measures import MEASURES, TOKENS
from core.retrievers import MODEL_FREE
from core.runs.measuring import evaluate
from core.types import Query

KEYS = ("bm25", "hoprag-similarity")


def row(ranks: Mapping[str, int | None], seconds: float = 1.0, judgements: int = 0) -> Outcome:
    question = Query("q", "?", gold=tuple(ranks))
    return Outcome("bm25", question, (), ranks, seconds, seconds / 2, judgements)


def test_recall_by_hand() -> None:
    measures = measure(
        [
            row({"a": 1, "b": 3}),
            row({"a": 2, "b": None, "c": 20, "d": 11}),
            row({"a": 5}),
        ]
    )
    assert measures.n == 3
    assert measures.shares["R@2"] == pytest.approx(100 * (1 / 2 + 1 / 4 + 0 / 1) / 3)
    assert measures.shares["R@5"] == pytest.approx(100 * (2 / 2 + 1 / 4 + 1 / 1) / 3)
    assert measures.shares["R@10"] == pytest.approx(100 * (2 / 2 + 1 / 4 + 1 / 1) / 3)
    assert measures.shares["R@20"] == pytest.approx(100 * (2 / 2 + 3 / 4 + 1 / 1) / 3)
    assert measures.shares["all@20"] == pytest.approx(100 * 2 / 3)


def test_all_at_20_counts_the_first_twenty() -> None:
    assert measure([row({"a": 20}), row({"a": 21})]).shares["all@20"] == pytest.approx(100 * 1 / 2)


def test_nothing_found() -> None:
    measures = measure([row({"a": None})])
    known = {name: share for name, share in measures.shares.items() if name not in TOKENS}
    assert set(known.values()) == {0.0}
    assert measures.shares["R@1000 tokens"] is None  # nobody knows how long the passages are


def test_questions_without_gold_are_only_timed() -> None:
    measures = measure([row({}, seconds=9.0, judgements=4), row({"a": 1}, seconds=1.0)])
    assert measures.n == 1
    assert measures.shares["R@2"] == 100.0
    long, short = 9 - 4.5, 1 - 0.5
    assert measures.seconds_p50 == pytest.approx((long + short) / 2)
    assert measures.seconds_p95 == pytest.approx(short + 0.95 * (long - short))
    assert measures.embed_seconds_p50 == pytest.approx((4.5 + 0.5) / 2)
    assert measures.judgements == (4 + 0) / 2


def test_without_any_gold_there_is_no_recall() -> None:
    assert measure([row({})]).to_dict() == {
        "n": 0,
        **dict.fromkeys(MEASURES),
        "seconds_p50": 1.0 - 0.5,
        "seconds_p95": 1.0 - 0.5,
        "embed_seconds_p50": 0.5,
        "judgements": 0.0,
    }


QUESTIONS = (
    Query("1", "Who bought Harbour Rovers?", gold=("club",), dataset="one"),
    Query("2", "Where was Mara Quist born?", gold=("owner", "nobody"), dataset="two"),
    Query("3", "Which brewery is old?", dataset="two"),
)


def test_evaluating_an_index(workbench: Workbench) -> None:
    told: list[tuple[int, int]] = []
    report = evaluate(
        QUESTIONS, workbench, KEYS, on_progress=lambda done, total: told.append((done, total))
    )

    assert told == [(done, 6) for done in range(7)]
    assert report.unknown_gold == ("nobody",)
    written = report.to_json()
    assert list(written) == ["retrievers", "gold_not_in_index"]
    assert written["gold_not_in_index"] == ["nobody"]
    missing = [row["not_in_index"] for row in written["retrievers"]["bm25"]["by_question"]]
    assert missing == [[], ["nobody"], []]
    assert list(written["retrievers"]) == list(KEYS)
    for key in KEYS:
        found = written["retrievers"][key]
        assert list(found) == ["all", "by_dataset", "model", "costs", "by_question"]
        assert found["model"] is None
        assert [one["id"] for one in found["by_question"]] == [q.id for q in QUESTIONS]
        assert found["all"]["n"] == 2
        assert found["by_dataset"]["one"]["n"] == found["by_dataset"]["two"]["n"] == 1
        embedding = found["all"]["embed_seconds_p50"]
        assert found["all"]["seconds_p50"] > 0
        assert (embedding > 0) == (key != "bm25")
    bm25 = written["retrievers"]["bm25"]
    assert bm25["by_dataset"]["one"]["R@5"] == 100.0
    assert bm25["by_dataset"]["two"]["R@5"] == 50.0
    assert bm25["all"]["R@5"] == (100 + 50) / 2
    assert bm25["all"]["all@20"] == 100 * 1 / 2
    assert bm25["all"]["judgements"] == 0
    assert written["retrievers"]["hoprag-similarity"]["all"]["judgements"] > 0
    assert json.loads(json.dumps(written)) == written


def test_data_sets_are_in_the_order_in_which_they_come() -> None:
    names = ["e", "a", "", "d", "b", "a", "c"]
    made = (replace(row({}), question=Query("q", "?", dataset=name)) for name in names)
    assert Evaluation(("bm25",), tuple(made), ()).datasets == ["e", "a", "d", "b", "c"]


def test_the_rows_say_at_which_rank(workbench: Workbench) -> None:
    (only,) = evaluate(QUESTIONS[1:2], workbench, ["bm25"]).rows
    assert only.hits[0] == "owner"
    assert only.ranks == {"owner": 1, "nobody": None}


def test_every_retriever_can_be_evaluated(workbench: Workbench) -> None:
    report = evaluate(QUESTIONS, workbench, MODEL_FREE)
    assert {one.retriever for one in report.rows} == set(MODEL_FREE)


def test_an_unknown_retriever_and_no_question(workbench: Workbench) -> None:
    with pytest.raises(InputError, match="Unknown retriever"):
        evaluate(QUESTIONS, workbench, ["bm26"])
    with pytest.raises(InputError, match="no question"):
        evaluate([], workbench, KEYS)


def test_reading_questions(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(
        '\ufeff{"id": 7, "question": "Who?\\u2028", "gold": ["a", "a", 3], "dataset": "d", '
        '"type": "bridge", "answer": "x"}\n\n{"question": "Where?"}\n'
        '{"question": "When?", "answers": ["2 May", " ", "May 2", "2 May"]}\n'
    )
    first, second, third = read_questions(path)
    assert first == Query("7", "Who?", ("x",), ("a", "3"), "bridge", "d", "questions.jsonl")
    assert (second.text, second.gold, second.answers) == ("Where?", (), ())
    assert third.answers == ("2 May", "May 2")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'{"question": "Who?"}\n{"question": ', "invalid JSON in line 2"),
        (b'["Who?"]\n["What?"]', "record 1 is not an object"),
        (b'{"question": " "}', "all its texts are empty"),
        (
            b'{"question": "Who?", "gold": [["a"]]}',
            "record 1 .* 'gold' contains a list inside a list",
        ),
        (b'{"question": "Who?", "gold": {"a": "high"}}', "record 1 .* high is not a grade"),
        (
            b'{"question": "Who?", "answer": [["a"]]}',
            "record 1 .* 'answer' contains values other than strings",
        ),
        (b'{"title": "Selby", "text": "A river."}', "contains no questions"),
        (b"\n\n", "it is empty"),
        (b"\xff\xfe\x00", "invalid utf-16 text"),
    ],
)
def test_bad_questions_name_their_record(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=problem):
        read_questions(path)


def test_no_file_of_questions(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the file does not exist"):
        read_questions(tmp_path / "none.jsonl")


def test_what_cannot_be_stored_is_left_out_of_questions(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(
        r'{"id": "a\ud800", "question": "Who\u001b?\udfff", "gold": ["b\ud800"], "type": [[]]}'
    )
    (asked,) = read_questions(path)
    assert (asked.id, asked.text, asked.gold, asked.type) == ("a", "Who?", ("b",), "")


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"a":' * 100_000])
def test_a_line_nested_too_deeply_is_named(tmp_path: Path, deep: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"question": "Who?"}\n' + deep)
    with pytest.raises(InputError, match="JSON is nested too deeply"):
        read_questions(path)
