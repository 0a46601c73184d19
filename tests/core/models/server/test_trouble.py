from typing import Any

import pytest

from core.errors import LlmError
from core.models.llm import Llm
from core.settings import Endpoint
from tests.llm import faults
from tests.llm.client import KEY, LEAVE, PROMPT, good, said
from tests.llm.server import Answer, ChatServer, endpoint


def test_the_reason_is_short_and_has_no_key() -> None:
    long = f"Bad key {KEY} at HERE, also sk-other and abc***xyz. " + "Very long. " * 50
    with ChatServer(lambda request: Answer(long.replace("HERE", server.url), status=403)) as server:
        text = said(server)
        assert "key may not use this model" in text
        assert "Bad key [key] at [server], also [key] and [key] Very long." in text
        assert len(text.split("Server message: ")[1]) <= 200


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "rejected the key"),
        (404, "no model 'scripted'"),
        (409, "rejected the request"),
        (503, "failed (error 503)"),
    ],
)
def test_a_refusal_says_what_mends_it(status: int, words: str) -> None:
    with ChatServer(lambda request: Answer("Why.", status=status)) as server:
        assert words in said(server)
        assert said(server).endswith("Server message: Why.")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://no-such-host.invalid/v1", "host in HOPRAG_LLM_URL"),
        ("http://127.0.0.1:9/v1", "No server is running"),
    ],
)
def test_a_server_that_is_not_there_is_said(url: str, words: str) -> None:
    with pytest.raises(LlmError, match=words):
        Llm(Endpoint("m", url, KEY), retries=0).complete(PROMPT, LEAVE)


def test_https_where_http_is_spoken_is_said() -> None:
    with ChatServer(good) as server:
        secure = Endpoint("m", server.url.replace("http:", "https:"), KEY)
        with pytest.raises(LlmError, match="use http instead of https"):
            Llm(secure, retries=0).complete(PROMPT, LEAVE)


def test_nothing_that_steers_a_terminal_is_repeated() -> None:
    with ChatServer(lambda request: Answer("\x1b[31mBad\x07 \u202ekey", status=409)) as server:
        assert said(server).endswith("Server message: [31mBad key")


@pytest.mark.parametrize(
    ("after", "words"),
    [("3600", "wait 3600 seconds"), ("\x1b[31m9", "wait a while"), ("nan", "wait a while")],
)
def test_a_wait_is_a_number(after: str, words: str) -> None:
    with ChatServer(lambda request: faults.too_many(after)) as server:
        assert words in said(server)


def test_the_tries_that_a_server_has_worked_for_are_told() -> None:
    def billed(answer: Answer, **limits: Any) -> int:
        with ChatServer(lambda request: answer) as server, pytest.raises(LlmError) as caught:
            Llm(endpoint(server), **{"retries": 1, **limits}).complete(PROMPT, LEAVE)
        return caught.value.billed

    assert billed(faults.broken()) == 2
    assert billed(faults.cut({})) == 2
    assert billed(faults.slow({}, 2), time_limit=0.1) == 2
    assert billed(faults.page()) == 1
    assert billed(faults.too_many(0.01)) == 0
    assert billed(Answer(status=401)) == 0
    assert billed(Answer(status=404)) == 0
    assert billed(Answer(status=400)) == 0


def test_where_nothing_listens_nothing_is_billed() -> None:
    with pytest.raises(LlmError) as caught:
        Llm(Endpoint("m", "http://127.0.0.1:9/v1", KEY), retries=0).complete(PROMPT, LEAVE)
    assert caught.value.billed == 0
