import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.errors import LlmError, ReplyUnreadable
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.models.prompt import Prompt
from core.models.replies import FILE, Replies
from tests.llm import faults
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, Request, endpoint

KEY = "sk-1234567890"


def doubled(request: Request) -> Answer:
    return Answer(json.dumps({"twice": 2 * request.data["number"]}), tokens=(10, 2))


def prompts(count: int) -> list[Prompt]:
    return [Prompt("double", "Twice?", json.dumps({"number": n}), {}) for n in range(count)]


def twice(text: str) -> int:
    try:
        return int(json.loads(text)["twice"])
    except (ValueError, KeyError, TypeError):
        raise ReplyUnreadable("There is no number.") from None


@contextmanager
def asking(folder: Path, answer: Any = doubled, **limits: Any) -> Iterator[tuple[Oracle, Any]]:
    with ChatServer(answer) as server:
        llm = Llm(endpoint(server, key=KEY), **{"retries": 0, **limits})
        replies = Replies(folder)
        yield Oracle(llm, replies, LEAVE), server
        replies.close()


def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    [prompt] = prompts(1)
    with asking(tmp_path) as (oracle, server):
        assert oracle.unknown([prompt]) == 1
        value, first = oracle.ask(prompt, twice)
        assert (value, first.cached, first.tokens_in, first.tokens_out) == (0, False, 10, 2)
        assert (first.system, first.user, first.replies) == (
            "Twice?",
            prompt.user,
            ('{"twice": 0}',),
        )
        assert oracle.unknown([prompt]) == 0
        value, second = oracle.ask(prompt, twice)
        assert (value, second.cached, second.replies) == (0, True, first.replies)
        assert len(server.requests) == 1
    with asking(tmp_path) as (later, server):
        assert later.ask(prompt, twice)[0] == 0
        assert server.requests == []


def test_an_unreadable_reply_is_asked_for_once_more_and_both_are_kept(tmp_path: Path) -> None:
    [prompt] = prompts(1)
    script = faults.first(Answer("Zero!"), then=doubled)
    with asking(tmp_path, script) as (oracle, server):
        value, exchange = oracle.ask(prompt, twice)
        assert (value, exchange.trouble) == (0, "")
        assert exchange.replies == ("Zero!", '{"twice": 0}')
        assert oracle.ask(prompt, twice)[1].cached
        assert len(server.requests) == 2


def test_two_unreadable_replies_are_the_end_and_are_not_paid_for_again(tmp_path: Path) -> None:
    [prompt] = prompts(1)
    with asking(tmp_path, lambda request: Answer("Zero!")) as (oracle, server):
        for _ in range(2):
            value, exchange = oracle.ask(prompt, twice)
            assert (value, exchange.trouble) == (None, "There is no number.")
            assert exchange.replies == ("Zero!", "Zero!")
        assert len(server.requests) == 2


def test_a_failed_call_keeps_nothing(tmp_path: Path) -> None:
    [prompt] = prompts(1)
    with asking(tmp_path, faults.first(faults.broken(), then=doubled)) as (oracle, _):
        with pytest.raises(LlmError, match="error 500"):
            oracle.ask(prompt, twice)
        assert oracle.unknown([prompt]) == 1
        assert oracle.ask(prompt, twice)[0] == 0


def test_many_are_asked_at_once_and_come_in_order(tmp_path: Path) -> None:
    def uneven(request: Request) -> Answer:
        number = request.data["number"]
        return Answer(json.dumps({"twice": 2 * number}), delay=0.04 if number % 3 else 0.01)

    with asking(tmp_path, uneven, at_once=32) as (oracle, server):
        found = [value for value, _ in oracle.ask_all(prompts(200), twice)]
        assert found == [2 * n for n in range(200)]
        assert 8 <= server.most_at_once <= 32


def test_an_error_ends_asking_soon(tmp_path: Path) -> None:
    def refused(request: Request) -> Answer:
        return Answer("No.", status=401) if request.data["number"] >= 3 else doubled(request)

    with asking(tmp_path, refused, at_once=4) as (oracle, server):
        with pytest.raises(LlmError, match="refuses the key"):
            list(oracle.ask_all(prompts(1000), twice))
        assert len(server.requests) < 100
        assert oracle.unknown(prompts(3)) == 0


def test_the_same_question_asked_at_the_same_time_is_paid_for_once(tmp_path: Path) -> None:
    [prompt] = prompts(1)

    def slow(request: Request) -> Answer:
        return Answer('{"twice": 0}', delay=0.1)

    with asking(tmp_path, slow) as (oracle, server):
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _: oracle.ask(prompt, twice), range(8)))
        assert [value for value, _ in found] == [0] * 8
        assert sum(not exchange.cached for _, exchange in found) == 1
        assert len(server.requests) == 1


def test_neither_key_nor_address_is_kept(tmp_path: Path) -> None:
    def telling(request: Request) -> Answer:
        return Answer(f"{request.headers['authorization']}")

    with asking(tmp_path, telling) as (oracle, server):
        _, exchange = oracle.ask(prompts(1)[0], twice)
        found = b"".join(path.read_bytes() for path in tmp_path.glob(f"{FILE}*"))
        assert b"[key]" in found
        for secret in (KEY, server.url, server.url.split("/")[2]):
            assert secret.encode() not in found
            assert secret not in repr(exchange)
