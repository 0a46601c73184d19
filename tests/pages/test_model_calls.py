"""With a model: what it will be asked is said first, a click asks it, the trace shows it."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.settings import settings
from pages.components.ask.naming import how_to_get_the_others
from pages.components.graph.graph_view import Selection
from pages.components.trace.rows import GRAPH
from tests.llm import faults
from tests.llm.replies import choose
from tests.llm.server import Answer, ChatServer, Request
from tests.pages.conftest import QUESTION, TINY
from tests.pages.journeys import checked, labels, opened, words

KEY = "sk-secret-of-the-test"


class Model:
    """A server whose script can be changed on the way."""

    def __init__(self) -> None:
        self.script = choose

    def __call__(self, request: Request) -> Answer:
        return self.script(request)


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def server(tiny_home: Path, model: Model, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with ChatServer(model) as server:
        monkeypatch.setenv("HOPRAG_LLM", "scripted")
        monkeypatch.setenv("HOPRAG_LLM_URL", server.url)
        monkeypatch.setenv("HOPRAG_LLM_KEY", KEY)
        settings.cache_clear()
        yield server


def traced(**params: str) -> AppTest:
    wanted = {"index": TINY, "q": QUESTION.text, "chooser": "llm", "entry": "edge", **params}
    return opened("trace", **wanted)


def everything(app: AppTest) -> str:
    """All that the page shows, as it is sent."""
    return unescape(" ".join(str(element.proto) for element in app.main))


def captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption).replace("\\", "")


def test_nothing_is_asked_before_a_click_and_the_number_of_calls_is_said(
    server: ChatServer,
) -> None:
    app = traced()
    assert server.requests == []
    told = re.search(
        r"scripted: at least (\d+) calls?(?:, perhaps \d+)?, free of charge", captions(app)
    )
    assert told
    app.button(key="trace_ask_model").click().run()
    shown = words(checked(app))
    assert int(told[1]) <= len(server.requests)
    assert f"Model {len(server.requests)} calls, {120 * len(server.requests):,} tokens" in shown
    assert "The end: " in shown
    assert "HopRAG, model" in shown


def test_what_is_kept_is_shown_at_once(server: ChatServer) -> None:
    app = traced()
    app.button(key="trace_ask_model").click().run()
    made = len(server.requests)
    again = traced(n_hop="2")
    assert "trace_ask_model" not in [button.key for button in again.button]
    assert re.search(r"Model no call, \d+ (reply|replies) kept", words(again))
    assert len(server.requests) == made
    more = traced(q="Who married Ilo Venn?")
    assert "at least" in captions(more)
    assert len(server.requests) == made


def test_details_show_the_exchange_word_for_word(server: ChatServer) -> None:
    app = traced()
    app.button(key="trace_ask_model").click().run()
    request = next(r for r in server.requests if r.data["passage"] == "owner")
    app.session_state[f"graph_selection_{GRAPH}"] = Selection("node", "owner")
    app.session_state["trace_view"] = "Details"
    app.run()
    assert "The model at Mara Quist, hop 1" in words(checked(app))
    assert "100 tokens in, 20 out" in words(app)
    assert {"Raw reply", "Prompt: what it was given", "Prompt: instructions"} <= set(
        labels(app, "expander")
    )
    codes = [code.value for code in app.code]
    assert {request.user, request.system, choose(request).text} <= set(codes)


def test_a_hostile_reply_stays_text(server: ChatServer, model: Model) -> None:
    model.script = lambda _: faults.changed(
        {"reason": "<b>bold</b> :red[x]", "verdict": "irrelevant", "follow": None}
    )
    app = traced()
    app.button(key="trace_ask_model").click().run()
    for t in range(len(server.requests)):
        app = traced(t=str(4 + t))
        html = " ".join(str(element.proto.body) for element in app.get("html"))
        assert "<b>bold</b>" not in html
        if "&lt;b&gt;bold" in html:
            return
    pytest.fail("the reason was never shown")


def test_a_model_that_cannot_be_asked_is_said_and_asked_again_on_a_click(
    server: ChatServer, model: Model
) -> None:
    model.script = lambda _: Answer("no", status=401)
    app = traced()
    app.button(key="trace_ask_model").click().run()
    warned = app.warning[0].value.replace("\\", "")
    assert "could not be asked" in warned
    assert "refuses the key" in warned
    assert "fallbacks" in words(checked(app))
    model.script = choose
    app.button(key="trace_again").click().run()
    assert "The end" not in words(checked(app))
    app.button(key="trace_ask_model").click().run()
    assert not checked(app).warning
    assert "fallback" not in words(app)


def test_neither_key_nor_address_is_shown(server: ChatServer) -> None:
    app = traced()
    app.button(key="trace_ask_model").click().run()
    app.session_state["trace_view"] = "Details"
    app.run()
    shown = everything(checked(app))
    assert KEY not in shown
    assert server.url.split("/")[2] not in shown


def test_a_comparison_waits_for_a_click_too(server: ChatServer) -> None:
    app = opened("compare", index=TINY, q=QUESTION.text, **{"with": "hoprag-similarity,hoprag-llm"})
    assert server.requests == []
    assert "scripted: at least" in captions(app)
    assert "HopRAG, model" in words(app)
    wanted = "compare_hoprag-llm(top_k=10)_ask_model"
    app.button(key=wanted).click().run()
    assert server.requests
    assert wanted not in [button.key for button in checked(app).button]
    app.button(key="compare_trace_1").click().run()
    assert "HopRAG, model" in words(checked(app))


@pytest.mark.usefixtures("tiny_home")
def test_without_a_model_the_pages_say_how_to_get_it() -> None:
    said = how_to_get_the_others(with_model=False)
    assert said == "hoprag-llm asks a language model: set HOPRAG_LLM, see Settings"
    assert how_to_get_the_others(with_model=True) == ""
    assert said in captions(opened("trace", index=TINY, q=QUESTION.text))
    assert said in captions(opened("compare", index=TINY, q=QUESTION.text))
    for app in (
        opened("trace", index=TINY, q=QUESTION.text, chooser="llm"),
        opened("compare", index=TINY, q=QUESTION.text, **{"with": "bm25,hoprag-llm"}),
    ):
        assert "Set HOPRAG_LLM to its name" in app.error[0].value.replace("\\", "")
