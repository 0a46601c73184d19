"""An answer without a passage, and how it is scored."""

import pytest

from core.answers import Score
from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.runs.measuring import evaluate
from core.steps import Ranked, own_answer
from tests.core.five import QUESTION
from tests.core.retrievers.scripted import Q, said, saying, walked
from tests.llm.server import Answer

KNOWN = {"reasoning": "I remember it.", "answer": "Port\n Selby"}


def test_it_answers_and_ranks_nothing(workbench):
    with saying(workbench, lambda _: KNOWN) as (bench, server):
        steps = walked(bench, "zero-shot")
    (answer,) = said(steps)
    assert (answer.by, answer.text, answer.closes) == ("model", "Port Selby", ("#",))
    assert (answer.ends, answer.told.reason) == ("this retriever does not search", "I remember it.")
    assert own_answer(steps) == "Port Selby"
    assert isinstance(steps[-1], Ranked)
    assert steps[-1].hits == ()
    assert [request.data for request in server.requests] == [{"question": Q}]


@pytest.mark.parametrize(
    "script",
    [
        {"reasoning": "I do not know.", "answer": " "},
        {"answer": "Port Selby"},
        Answer("I cannot."),
    ],
    ids=["unknown", "half", "refusal"],
)
def test_no_answer_closes_nothing(workbench, script):
    with saying(workbench, lambda _: script) as (bench, _):
        steps = walked(bench, "zero-shot")
    assert said(steps)[0].text == "No answer."
    assert own_answer(steps) is None


def test_without_a_model_there_is_no_answer(workbench):
    steps = walked(workbench, "zero-shot")
    assert said(steps)[0].by == "rules (model)"
    assert own_answer(steps) is None


@pytest.mark.parametrize(("answer", "score"), [("Port Selby", 1.0), ("", 0.0), ("Ada", 0.0)])
def test_its_own_answer_is_scored_and_no_reader_is_asked(workbench, answer, score):
    with saying(workbench, lambda _: {"reasoning": "", "answer": answer}) as (bench, server):
        (row,) = evaluate((QUESTION,), bench, ("zero-shot",), answers=True).rows
    assert row.score == Score(score, score)
    assert set(row.ranks.values()) == {None}
    assert len(server.requests) == 1


def test_what_it_will_ask_is_foreseen(workbench):
    with saying(workbench, lambda _: KNOWN) as (bench, server):
        assert forecast(make("zero-shot", bench), Q).calls == 1
        assert server.requests == []
