"""Answers of all questions from all retrievers, against the scripted server."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict

import pytest

from core.answers import Score
from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.evaluation import Answering, Evaluation
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.runs.measuring import evaluate
from core.types import Query
from tests.core.five import QUESTION
from tests.llm import faults
from tests.llm.client import LEAVE
from tests.llm.replies import answered
from tests.llm.server import Answer, ChatServer, Request, endpoint

BM25 = "bm25(top_k=5)"
KEYS = (BM25, "dense(top_k=5)")
QUESTIONS = (
    Query("1", QUESTION.text, ("Port Selby",), QUESTION.gold, dataset="one"),
    Query("2", "Where does the club play?", ("the Lantern Ground",), dataset="two"),
    Query("3", "Who toured?", dataset="two"),
)


def correct(request: Request) -> Answer:
    return Answer(json.dumps(answered(request.data)), tokens=(300, 40))


@contextmanager
def reading(
    workbench: Workbench, script: Callable[[Request], Answer] = correct
) -> Iterator[tuple[Workbench, ChatServer]]:
    """Yield the workbench with a scripted model, and its server."""
    with ChatServer(script) as server:
        replies = Replies(workbench.index.path)
        oracle = Oracle(Llm(endpoint(server), retries=0), replies, LEAVE)
        try:
            yield workbench.with_oracle(oracle), server
        finally:
            replies.close()


def measured(bench: Workbench, *retrievers: str) -> Evaluation:
    return evaluate(QUESTIONS, bench, retrievers or KEYS, answers=True)


def test_by_hand(workbench: Workbench) -> None:
    """The script answers the first question and finds nothing for the second."""
    with reading(workbench) as (bench, server):
        report = measured(bench)
        asked = {(r.data["question"], r.data["passages"][0]["id"]) for r in server.requests}
    scores = [row.score for row in report.rows if row.retriever == BM25]
    assert scores == [Score(1, 1), Score(0, 0), None]
    all_of = report.to_json()["retrievers"][BM25]["all"]
    assert (all_of["n"], all_of["n_answers"], all_of["EM"], all_of["F1"]) == (1, 2, 50, 50)
    by = report.to_json()["retrievers"][KEYS[1]]["by_dataset"]
    assert (by["one"]["n_answers"], by["one"]["EM"], by["one"]["F1"]) == (1, 100, 100)
    assert (by["two"]["n_answers"], by["two"]["EM"], by["two"]["F1"]) == (1, 0, 0)
    assert {question for question, _ in asked} == {QUESTIONS[0].text, QUESTIONS[1].text}
    assert report.answering is not None
    calls = len(server.requests)
    empty = sum(r.data["question"] == QUESTIONS[1].text for r in server.requests)
    assert report.answering == Answering("scripted", calls, 0, 300 * calls, 40 * calls, empty, 0)
    assert json.loads(json.dumps(report.to_json()))["answers"] == {
        **asdict(report.answering),
        "troubles": [],
    }


def test_again_there_is_no_call(workbench: Workbench) -> None:
    with reading(workbench) as (bench, server):
        first = measured(bench)
        calls = len(server.requests)
        again = measured(bench)
        assert len(server.requests) == calls
    assert [row.score for row in again.rows] == [row.score for row in first.rows]
    assert again.answering is not None
    assert (again.answering.calls, again.answering.kept) == (0, calls)
    assert again.answering.tokens_in == again.answering.tokens_out == 0


def test_what_two_retrievers_share_is_asked_once(workbench: Workbench) -> None:
    with reading(workbench) as (bench, server):
        report = measured(bench, *KEYS, "bm25(top_k=6)")
    prompts = {(row.question.text, row.hits) for row in report.rows if row.question.answers}
    assert len(server.requests) == len(prompts) < 2 * 3
    assert report.answering is not None
    assert (report.answering.calls, report.answering.kept) == (len(prompts), 0)


def test_no_answer_and_no_reply_that_can_be_read_are_wrong(workbench: Workbench) -> None:
    def script(request: Request) -> Answer:
        if "born" in request.data["question"]:
            return faults.refusal()
        reply = {"reasoning": "", "citations": [], "found": False, "answer": "Lantern Ground"}
        return Answer(json.dumps(reply))

    with reading(workbench, script) as (bench, _):
        report = measured(bench, BM25)
    assert [row.score for row in report.rows] == [Score(0, 0), Score(0, 0), None]
    assert report.answering is not None
    assert (report.answering.unreadable, report.answering.unanswered) == (1, 1)
    assert report.answering.calls == 3  # the one that could not be read was asked twice


def test_one_question_that_is_refused_is_wrong_and_named(workbench: Workbench) -> None:
    def script(request: Request) -> Answer:
        return correct(request) if "born" in request.data["question"] else Answer("No.", status=400)

    with reading(workbench, script) as (bench, _):
        report = measured(bench, BM25)
    assert report.stopped is None
    assert [row.score for row in report.rows] == [Score(1, 1), Score(0, 0), None]
    assert report.answering is not None
    assert report.answering.unreadable == 1
    [(question, why)] = report.answering.troubles
    assert question == QUESTIONS[1].text
    assert "rejected this request" in why
    with reading(workbench) as (bench, server):
        measured(bench, BM25)
        assert [r.data["question"] for r in server.requests] == [QUESTIONS[1].text]


def test_a_key_that_is_refused_ends_it_and_what_was_answered_is_scored(
    workbench: Workbench,
) -> None:
    with reading(workbench) as (bench, _):
        evaluate(QUESTIONS[:1], bench, [BM25], answers=True)
    with reading(workbench, lambda _: Answer("No.", status=401)) as (bench, server):
        report = measured(bench, BM25)
        assert len(server.requests) == 1
    assert "rejected the key" in str(report.stopped)
    assert "rejected the key" in report.to_json()["stopped"]
    assert [row.score for row in report.rows] == [Score(1, 1)]


def test_without_known_answers_nothing_is_asked(workbench: Workbench) -> None:
    with reading(workbench) as (bench, server), pytest.raises(InputError, match="'answer'"):
        evaluate(QUESTIONS[2:], bench, ["bm25"], answers=True)
    assert server.requests == []


def test_without_answers_the_measures_are_as_before(workbench: Workbench) -> None:
    written = evaluate(QUESTIONS, workbench, ["bm25"]).to_json()
    assert list(written) == ["retrievers", "gold_not_in_index"]
    assert not {"EM", "F1", "n_answers"} & written["retrievers"]["bm25"]["all"].keys()
