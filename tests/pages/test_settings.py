import os
from pathlib import Path

import pytest

from core.errors import ModelError
from pages.components import resources
from tests.core.fakes import WordEmbedder
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
