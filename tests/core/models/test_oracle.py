import json
import re
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import LlmError, ReplyUnreadable
from core.models.circuit_breaker import GIVE_UP
from core.models.kept.replies import FILE, Replies, Spent, reply_key
from core.models.leave import Leave
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.models.prompt import Prompt
from tests.llm import faults
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, Request, completion, endpoint

KEY = "sk-1234567890"
ROOT = Path(__file__).parents[3]


def doubled(request: Request) -> Answer:
    return Answer(json.dumps({"twice": 2 * request.data["number"]}), tokens=(10, 2))


def prompts(count: int) -> list[Prompt]:
    return [Prompt("double", "Twice?", json.dumps({"number": n}), {}) for n in range(count)]


TWICE = {"type": "object", "properties": {"twice": {"type": "string"}}, "required": ["twice"]}


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
        assert len(oracle.to_ask([prompt], twice)) == 1
        value, first = oracle.ask(prompt, twice)
        assert (value, first.cached, first.tokens_in, first.tokens_out) == (0, False, 10, 2)
        assert (first.system, first.user, first.replies) == (
            "Twice?",
            prompt.user,
            ('{"twice": 0}',),
        )
        assert len(oracle.to_ask([prompt], twice)) == 0
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


def test_the_second_try_says_what_was_wrong_and_is_warmer(tmp_path: Path) -> None:
    [prompt] = prompts(1)
    for first in (Answer("Zero!"), faults.half({"twice": 0})):
        with asking(tmp_path / first.finish, faults.first(first, then=doubled)) as (oracle, server):
            assert oracle.ask(prompt, twice)[0] == 0
            one, other = server.requests
            wrong = "There is no number" if first.finish == "stop" else "too long and was cut off"
            assert one.system == prompt.system
            assert other.system.startswith(prompt.system)
            assert wrong in other.system
            assert one.user == other.user
            assert one.body["temperature"] == 0 < other.body["temperature"]


@pytest.mark.parametrize("at_once", [1, 8])
def test_a_model_that_cannot_return_json_costs_three_replies(tmp_path: Path, at_once: int) -> None:
    def prose(request: Request) -> Answer:
        return Answer("Sure! Twice that is a lot.", delay=0.01)

    with asking(tmp_path, prose, at_once=at_once) as (oracle, server):
        with pytest.raises(LlmError, match="first 3 replies were not in the") as caught:
            list(oracle.attempt_all(prompts(100), twice))
        assert "There is no number" in str(caught.value)
        assert (len(server.requests), server.most_at_once) == (3, 1)
        server.answer = doubled
        again = oracle.with_leave(LEAVE)
        assert [value for value, _ in again.attempt_all(prompts(9)[2:], twice)] == [
            2 * n for n in range(2, 9)
        ]


def test_a_model_that_returns_the_form_and_nothing_of_use_costs_six_replies(tmp_path: Path) -> None:
    with asking(tmp_path, lambda _: Answer('{"twice": "?"}'), at_once=8) as (oracle, server):
        with pytest.raises(LlmError, match="first 6 replies were unusable"):
            list(oracle.attempt_all([replace(p, schema=TWICE) for p in prompts(100)], twice))
        assert (len(server.requests), server.most_at_once) == (6, 1)


def test_a_model_that_was_right_once_may_fail_as_often_as_it_is_asked_at_once(
    tmp_path: Path,
) -> None:
    def answer(request: Request) -> Answer:
        number = request.data["number"]
        return Answer("No.") if number % 2 else replace(doubled(request), delay=0.01)

    with asking(tmp_path, answer, at_once=8) as (oracle, server):
        oracle.ask(prompts(1)[0], twice)
        found = [value for value, _ in oracle.attempt_all(prompts(40), twice)]
        assert found == [None if n % 2 else 2 * n for n in range(40)]
        assert server.most_at_once > 1


def test_requests_that_are_refused_in_each_run_end_none_of_them(tmp_path: Path) -> None:
    """What was answered is kept in the second run, so that only refusals come."""

    def answer(request: Request) -> Answer:
        refused = Answer("No.", status=400)
        return refused if request.data["number"] % 2 else doubled(request)

    with asking(tmp_path, answer, at_once=1) as (oracle, server):
        for _ in range(2):
            said = oracle.with_leave(LEAVE).attempt_all(prompts(20), twice)
            assert [value for value, _ in said] == [None if n % 2 else 2 * n for n in range(20)]
        assert len(server.requests) == 20 + 10


def test_kept_replies_do_not_hide_that_a_model_fails(tmp_path: Path) -> None:
    with asking(tmp_path) as (oracle, server):
        list(oracle.attempt_all(prompts(40)[::2], twice))
        server.answer = lambda _: Answer("No.")
        paid = len(server.requests)
        again = Oracle(Llm(oracle.llm.endpoint, at_once=1, retries=0), oracle.replies, LEAVE)
        with pytest.raises(LlmError, match="first 3 replies"):
            list(again.attempt_all(prompts(40), twice))
        assert len(server.requests) == paid + 3


def test_a_failed_call_keeps_nothing(tmp_path: Path) -> None:
    [prompt] = prompts(1)
    with asking(tmp_path, faults.first(faults.broken(), then=doubled)) as (oracle, _):
        with pytest.raises(LlmError, match="error 500"):
            oracle.ask(prompt, twice)
        assert len(oracle.to_ask([prompt], twice)) == 1
        assert oracle.ask(prompt, twice)[0] == 0


def test_many_are_asked_at_once_and_come_in_order(tmp_path: Path) -> None:
    def uneven(request: Request) -> Answer:
        number = request.data["number"]
        return Answer(json.dumps({"twice": 2 * number}), delay=0.04 if number % 3 else 0.01)

    with asking(tmp_path, uneven, at_once=32) as (oracle, server):
        found = [value for value, _ in oracle.attempt_all(prompts(200), twice)]
        assert found == [2 * n for n in range(200)]
        assert 8 <= server.most_at_once <= 32


def test_an_error_ends_asking_soon(tmp_path: Path) -> None:
    first = threading.Barrier(3)  # nobody is refused before these are under way
    under_way = threading.Event()

    def refused(request: Request) -> Answer:
        if request.data["number"] == 0:
            return doubled(request)
        if request.data["number"] >= 4:
            assert under_way.wait(10)
            return Answer("No.", status=401)
        first.wait(10)
        under_way.set()
        return doubled(request)

    with asking(tmp_path, refused, at_once=4) as (oracle, server):
        oracle.ask(prompts(1)[0], twice)  # before it, nobody is asked beside another one
        with pytest.raises(LlmError, match="rejected the key"):
            list(oracle.attempt_all(prompts(1000), twice))
        assert len(server.requests) < 100
        assert oracle.to_ask(prompts(4), twice) == []


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


def ending(reason: str, text: str = '{"twice": 0}', **message: Any) -> Answer:
    body = completion(Answer(text), **message)
    body["choices"][0]["finish_reason"] = reason
    return Answer(raw=json.dumps(body))


UNUSABLE = {
    "length": (ending("length"), "cut off"),
    "thought": (ending("stop", "", reasoning_content="Twice 0 is"), "for thinking"),
    "filter": (ending("content_filter", ""), "filter"),
    "refusal": (faults.refusal(), "declined"),
    "unreadable": (Answer("Zero!"), "There is no number"),
    "huge": (Answer(f'{{"twice": {"9" * 5000}}}'), "no number|cannot be read"),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_reply_that_cannot_be_used_stands_until_it_is_asked_for_again(
    tmp_path: Path, name: str
) -> None:
    answer, why = UNUSABLE[name]
    [prompt] = prompts(1)
    with asking(tmp_path, lambda _: answer) as (oracle, server):
        value, exchange = oracle.ask(prompt, twice)
        assert value is None
        assert re.search(why, exchange.trouble)
        paid = len(server.requests)
        assert oracle.replies.spent().calls == paid == 2
        assert oracle.to_ask([prompt], twice) == []
        assert oracle.to_ask([prompt], twice, again=True) == [prompt]
        assert oracle.ask(prompt, twice)[1].cached
        server.answer = doubled
        assert oracle.with_leave(Leave("another")).ask(prompt, twice)[0] is None
        assert len(server.requests) == paid  # it stands

        again = oracle.with_leave(Leave("again", again=True))
        value, exchange = again.ask(prompt, twice)
        assert (value, exchange.cached, len(exchange.replies)) == (0, False, 1)
        assert oracle.ask(prompt, twice)[0] == 0  # it has taken the place of the other
        assert again.ask(prompt, twice)[1].cached
        assert len(server.requests) == paid + 1
        assert oracle.replies.spent().calls == paid + 1  # and what was paid stays paid


def test_what_is_unusable_again_is_asked_for_once_with_each_leave(tmp_path: Path) -> None:
    [prompt] = prompts(1)
    with asking(tmp_path, lambda _: Answer("Zero!")) as (oracle, server):
        oracle.ask(prompt, twice)
        again = oracle.with_leave(Leave("again", again=True))
        for _ in range(3):
            assert again.ask(prompt, twice)[0] is None
        assert len(server.requests) == 2 + 2
        oracle.with_leave(Leave("and again", again=True)).ask(prompt, twice)
        assert len(server.requests) == 2 + 2 + 2


def test_a_file_of_an_older_version_is_brought_up_and_what_it_holds_is_judged_anew(
    tmp_path: Path,
) -> None:
    good, bad = prompts(2)
    old = sqlite3.connect(tmp_path / FILE)
    old.execute(
        "CREATE TABLE replies (key TEXT PRIMARY KEY, prompt TEXT NOT NULL, model TEXT NOT NULL,"
        " text TEXT NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL,"
        " seconds REAL NOT NULL, at TEXT NOT NULL DEFAULT (datetime('now'))) WITHOUT ROWID"
    )
    rows = [
        (reply_key("scripted", good), '{"twice": 0}'),
        (reply_key("scripted", bad), '{"twi'),
        (reply_key("scripted", bad, attempt=1), f'{{"twice": {"9" * 5000}}}'),
    ]
    old.executemany(
        "INSERT INTO replies (key, prompt, model, text, tokens_in, tokens_out, seconds)"
        " VALUES (?, 'double', 'scripted', ?, 10, 2, 0.5)",
        rows,
    )
    old.commit()
    old.close()
    with asking(tmp_path) as (oracle, server):
        assert oracle.ask(good, twice)[0] == 0
        assert oracle.ask(bad, twice)[0] is None
        assert oracle.replies.spent() == Spent(3, 30, 6)
        assert server.requests == []
        assert oracle.with_leave(Leave("again", again=True)).ask(bad, twice)[0] == 2


def test_tokens_that_nobody_counted_are_estimated_and_marked(tmp_path: Path) -> None:
    [prompt] = prompts(1)
    with asking(tmp_path, lambda _: Answer('{"twice": 0}', tokens=(0, 0))) as (oracle, _):
        _, exchange = oracle.ask(prompt, twice)
        assert exchange.estimated
        assert exchange.tokens_in > 0 < exchange.tokens_out
        assert oracle.ask(prompt, twice)[1].estimated
        assert oracle.replies.took("double", "scripted") == []  # nobody learns from a guess


def test_after_failures_in_a_row_nothing_is_asked_any_more(tmp_path: Path) -> None:
    with asking(tmp_path, lambda _: faults.broken(), at_once=1) as (oracle, server):
        for prompt in prompts(10):
            with pytest.raises(LlmError):
                oracle.ask(prompt, twice)
        assert len(server.requests) == GIVE_UP
        assert "failed 3 times in a row" in str(oracle.given_up)
        server.answer = doubled
        assert oracle.with_leave(LEAVE).ask(prompts(1)[0], twice)[0] == 0


ASKING = """
import json, sys, time
from pathlib import Path
from core.models.leave import Leave
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.models.kept.replies import Replies
from core.settings import Endpoint
from tests.core.models.test_oracle import prompts, twice

folder, url, lasts = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
llm = Llm(Endpoint("scripted", url), at_once=4)
oracle = Oracle(llm, Replies(folder, lasts=lasts), Leave("a test"))
print("begun", flush=True)
found = [value for value, _ in oracle.attempt_all(prompts(int(sys.argv[4])), twice)]
print(json.dumps(found), flush=True)
"""


def elsewhere(
    python: str, folder: Path, url: str, lasts: float, number: int
) -> subprocess.Popen[str]:
    line = [python, "-W", "ignore", "-c", ASKING, folder, url, str(lasts), str(number)]
    return subprocess.Popen(
        list(map(str, line)), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_two_processes_that_ask_the_same_pay_once(warm_python: str, tmp_path: Path) -> None:
    number = 40

    def slow(request: Request) -> Answer:
        return replace(doubled(request), delay=0.05)

    with ChatServer(slow) as server:
        both = [elsewhere(warm_python, tmp_path, server.url, 12.0, number) for _ in range(2)]
        said = [process.communicate(timeout=120) for process in both]
        assert [json.loads(out.splitlines()[-1]) for out, _ in said] == [
            [2 * n for n in range(number)]
        ] * 2, said
        assert len(server.requests) == number


def test_who_waits_takes_over_from_one_that_was_killed(warm_python: str, tmp_path: Path) -> None:
    came = threading.Event()

    def first_never(request: Request) -> Answer:
        came.set()
        return replace(doubled(request), delay=30 if request.number == 0 else 0)

    [prompt] = prompts(1)
    with ChatServer(first_never) as server:
        with elsewhere(warm_python, tmp_path, server.url, 60.0, 1) as killed:
            assert came.wait(60)
            killed.kill()
        began = time.monotonic()
        oracle = Oracle(Llm(endpoint(server)), Replies(tmp_path), LEAVE)
        assert oracle.ask(prompt, twice)[0] == 0
        assert len(server.requests) == 2
        assert time.monotonic() - began < 10


def test_one_of_another_machine_that_is_silent_is_waited_for_until_its_lease_ends(
    tmp_path: Path,
) -> None:
    [prompt] = prompts(1)
    with asking(tmp_path) as (oracle, server):
        oracle.ask(prompts(2)[1], twice)
        with sqlite3.connect(tmp_path / FILE) as there:
            there.execute(
                "INSERT INTO leases VALUES (?, 'elsewhere 1 x', ?)",
                (reply_key("scripted", prompt), time.time() + 1),
            )
        there.close()
        began = time.monotonic()
        assert oracle.ask(prompt, twice)[0] == 0
        assert 0.5 < time.monotonic() - began < 10
        assert len(server.requests) == 2


def test_other_request_settings_are_another_judgement(tmp_path: Path) -> None:
    [prompt] = prompts(1)
    with ChatServer(doubled) as server:
        plain = endpoint(server)
        for each in (plain, replace(plain, extra='{"reasoning_effort": "low"}'), plain):
            Oracle(Llm(each), Replies(tmp_path), LEAVE).ask(prompt, twice)
        efforts = [request.body.get("reasoning_effort") for request in server.requests]
    assert efforts == [None, "low"]  # and the first reply is still kept
