from pathlib import Path

import pytest
from streamlit import config
from streamlit.runtime.secrets import Secrets

from core.model_servers import OPENAI
from core.settings import Endpoint, read_settings

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
    assert repr(found).startswith("Endpoint(model='m', at_once=32, ")
    assert not [word for word in ("user", "pass", "host", "8000", "secret") if word in repr(found)]
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


def test_bounds_of_calls_are_read() -> None:
    found = endpoint(
        HOPRAG_LLM="m",
        HOPRAG_LLM_AT_ONCE=" 4 ",
        HOPRAG_LLM_SECONDS="2.5",
        HOPRAG_LLM_TRIES="1",
        HOPRAG_LLM_THINKING="0",
        HOPRAG_LLM_EXTRA='{"b": {"c": false}, "a": "low"}',
    )
    assert found == Endpoint(
        "m", at_once=4, seconds=2.5, tries=1, thinking=0, extra='{"a": "low", "b": {"c": false}}'
    )
    assert hash(found)
    assert "low" not in repr(found)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("AT_ONCE", "0", "a number from 1 to 1,000. Correct it, or unset it for 32."),
        ("AT_ONCE", "2.5", "HOPRAG_LLM_AT_ONCE"),
        ("AT_ONCE", "9" * 5_000, "HOPRAG_LLM_AT_ONCE"),
        ("SECONDS", "nan", "HOPRAG_LLM_SECONDS"),
        ("SECONDS", "inf", "HOPRAG_LLM_SECONDS"),
        ("SECONDS", "a minute", "unset it for 60"),
        ("TRIES", "-1", "HOPRAG_LLM_TRIES"),
        ("THINKING", "1e9", "HOPRAG_LLM_THINKING"),
        ("EXTRA", "{", "HOPRAG_LLM_EXTRA is not a JSON object"),
        ("EXTRA", "[]", "HOPRAG_LLM_EXTRA is not a JSON object"),
        ("EXTRA", '{"a": NaN}', "HOPRAG_LLM_EXTRA is not a JSON object"),
        ("EXTRA", "[" * 100_000, "HOPRAG_LLM_EXTRA is not a JSON object"),
        ("EXTRA", '{"model": "x", "messages": []}', "may not set messages, model"),
    ],
)
def test_a_setting_that_cannot_be_used_is_kept_to_be_said(
    name: str, value: str, words: str
) -> None:
    found = endpoint(HOPRAG_LLM="m", **{f"HOPRAG_LLM_{name}": value})
    assert found is not None
    assert words in found.unusable
    assert (found.at_once, found.seconds, found.tries, found.extra) == (32, 60.0, 6, "")


def test_a_reader_is_another_model_of_the_same_server_or_of_its_own() -> None:
    llm = {"HOPRAG_LLM": "a", "HOPRAG_LLM_URL": "http://x/v1", "HOPRAG_LLM_KEY": "k"}
    assert read_settings(llm).endpoint.reader is None
    assert read_settings({"HOPRAG_READER": "b"}).endpoint is None
    same = read_settings({**llm, "HOPRAG_READER": "b"}).endpoint.reader
    assert (same.model, same.url, same.key, same.role) == ("b", "http://x/v1", "k", "reader")
    own = {"HOPRAG_READER": "b", "HOPRAG_READER_URL": "http://y/v1"}
    other = read_settings({**llm, **own}).endpoint.reader
    assert (other.model, other.url, other.key) == ("b", "http://y/v1", "")
    keyed = read_settings({**llm, **own, "HOPRAG_READER_KEY": "q"})
    assert keyed.endpoint.reader.key == "q"
    assert not {"q", "y/v1"} & set(repr(keyed).split("'"))
