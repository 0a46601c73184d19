"""Which key goes where, whoever gave it."""

import json
import stat
from pathlib import Path

import pytest

from core.errors import InputError
from core.model_servers import FILE, OPENAI, fixed, merged, overlaid, read_saved, save
from core.settings import Endpoint, read_settings, settings

THERE, ELSEWHERE = "http://models.example/v1", "http://other.example/v1"
TYPED = {"HOPRAG_LLM": "m", "HOPRAG_LLM_URL": THERE, "HOPRAG_LLM_KEY": "typed"}


def endpoint(typed: dict[str, str], **environ: str) -> Endpoint | None:
    return read_settings(overlaid(environ, typed)).endpoint


def test_what_is_typed_counts_where_the_environment_says_nothing() -> None:
    assert endpoint(TYPED) == Endpoint("m", THERE, "typed")
    assert endpoint(TYPED, HOPRAG_LLM="own", HOPRAG_LLM_TRIES="2") == Endpoint(
        "own", THERE, "typed", tries=2
    )


def test_a_typed_key_goes_to_its_own_url_only() -> None:
    assert endpoint(TYPED, HOPRAG_LLM_URL=ELSEWHERE) == Endpoint("m", ELSEWHERE)
    assert endpoint(TYPED, HOPRAG_LLM_URL=f"{THERE}/") == Endpoint("m", THERE, "typed")


def test_a_key_of_the_environment_goes_to_no_typed_url() -> None:
    assert endpoint(TYPED, HOPRAG_LLM_KEY="env") == Endpoint("m", OPENAI, "env")
    assert endpoint(TYPED, OPENAI_API_KEY="env") == Endpoint("m", THERE, "typed")
    assert fixed({"HOPRAG_LLM_KEY": "env"}, "HOPRAG_LLM") == {"HOPRAG_LLM_KEY", "HOPRAG_LLM_URL"}


def test_a_key_of_the_machine_does_not_go_to_a_url_of_the_session() -> None:
    session = {"HOPRAG_LLM": "n", "HOPRAG_LLM_URL": ELSEWHERE}
    assert endpoint(merged(TYPED, session)) == Endpoint("n", ELSEWHERE)
    assert endpoint(TYPED, **session) == Endpoint("n", ELSEWHERE)  # as a job's process reads it


def test_a_typed_url_that_is_guarded_is_so_in_every_process() -> None:
    guarded = {**TYPED, "HOPRAG_LLM_GUARDED": "1"}
    assert endpoint({}, **overlaid({}, guarded)) == Endpoint("m", THERE, "typed", guarded=True)
    assert endpoint(guarded, HOPRAG_LLM_URL=ELSEWHERE) == Endpoint("m", ELSEWHERE)


def test_only_its_owner_can_read_what_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    save(home, {})
    (home / FILE).chmod(0o644)
    save(home, TYPED)
    assert stat.S_IMODE((home / FILE).stat().st_mode) == 0o600
    assert [each.name for each in home.iterdir()] == [FILE]
    assert read_saved(home) == TYPED
    monkeypatch.setenv("HOPRAG_HOME", str(home))
    for name in TYPED:
        monkeypatch.delenv(name, raising=False)
    settings.cache_clear()
    assert settings().endpoint == Endpoint("m", THERE, "typed")
    settings.cache_clear()


@pytest.mark.parametrize(
    "content", ["{", "[]", json.dumps({"PATH": "/tmp"}), json.dumps({"HOPRAG_LLM": 1})]
)
def test_a_damaged_file_is_said_without_what_is_in_it(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(InputError, match="Delete it"):
        read_saved(tmp_path)
