import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import repeat

import pytest

from core.errors import Cancelled, InputError, LlmError
from core.models.llm import Llm
from core.models.prompt import Prompt
from core.models.server.window import in_order
from core.settings import Endpoint
from tests.llm import faults
from tests.llm.client import KEY, LEAVE, PROMPT, asked, good, said
from tests.llm.server import Answer, ChatServer, Request, endpoint


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
        assert "failed (error 500)" in said(server, retries=2)
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


def test_tries_that_were_billed_are_counted() -> None:
    faulty = (faults.broken(), faults.too_many(0.01), faults.cut({}))
    with ChatServer(faults.first(*faulty, then=good)) as server:
        reply = Llm(endpoint(server)).complete(PROMPT, LEAVE)
        assert reply.billed == 3
        assert reply.seconds < 0.5  # of the last try, without the waits before it


def test_a_server_with_one_slot_answers_all() -> None:
    with ChatServer(faults.one_slot(good, 0.4)) as server:
        llm = Llm(endpoint(server), time_limit=1.4)
        with ThreadPoolExecutor(12) as pool:
            replies = list(pool.map(lambda _: llm.complete(PROMPT, LEAVE), range(12)))
        assert [reply.text for reply in replies] == ['{"ok": true}'] * 12
        assert max(reply.seconds for reply in replies) <= 1.6
        assert sum(reply.billed for reply in replies) > 12


def test_what_nobody_waits_for_is_not_asked() -> None:
    release = threading.Event()

    def answer(request: Request) -> Answer:
        release.wait(10)
        return good(request)

    with ChatServer(answer) as server:
        llm = Llm(endpoint(server), at_once=2)
        asked = in_order(lambda _: llm.complete(PROMPT, LEAVE), range(8), 8, meanwhile=stop)
        began = time.monotonic()
        with pytest.raises(Cancelled):
            next(asked)
        assert time.monotonic() - began < 2
        release.set()
        time.sleep(0.4)
        assert len(server.requests) == 2


def stop() -> None:
    raise Cancelled


def test_bounds_come_from_the_endpoint() -> None:
    with ChatServer(lambda request: faults.slow({}, 2)) as server:
        llm = Llm(replace(endpoint(server), at_once=3, seconds=0.1, tries=2))
        assert llm.at_once == 3
        with pytest.raises(LlmError, match="did not answer in time"):
            llm.complete(PROMPT, LEAVE)
        assert len(server.requests) == 2


def test_a_setting_that_cannot_be_used_is_said_when_the_model_is_asked() -> None:
    llm = Llm(Endpoint("m", unusable="HOPRAG_LLM_TRIES is no number."))
    with pytest.raises(InputError, match="HOPRAG_LLM_TRIES"):
        llm.complete(PROMPT, LEAVE)


def test_a_server_that_is_not_there_is_said_soon():
    started = time.perf_counter()
    with pytest.raises(LlmError, match="No server is running"):
        Llm(Endpoint("scripted", "http://127.0.0.1:9/v1")).complete(PROMPT, LEAVE)
    # Half a second and one more; six tries would wait eleven.
    assert time.perf_counter() - started < 6


def test_a_server_that_never_answers_does_not_hold_a_crowd_for_long():
    """Half as many at once after each time-out, and then `tries` alone; not so many for each."""
    with ChatServer(lambda _: Answer(delay=60)) as server:
        llm = Llm(endpoint(server), at_once=8, time_limit=0.2, retries=2)
        with ThreadPoolExecutor(8) as pool:
            calls = [pool.submit(llm.complete, PROMPT, LEAVE) for _ in range(8)]
        assert all("in time" in str(call.exception()) for call in calls)
        assert len(server.requests) <= 8 + 4 + 2 + 1 + 3 + 8
