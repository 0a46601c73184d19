"""What is loaded before the first question is not timed with it."""

import time
from collections.abc import Iterator

import pytest

from core.api.retrieving import recorded
from core.artefacts.workbench import WARM_UP, Workbench
from core.models.oracle import Oracle
from core.playback.account import account
from core.retrievers import Spec, make
from core.retrievers.baselines.dense import Dense
from core.retrievers.hoprag.llm import HopRagLlm
from core.retrievers.warm_up import warm_up
from core.runs.measuring import evaluate
from core.steps import Step
from core.types import Query
from tests.core.five import QUESTION

LOADING = 0.25


@pytest.fixture
def queries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queries in order; the first one waits for what is loaded."""
    seen: list[str] = []
    near, retrieve = Workbench.near, Dense.retrieve

    def slow(self: Workbench, vector: object) -> object:
        if len(seen) == 1:
            time.sleep(LOADING)
        return near(self, vector)  # type: ignore[arg-type]

    def noted(self: Dense, query: str) -> Iterator[Step]:
        seen.append(query)
        return retrieve(self, query)

    monkeypatch.setattr(Workbench, "near", slow)
    monkeypatch.setattr(Dense, "retrieve", noted)
    return seen


def test_the_first_trace_is_not_timed_with_the_loading(
    workbench: Workbench, queries: list[str]
) -> None:
    one = recorded(workbench, Spec("dense"), QUESTION.text)
    assert account(one.steps).seconds < LOADING
    assert queries == [WARM_UP, QUESTION.text]


def test_the_warm_up_is_in_no_result_and_happens_once(
    workbench: Workbench, queries: list[str]
) -> None:
    asked = [QUESTION, Query("q2", "Who toured?", gold=("singer",))]
    for _ in range(2):
        report = evaluate(asked, workbench, ["dense"])
        assert [row.question.id for row in report.rows] == ["q1", "q2"]
        assert all(row.retrieval_seconds < LOADING for row in report.rows)
    assert queries == [WARM_UP, *2 * [one.text for one in asked]]


def test_pages_and_evaluations_time_the_same(workbench: Workbench) -> None:
    for key in ("dense", "hybrid", "rerank(over=dense)"):
        (row,) = evaluate([QUESTION], workbench, [key]).rows
        steps = tuple(make(key, workbench).retrieve(QUESTION.text))
        took = account(steps)
        assert row.embed_seconds > 0
        assert row.seconds == pytest.approx(row.embed_seconds + row.retrieval_seconds)
        assert (took.embed_seconds > 0, took.seconds > 0) == (True, True)


def test_no_model_is_called_to_warm_up(
    workbench: Workbench, oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[str] = []

    def noted(_: HopRagLlm, query: str) -> Iterator[Step]:
        called.append(query)
        return iter(())

    monkeypatch.setattr(HopRagLlm, "retrieve", noted)
    warm_up(Spec("hoprag-llm"), workbench.with_oracle(oracle))
    assert not called
