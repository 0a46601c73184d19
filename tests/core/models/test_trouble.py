import pytest

from core.errors import LlmError
from core.models.llm import Llm
from core.settings import Endpoint
from tests.llm.client import KEY, LEAVE, PROMPT, good, said
from tests.llm.server import Answer, ChatServer


def test_the_reason_is_short_and_has_no_key() -> None:
    long = f"Bad key {KEY} at HERE, also sk-other and abc***xyz. " + "Very long. " * 50
    with ChatServer(lambda request: Answer(long.replace("HERE", server.url), status=403)) as server:
        text = said(server)
        assert "denies this key" in text
        assert "Bad key [key] at [server], also [key] and [key] Very long." in text
        assert len(text.split("It says: ")[1]) <= 200


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "refuses the key"),
        (404, "no model 'scripted'"),
        (409, "refuses the request"),
        (503, "fails (error 503)"),
    ],
)
def test_a_refusal_says_what_mends_it(status: int, words: str) -> None:
    with ChatServer(lambda request: Answer("Why.", status=status)) as server:
        assert words in said(server)
        assert said(server).endswith("It says: Why.")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://no-such-host.invalid/v1", "no host of the name"),
        ("http://127.0.0.1:9/v1", "Nothing listens"),
    ],
)
def test_a_server_that_is_not_there_is_said(url: str, words: str) -> None:
    with pytest.raises(LlmError, match=words):
        Llm(Endpoint("m", url, KEY), retries=0).complete(PROMPT, LEAVE)


def test_https_where_http_is_spoken_is_said() -> None:
    with ChatServer(good) as server:
        secure = Endpoint("m", server.url.replace("http:", "https:"), KEY)
        with pytest.raises(LlmError, match="is it http, not https"):
            Llm(secure, retries=0).complete(PROMPT, LEAVE)
