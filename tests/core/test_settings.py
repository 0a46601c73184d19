from pathlib import Path

import pytest
from streamlit import config
from streamlit.runtime.secrets import Secrets

from core.settings import OPENAI, Endpoint, read_settings

LOCAL = "http://localhost:11434/v1"


def endpoint(**environ: str) -> Endpoint | None:
    return read_settings(environ).endpoint


def test_without_a_model_there_is_no_endpoint() -> None:
    assert endpoint() is None
    assert endpoint(HOPRAG_LLM=" ", HOPRAG_LLM_URL=LOCAL, OPENAI_API_KEY="k") is None


def test_the_openai_key_goes_to_openai() -> None:
    assert endpoint(HOPRAG_LLM="m", OPENAI_API_KEY="k") == Endpoint("m", OPENAI, "k")
    same = endpoint(HOPRAG_LLM="m", HOPRAG_LLM_URL=f"{OPENAI}/", OPENAI_API_KEY="k")
    assert same == Endpoint("m", OPENAI, "k")


@pytest.mark.parametrize(
    "url",
    [
        LOCAL,
        "http://api.openai.com/v1",
        "https://api.openai.com.evil.example/v1",
        "https://api.openai.com@evil.example/v1",
        "https://evil.example/v1?https://api.openai.com/v1",
    ],
)
def test_the_openai_key_goes_to_no_other_server(url: str) -> None:
    assert endpoint(HOPRAG_LLM="m", HOPRAG_LLM_URL=url, OPENAI_API_KEY="k") == Endpoint("m", url)


def test_its_own_key_goes_to_any_server_and_comes_first() -> None:
    keys = {"HOPRAG_LLM_KEY": " own ", "OPENAI_API_KEY": "k"}
    assert endpoint(HOPRAG_LLM="m", **keys) == Endpoint("m", OPENAI, "own")
    assert endpoint(HOPRAG_LLM="m", HOPRAG_LLM_URL=LOCAL, **keys) == Endpoint("m", LOCAL, "own")


def test_only_model_and_host_are_ever_shown() -> None:
    found = Endpoint("m", "http://user:pass@host.example:8000/v1?key=1", "secret")
    assert repr(found) == "Endpoint(model='m')"
    assert found.host == "host.example:8000"
    assert Endpoint("m", "http://[1/v1").host == ""
    assert Endpoint("m", "nonsense").host == ""


def test_streamlit_secrets_count_as_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit puts what stands at the top of its secrets there, where child processes see it."""
    file = tmp_path / "secrets.toml"
    file.write_text(f'HOPRAG_LLM = "m"\nHOPRAG_LLM_URL = "{LOCAL}"\nHOPRAG_LLM_KEY = "secret"\n')
    environ: dict[str, str] = {}
    monkeypatch.setattr("os.environ", environ)
    before = config.get_option("secrets.files")
    config.set_option("secrets.files", [str(file)])
    try:
        assert Secrets().load_if_toml_exists()
    finally:
        config.set_option("secrets.files", before)
    assert read_settings(environ).endpoint == Endpoint("m", LOCAL, "secret")
