"""No page lets a call through without a click, whatever is wrapped round who makes it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.errors import LeaveMissing
from core.retrievers import make
from pages.components.ask import model_calls
from pages.components.shell import resources
from tests.core.wrappers import Holding, register
from tests.llm.configured import configured
from tests.llm.replies import choose
from tests.llm.server import Answer, ChatServer, Request
from tests.pages.conftest import QUESTION, TINY
from tests.pages.journeys import checked, opened

WRAPPED = "named(times=2)"
THINKING = "ircot(over=hoprag-llm,thoughts=2)"


def script(request: Request) -> Answer:
    """Follows shared words, and thinks no further."""
    if "questions" in request.data:
        return choose(request)
    return Answer('{"thought": "So the answer is: Port Selby.", "answer": "Port Selby"}')


@pytest.fixture
def server(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    register(monkeypatch)
    with configured(script, monkeypatch) as server:
        yield server


def captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption).replace("\\", "")


def buttons(app: AppTest) -> list[str]:
    return [button.key for button in app.button if button.key.endswith("_ask_model")]


@pytest.mark.parametrize("wrapped", ["hoprag-llm", "named", WRAPPED])
def test_whoever_would_call_waits(server: ChatServer, wrapped: str) -> None:
    bench = resources.workbench(resources.entry(TINY))
    inner = make(wrapped, bench)
    for retriever in (inner, Holding(bench, inner), Holding(bench, Holding(bench, inner))):
        gate = model_calls.leave(retriever, QUESTION.text, place="test")
        assert gate.waits_for
        assert gate.waits_for.calls > 0
        assert gate.leave is None
        with pytest.raises(LeaveMissing):
            list(retriever.retrieve(QUESTION.text))
    assert server.requests == []


def test_who_calls_nobody_does_not(server: ChatServer) -> None:
    bench = resources.workbench(resources.entry(TINY))
    for wrapped in ("bm25", "named(over=bm25)", "named(over=hoprag-coverage,times=2)"):
        gate = model_calls.leave(make(wrapped, bench), QUESTION.text, place="test")
        assert gate == model_calls.Gate()
    assert server.requests == []


def test_agreeing_is_for_one_question_one_retriever_and_its_settings(server: ChatServer) -> None:
    bench = resources.workbench(resources.entry(TINY))
    one = make(WRAPPED, bench)
    calls = model_calls.leave(one, QUESTION.text, place="test").waits_for
    assert calls
    model_calls._agree("test", model_calls._wish(one, QUESTION.text))
    try:
        assert model_calls.leave(make(WRAPPED, bench), QUESTION.text, place="test").leave
        for other, question, place in (
            (make("named(times=3)", bench), QUESTION.text, "test"),
            (make("named(over=hoprag-llm(offered=3),times=2)", bench), QUESTION.text, "test"),
            (one, "Who married Ilo Venn?", "test"),
            (one, QUESTION.text, "elsewhere"),
        ):
            gate = model_calls.leave(other, question, place=place)
            assert (gate.leave, gate.run) == (None, "")
            assert gate.waits_for
    finally:
        st.session_state.clear()
    assert server.requests == []


def test_two_columns_wait_for_a_click_each(server: ChatServer) -> None:
    wanted = {"with": f"bm25,{THINKING},hoprag-llm"}
    app = opened("compare", index=TINY, q=QUESTION.text, **wanted)
    assert server.requests == []
    first, second = buttons(app)
    told = re.findall(r"about (\d+) calls? \(at most (\d+)\)", captions(app))
    app.button(key=first).click().run()
    made = len(server.requests)
    assert 0 < made <= int(told[0][1])
    # What the other would ask beyond that is not asked by the way.
    assert buttons(checked(app)) in ([second], [])


def test_a_trace_of_what_wraps_waits_too(server: ChatServer) -> None:
    app = opened("trace", index=TINY, q=QUESTION.text, retriever=THINKING)
    assert server.requests == []
    assert "scripted: about" in captions(app)
    app.button(key="trace_ask_model").click().run()
    assert server.requests
    assert buttons(checked(app)) == []
