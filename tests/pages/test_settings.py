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
    assert "Server folders users may read none" in shown
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
    return words(app) + repr(app.main) + " ".join(str(each.proto) for each in app.main)


@pytest.fixture
def unset(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose environment names no language model."""
    for name in ("HOPRAG_LLM", "HOPRAG_LLM_URL", "HOPRAG_LLM_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    settings.cache_clear()
    return tiny_home


def fill(app: AppTest, url: str, model: str, key: str, *, kept: str = "This session") -> AppTest:
    app.text_input(key="settings_hoprag_llm_url").set_value(url)
    app.text_input(key="settings_hoprag_llm_model").set_value(model)
    app.text_input(key="settings_hoprag_llm_key").set_value(key)
    app.radio(key="settings_hoprag_llm_kept").set_value(kept)
    return checked(app.button(key="settings_hoprag_llm_use").click().run())


def adding(request: Request) -> Answer:
    return Answer('{"sum": 42}')


def test_a_server_typed_here_is_that_of_this_session_alone(unset: Path) -> None:
    app, other = opened("settings"), opened("settings")
    assert "No language model is set up" in everything(app)
    with ChatServer(adding) as server:
        fill(app, server.url, MODEL, KEY)
        assert f"Model {MODEL} Server {server.url.split('/')[2]} Key set" in words(app)
        assert "Set in this session only" in words(app)
        checked(app.button(key="settings_llm_test").click().run())
        assert app.success[0].value.startswith("scripted works")
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        assert len(server.requests) == 1
        for hidden in (KEY, server.url):
            assert hidden not in everything(app)
        assert "No language model is set up" in everything(checked(other.run()))
        assert settings().endpoint is None
        assert not [each for each in unset.iterdir() if each.name != "indexes"]

        app.button(key="settings_llm_forget").click().run()
        assert "No language model is set up" in everything(checked(app))


def test_a_question_is_asked_of_the_model_of_its_own_session(unset: Path) -> None:
    def oracle_of(app: AppTest) -> str:
        """The model that a page of this session would ask."""
        return next(
            (each.label for each in app.button if each.key == "settings_llm_test"), "none"
        ) + str(app.session_state["typed_servers"]["HOPRAG_LLM_KEY"])

    one, two = opened("settings"), opened("settings")
    fill(one, "http://127.0.0.1:9/v1", MODEL, "sk-of-the-first")
    fill(two, "http://127.0.0.1:9/v1", MODEL, "sk-of-the-other")
    assert oracle_of(one) == "Testsk-of-the-first"
    assert oracle_of(two) == "Testsk-of-the-other"


def test_a_server_saved_for_the_machine_is_for_all_and_in_one_file(unset: Path) -> None:
    app, other = opened("settings"), opened("settings")
    with ChatServer(adding) as server:
        fill(app, server.url, MODEL, KEY, kept="This machine")
        assert "Set in this machine" in words(checked(other.run()))
        checked(other.button(key="settings_llm_test").click().run())
        assert other.success[0].value.startswith("scripted works")
    held = [
        each for each in unset.rglob("*") if each.is_file() and KEY in each.read_text("latin-1")
    ]
    assert [(each.name, each.stat().st_mode & 0o777) for each in held] == [
        ("saved_servers.json", 0o600)
    ]
    checked(other.button(key="settings_llm_forget").click().run())
    assert "No language model is set up" in everything(checked(app.run()))


@pytest.mark.parametrize(
    ("url", "model", "key", "why"),
    [
        ("file:///etc/passwd", "m", KEY, "not a server URL"),
        ("http://x.example/v1\nHost: y", "m", KEY, "not a server URL"),
        ("http://x.example/v1", "m", "sk-very\nsecret", "contains invalid characters"),
        ("http://x.example/v1", " ", KEY, "model name is empty"),
        ("http://x.example/v1", "m\0", KEY, "model name is empty"),
    ],
)
def test_what_cannot_be_a_server_is_refused_and_not_held(
    unset: Path, url: str, model: str, key: str, why: str
) -> None:
    app = fill(opened("settings"), url, model, key)
    assert why in app.error[0].value
    assert "sk-very" not in everything(app)
    assert "typed_servers" not in app.session_state


def test_the_environment_goes_before_the_screen(
    unset: Path, configured: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened("settings")
    assert "cannot be changed here" in everything(app)
    assert not [each for each in app.text_input if "_llm_" in each.key]  # all three are set there
    monkeypatch.delenv("HOPRAG_LLM")
    settings.cache_clear()
    app = opened("settings")
    disabled = {each.key: each.disabled for each in app.text_input if "_llm_" in each.key}
    assert disabled == {
        "settings_hoprag_llm_url": True,
        "settings_hoprag_llm_model": False,
        "settings_hoprag_llm_key": True,
    }
    app.text_input(key="settings_hoprag_llm_model").set_value(MODEL)
    checked(app.button(key="settings_hoprag_llm_use").click().run())
    checked(app.button(key="settings_llm_test").click().run())
    assert app.success[0].value.startswith("scripted works")


def test_model_and_host_are_shown_and_never_key_or_url(configured: ChatServer) -> None:
    app = opened("settings")
    host = configured.url.split("/")[2]
    assert f"Model {MODEL} Server {host} Key set" in words(app)
    for hidden in (KEY, configured.url, "user:word", f"{host}/"):
        assert hidden not in everything(app)
    assert configured.requests == []


def test_the_connection_is_tested_on_demand(configured: ChatServer) -> None:
    app = opened("settings")
    app.button(key="settings_llm_test").click().run()
    (works,) = checked(app).success
    assert works.value.startswith("scripted works")
    assert len(configured.requests) == 1
    app.button(key="settings_llm_more").click().run()
    keeps, reads = checked(app).success
    assert keeps.value.startswith("It respects the limit")
    assert reads.value.startswith("It reads requests of at least 8,000 tokens")


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
