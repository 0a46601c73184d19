import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import ModelError
from core.settings import settings
from pages.components.shell import resources
from tests.core.fakes import WordEmbedder
from tests.llm.server import MODEL, Answer, ChatServer, Request
from tests.pages.journeys import checked, opened, words


def test_places_and_versions_are_shown(tiny_home: Path) -> None:
    shown = words(opened("settings"))
    assert f"Indexes {tiny_home / 'indexes'}" in shown
    assert "Server paths under no folder" in shown
    assert "streamlit 1.67" in shown
    assert f"HOPRAG_HOME Folder of indexes and uploads {tiny_home}" in shown


def test_nothing_else_of_the_environment_is_shown(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "OPENAI_API_KEY", "sk-very-secret")
    app = opened("settings")
    assert "very-secret" not in words(app)
    assert "very-secret" not in repr(app.main)


def test_an_embedder_is_checked_and_used_from_then_on(tiny_home: Path) -> None:
    app = opened("settings")
    app.selectbox(key="settings_embedder").set_value("all-MiniLM-L6-v2")
    app.button(key="settings_check").click().run()
    assert app.success[0].value.startswith("words works: 16 dimensions, float32")
    assert app.session_state["chosen_embedder"] == "all-MiniLM-L6-v2"


def test_an_embedder_that_cannot_be_loaded_says_what_to_do(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: str) -> WordEmbedder:
        raise ModelError(f"The embedder {name!r} could not be loaded. Give the path of a folder.")

    app = opened("settings")
    monkeypatch.setattr(resources, "embedder", fail)
    app.button(key="settings_check").click().run()
    assert "could not be loaded" in checked(app).error[0].value
    assert "chosen_embedder" not in app.session_state


KEY = "sk-very-secret"


@pytest.fixture
def configured(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A language model that adds 17 and 25, and is shy of other names."""

    def answer(request: Request) -> Answer:
        known = request.body["model"] == MODEL
        tokens = (len(request.user.split()), 5)
        reply = Answer('{"sum": 42, "first": 1}', tokens=tokens)
        return reply if known else Answer(f"<b>No {KEY}</b>", status=404)

    with ChatServer(answer) as server:
        monkeypatch.setenv("HOPRAG_LLM", MODEL)
        monkeypatch.setenv("HOPRAG_LLM_URL", server.url.replace("//", "//user:word@"))
        monkeypatch.setenv("HOPRAG_LLM_KEY", KEY)
        settings.cache_clear()
        yield server


def everything(app: AppTest) -> str:
    return words(app) + repr(app.main)


def test_without_a_model_the_ways_to_one_are_shown(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOPRAG_LLM", raising=False)
    app = opened("settings")
    for way in ("OpenAI", "Ollama", "vLLM"):
        assert f"{way} HOPRAG_LLM=" in words(app)
    assert "settings_llm_test" not in [button.key for button in app.button]


def test_model_and_host_are_shown_and_never_key_or_url(configured: ChatServer) -> None:
    app = opened("settings")
    host = configured.url.split("/")[2]
    assert f"Model {MODEL} Server {host} Key set" in words(app)
    for hidden in (KEY, configured.url, "user:word", "/v1"):
        assert hidden not in everything(app)
    assert configured.requests == []


def test_the_connection_is_tested_on_demand(configured: ChatServer) -> None:
    app = opened("settings")
    app.button(key="settings_llm_test").click().run()
    works, reads = checked(app).success
    assert works.value.startswith("scripted works")
    assert reads.value.startswith("It reads requests of 8,000 tokens")
    assert len(configured.requests) == 3  # with the one that looks at the limit on replies


def test_what_is_wrong_with_the_model_is_shown_letter_by_letter(
    configured: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOPRAG_LLM", "<i>*gone*</i>")
    settings.cache_clear()
    app = opened("settings")
    app.button(key="settings_llm_test").click().run()
    shown = checked(app).error[0].value
    assert shown.startswith(r"The server has no model '\<i\>\*gone\*\</i\>'")
    assert "scripted" in shown
    assert KEY not in everything(app)


def test_an_oracle_is_shared_by_index(configured: ChatServer, tiny_home: Path) -> None:
    here = resources.oracle(tiny_home / "a")
    assert here is not None
    assert here is resources.oracle(tiny_home / "a")
    assert here is not resources.oracle(tiny_home / "b")


def test_without_a_model_there_is_no_oracle(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOPRAG_LLM", raising=False)
    settings.cache_clear()
    assert resources.oracle(tiny_home / "a") is None
