"""What a model did not decide is said on every page, and asked for again on a click."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.settings import settings
from pages.components.ask import model_calls
from tests.llm.refusing import wrong_key
from tests.llm.replies import choose
from tests.llm.server import ChatServer
from tests.pages.conftest import QUESTION, TINY
from tests.pages.journeys import checked, opened, words

COLUMN = "compare_hoprag-llm"


@pytest.fixture
def server(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with ChatServer(wrong_key) as server:
        prices = tiny_home / "prices.toml"
        prices.write_text("[scripted]\nin = 100\nout = 100\n")
        monkeypatch.setenv("HOPRAG_PRICES", str(prices))
        monkeypatch.setenv("HOPRAG_LLM", "scripted")
        monkeypatch.setenv("HOPRAG_LLM_THINKING", "0")
        monkeypatch.setenv("HOPRAG_LLM_URL", server.url)
        settings.cache_clear()
        yield server


def keys(app: AppTest) -> list[str]:
    return [button.key for button in app.button]


def test_a_comparison_says_it_and_asks_again(server: ChatServer) -> None:
    app = opened("compare", index=TINY, q=QUESTION.text, **{"with": "hoprag-similarity,hoprag-llm"})
    app.button(key=f"{COLUMN}_ask_model").click().run()
    assert "no model" in words(checked(app))
    assert "rejected the key" in app.error[0].value
    made = len(server.requests)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_calls, "forecast", None)  # no further run foresees it anew
        checked(app.run())
    assert len(server.requests) == made
    app.button(key=f"{COLUMN}_again").click().run()
    assert len(server.requests) > made
    server.answer = choose
    app.button(key=f"{COLUMN}_again").click().run()
    assert not checked(app).error
    assert "no model" not in words(app)
    assert f"{COLUMN}_again" not in keys(app)


@pytest.mark.parametrize("page", ["compare", "trace"])
def test_a_budget_ends_it_and_more_goes_on(server: ChatServer, page: str) -> None:
    server.answer = lambda request: replace(choose(request), tokens=(1000, 200))
    place = {"compare": COLUMN, "trace": "trace"}[page]
    wanted = {"with": "bm25,hoprag-llm"} if page == "compare" else {"retriever": "hoprag-llm"}
    app = opened(page, index=TINY, q=QUESTION.text, **wanted)
    app.number_input(key=f"{place}_calls_budget_money").set_value(0.45).run()
    app.button(key=f"{place}_ask_model").click().run()
    assert "this run has spent" in checked(app).info[0].value
    made = len(server.requests)
    assert made > 0
    app.run()
    assert len(server.requests) == made
    app.number_input(key=f"{place}_calls_budget_money").set_value(50.0).run()
    app.button(key=f"{place}_ask_model").click().run()
    assert not checked(app).info
    assert len(server.requests) > made
    assert f"{place}_ask_model" not in keys(app)
