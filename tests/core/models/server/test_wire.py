import json
import logging
import os
import time
import tracemalloc
from dataclasses import replace

import pytest

from core.errors import LlmError
from core.models.llm import Llm
from core.models.server.wire import LARGEST
from core.settings import Endpoint
from tests.llm import faults
from tests.llm.client import KEY, LEAVE, PROMPT, asked, good, said
from tests.llm.server import Answer, ChatServer, completion, endpoint


def test_the_key_is_not_in_its_repr() -> None:
    assert KEY not in repr(Endpoint("m", "http://127.0.0.1:1/v1", KEY))


def test_a_reply_drop_by_drop_is_ended_too() -> None:
    with ChatServer(lambda request: Answer("yes", drops=0.05)) as server:
        began = time.perf_counter()
        assert "did not answer in time" in said(server, time_limit=0.3)
        assert time.perf_counter() - began < 8


def test_a_head_drop_by_drop_is_ended_too() -> None:
    with ChatServer(lambda request: Answer("yes", head_drops=0.05)) as server:
        began = time.perf_counter()
        assert "did not answer in time" in said(server, time_limit=0.3)
        assert time.perf_counter() - began < 8


@pytest.mark.parametrize("status", [200, 400, 500])
def test_what_unpacks_to_a_flood_is_not_unpacked(status: int) -> None:
    bomb = replace(faults.packed(b" " * 2**28), status=status)  # 260 kB into 256 MB
    with ChatServer(lambda request: bomb) as server:
        tracemalloc.start()
        assert "not a model reply" in said(server)
        assert tracemalloc.get_traced_memory()[1] < 4 * LARGEST
        tracemalloc.stop()


def test_what_is_packed_all_the_same_is_read() -> None:
    body = json.dumps(completion(Answer("yes"))).encode()
    with ChatServer(lambda request: faults.packed(body)) as server:
        assert asked(server) == "yes"


def test_what_cannot_be_unpacked_is_no_reply() -> None:
    odd = Answer("yes", headers={"Content-Encoding": "gzip"})
    with ChatServer(lambda request: odd) as server:
        assert "cannot be read" in said(server)


@pytest.mark.parametrize("charset", ["rot13", "zip", "no-such", "utf-7"])
def test_a_codec_that_a_server_names_is_not_used(charset: str) -> None:
    kind = {"Content-Type": f"application/json; charset={charset}"}
    with ChatServer(lambda request: Answer("Out of luck.", status=409, headers=kind)) as server:
        assert said(server).endswith("Server message: Out of luck.")


def test_a_flood_is_no_reply() -> None:
    with ChatServer(lambda request: Answer("x" * 9 * 2**20)) as server:
        assert "not a model reply" in said(server)


def test_a_redirect_is_not_followed() -> None:
    with ChatServer(good) as other:
        away = Answer(status=307, headers={"Location": f"{other.url}/chat/completions"})
        with ChatServer(lambda request: away) as server:
            assert "redirects to another address" in said(server)
        assert other.requests == []


def test_this_machine_is_not_behind_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with ChatServer(good) as server:
        assert asked(server) == '{"ok": true}'


def test_a_proxy_that_cannot_be_used_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "carrier-pigeon://127.0.0.1:9")
    with pytest.raises(LlmError, match="The proxy set in the environment"):
        Llm(Endpoint("m", "http://host.invalid/v1"), retries=0).complete(PROMPT, LEAVE)


def test_what_is_meant_for_openai_goes_to_no_other_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID"):
        monkeypatch.setitem(os.environ, f"OPENAI_{name}", "meant-for-openai")
    header = "Authorization: Bearer meant-for-openai"
    monkeypatch.setitem(os.environ, "OPENAI_CUSTOM_HEADERS", header)
    with ChatServer(good) as server:
        asked(server, key="")
        Llm(endpoint(server, key="")).models()
        sent = [*(request.headers for request in server.requests), *server.others]
        assert len(sent) == 2
        assert "meant-for-openai" not in repr(sent)


def test_neither_key_nor_address_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with (
        caplog.at_level(logging.DEBUG),
        ChatServer(faults.first(faults.broken(), then=good)) as server,
    ):
        asked(server)
    assert "HTTP Request" in caplog.text
    assert KEY not in caplog.text
    assert server.url.split("/")[2] not in caplog.text


@pytest.mark.parametrize(
    "url", ["localhost:11434/v1", "nonsense", "http://", "http://[1/v1", "http://a:b/v1", "ftp://a"]
)
def test_a_url_that_is_none_is_said(url: str) -> None:
    with pytest.raises(LlmError, match="HOPRAG_LLM_URL is not a server URL"):
        Llm(Endpoint("m", url)).complete(PROMPT, LEAVE)


@pytest.mark.parametrize("key", ["sk-\N{CYRILLIC SMALL LETTER A}", "sk-\n1"])
def test_a_key_that_cannot_be_one_is_said(key: str) -> None:
    with pytest.raises(LlmError, match="invalid characters"):
        Llm(Endpoint("m", "http://127.0.0.1:9/v1", key)).complete(PROMPT, LEAVE)
