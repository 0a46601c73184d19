import time
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

import pytest

from core.models.llm import Llm
from core.models.prompt import Prompt
from tests.llm import faults
from tests.llm.client import KEY, LEAVE, PROMPT, asked, good, said
from tests.llm.server import Answer, ChatServer, endpoint


def test_a_reply_comes_with_its_tokens_and_seconds() -> None:
    with ChatServer(lambda request: Answer("yes", delay=0.05, tokens=(7, 3))) as server:
        reply = Llm(endpoint(server, key=KEY)).complete(PROMPT, LEAVE)
        assert (reply.text, reply.tokens_in, reply.tokens_out) == ("yes", 7, 3)
        assert 0.05 <= reply.seconds < 5
        request = server.requests[0]
        assert (request.system, request.data) == ("Answer.", {"a": 1})
        assert request.headers["authorization"] == f"Bearer {KEY}"
        assert request.body["temperature"] == 0
        assert request.body["response_format"]["json_schema"]["schema"] == {"type": "object"}


def test_429_waits_as_long_as_the_server_says() -> None:
    with ChatServer(faults.first(faults.too_many(1), then=good)) as server:
        began = time.perf_counter()
        assert asked(server) == '{"ok": true}'
        assert 1 <= time.perf_counter() - began < 8
        assert len(server.requests) == 2


@pytest.mark.parametrize("fault", [faults.broken(), faults.cut({"ok": False})])
def test_a_server_error_and_a_lost_connection_are_tried_again(fault: Answer) -> None:
    with ChatServer(faults.first(fault, then=good)) as server:
        assert asked(server) == '{"ok": true}'
        assert len(server.requests) == 2


def test_tries_are_limited() -> None:
    with ChatServer(lambda request: faults.broken()) as server:
        assert "fails (error 500)" in said(server, retries=2)
        assert len(server.requests) == 3


def test_a_long_wait_is_left_to_the_user() -> None:
    with ChatServer(lambda request: faults.too_many(3600)) as server:
        assert "wait 3600 seconds" in said(server, retries=5)
        assert len(server.requests) == 1


def test_a_call_has_a_time_limit() -> None:
    with ChatServer(lambda request: faults.slow({"ok": True}, 2)) as server:
        assert "did not answer in time" in said(server, time_limit=0.1)


def test_at_most_so_many_calls_are_under_way() -> None:
    with ChatServer(lambda request: Answer(request.user, delay=0.02)) as server:
        llm = Llm(endpoint(server), at_once=32)
        prompts = [Prompt("test", "", str(number), {}) for number in range(128)]
        with ThreadPoolExecutor(64) as pool:
            texts = [reply.text for reply in pool.map(llm.complete, prompts, repeat(LEAVE))]
        assert texts == [str(number) for number in range(128)]
        assert 8 <= server.most_at_once <= 32
