import random
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

import pytest

from core.errors import BudgetReached, Cancelled, InputError, LlmError
from core.models.money.budget import Budget
from core.models.money.metered import Meter, Metered
from core.models.money.prices import Price
from core.models.prompt import Prompt, Reply
from core.models.token_counts import most_tokens_of
from core.progress import Spending
from tests.llm import faults
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, Request, endpoint

PROMPT = Prompt("p", "Say yes.", "x" * 92, {"type": "object"}, longest=30)
TOKENS = (50, 10)
LARGEST = most_tokens_of(PROMPT) + 30  # of a call, with no thinking


def answer(_: object) -> Answer:
    return Answer("yes", tokens=TOKENS, delay=0.005)


def metered(server: ChatServer, meter: Meter, **limits: Any) -> Metered:
    return Metered(replace(endpoint(server), thinking=0), meter, **{"retries": 0, **limits})


def spend(meter: Meter, calls: int) -> int:
    """Makes `calls` calls, eight at a time; returns how many the budget let through."""
    with ChatServer(answer) as server, ThreadPoolExecutor(8) as pool:
        llm = metered(server, meter, at_once=8)

        def call(_: int) -> bool:
            try:
                return bool(llm.complete(PROMPT, LEAVE).text)
            except BudgetReached:
                return False

        let_through = sum(pool.map(call, range(calls)))
        assert len(server.requests) == let_through
    return let_through


def test_without_a_budget_calls_are_counted() -> None:
    meter = Meter(Price(1.0, 2.0))
    assert spend(meter, 12) == 12
    price = (12 * 50 * 1.0 + 12 * 10 * 2.0) / 1e6
    assert meter.spending == Spending(12, 600, 120, pytest.approx(price))


@pytest.mark.parametrize("calls", [0, 1, 10, 30])
def test_a_budget_in_tokens_is_used_as_long_as_it_holds_the_largest_call(calls: int) -> None:
    """The last call begins when the ones before have left room for the largest there can be."""
    budget = (calls - 1) * sum(TOKENS) + LARGEST if calls else LARGEST - 1
    assert spend(Meter(None, Budget(tokens=budget)), 40) == calls
    assert spend(Meter(None, Budget(tokens=budget + sum(TOKENS) - 1)), 40) in (calls, calls + 1)


def test_a_budget_in_money_is_never_passed() -> None:
    price = Price(1.0, 2.0)
    for part in (3.3, 7.5, 20.0):
        meter = Meter(price, Budget(money=part * price.of(*TOKENS)))
        spend(meter, 30)
        assert (meter.spending.price or 0) <= part * price.of(*TOKENS)
    assert spend(Meter(Price(0.0, 0.0), Budget(money=0.01)), 30) == 30


def test_a_budget_that_is_used_up_says_what_was_paid() -> None:
    meter = Meter(None, Budget(tokens=LARGEST + 9 * sum(TOKENS)))
    spend(meter, 11)
    told = (
        rf"^Budget reached: this run has spent 600 of {LARGEST + 540} tokens in 10 calls, and the "
        rf"next call could take up to {LARGEST} tokens\. .*resume"
    )
    with pytest.raises(BudgetReached, match=told):
        meter.begin(PROMPT)
    assert issubclass(BudgetReached, Cancelled)


@pytest.mark.parametrize("seed", range(5))
def test_no_sequence_of_short_and_long_replies_passes_the_budget(seed: int) -> None:
    """The first reply is short and the next ones as long as is allowed, or anything between."""
    drawn = random.Random(seed)
    longest = [drawn.choice([1, 5, 30]) for _ in range(60)]
    longest[0] = 1
    meter = Meter(Price(1.0, 10.0), Budget(money=Price(1.0, 10.0).of(600, 300)))

    def uneven(request: Request) -> Answer:
        return Answer("yes", tokens=(50, longest[request.number % 60]), delay=0.002)

    with ChatServer(uneven) as server, ThreadPoolExecutor(8) as pool:
        llm = metered(server, meter, at_once=8)
        calls = [pool.submit(llm.complete, PROMPT, LEAVE) for _ in range(60)]
        wait(calls)
    assert 0 < (meter.spending.price or 0) <= Price(1.0, 10.0).of(600, 300)
    assert meter.spending.calls < 60


def test_a_server_that_writes_more_than_it_may_is_taken_to_do_so_again() -> None:
    meter = Meter(None, Budget(tokens=3 * 5050))
    with ChatServer(lambda _: Answer("yes", tokens=(50, 5000), delay=0.05)) as server:
        llm = metered(server, meter, at_once=8)
        with ThreadPoolExecutor(8) as pool:
            calls = [pool.submit(llm.complete, PROMPT, LEAVE) for _ in range(8)]
            wait(calls)
    assert sum(call.exception() is None for call in calls) == 2
    assert meter.spending.tokens == 2 * 5050


@pytest.mark.parametrize("first", [10, 900])
def test_a_server_that_ignores_the_limit_keeps_to_the_budget_all_the_same(first: int) -> None:
    """Whether the first reply is short, or as long as all others."""

    def unlimited(request: Request) -> Answer:
        return Answer("yes", tokens=(50, first if request.number == 0 else 900), delay=0.02)

    for _ in range(2):  # the second run knows the server
        meter = Meter(None, Budget(tokens=5_000))
        with ChatServer(unlimited) as server, ThreadPoolExecutor(8) as pool:
            llm = metered(server, meter, at_once=8)
            wait([pool.submit(llm.complete, PROMPT, LEAVE) for _ in range(40)])
            assert server.most_at_once == 1
        assert 3_000 <= meter.spending.tokens <= 5_000


def test_what_is_under_way_is_reserved_anew_once_a_reply_is_too_long() -> None:
    meter = Meter(None, Budget(tokens=2_000))
    calls = [meter.begin(PROMPT)]
    meter.end(calls.pop(), PROMPT, Reply("yes", 50, 10))
    calls.append(meter.begin(PROMPT))
    meter.end(calls.pop(), PROMPT, Reply("yes", 50, 10))
    calls = [meter.begin(PROMPT), meter.begin(PROMPT)]
    meter.end(calls[0], PROMPT, Reply("yes", 50, 900))
    assert calls[1].most.tokens_out == 900
    meter.end(calls[1], PROMPT, None, billed=True)
    assert meter.spending.tokens >= 1_800  # the lost try counts as one that was as long


def test_a_budget_in_money_says_dollars_and_tokens() -> None:
    meter = Meter(Price(1000.0, 1000.0), Budget(money=0.2, tokens=1_000_000))
    told = r"spent 60 of 1,000,000 tokens and \$0\.0600 of \$0\.20 in 1 call, and the next call"
    spend(meter, 1)
    with pytest.raises(BudgetReached, match=rf"{told} could take up to \d+ tokens, \$0\.\d+\."):
        meter.begin(PROMPT, thinking=200)


def test_a_long_reply_that_was_allowed_makes_no_other_one_long() -> None:
    meter = Meter(None, Budget(tokens=10_000))
    meter.end(meter.begin(PROMPT, thinking=5_000), PROMPT, Reply("yes", 50, 4_900))
    assert meter.begin(PROMPT).most.tokens_out == 30


def test_thinking_is_foreseen() -> None:
    meter = Meter(None, Budget(tokens=LARGEST + 1_999))
    with pytest.raises(BudgetReached, match="in 0 calls"):
        meter.begin(PROMPT, thinking=2_000)
    Meter(None, Budget(tokens=LARGEST + 2_000)).begin(PROMPT, thinking=2_000)


def test_a_call_that_is_refused_costs_nothing_and_gives_its_room_back() -> None:
    meter = Meter(None, Budget(tokens=LARGEST))
    refused = Answer("no", status=401)
    with ChatServer(lambda request: refused) as server:
        llm = metered(server, meter)
        for _ in range(5):
            with pytest.raises(LlmError):
                llm.complete(PROMPT, LEAVE)
        server.answer = answer
        llm.complete(PROMPT, LEAVE)
    assert meter.spending == Spending(1, 50, 10)


def test_tries_that_were_lost_count_with_the_most_that_they_may_have_cost() -> None:
    """A reply that breaks off was written, and billed."""
    meter = Meter(None, Budget(tokens=10 * LARGEST))
    with ChatServer(faults.first(faults.cut("yes" * 50), then=answer)) as server:
        metered(server, meter, retries=1).complete(PROMPT, LEAVE)
        assert len(server.requests) == 2
    assert meter.spending == Spending(2, LARGEST - 30 + 50, 30 + 10, estimated=True)
    with ChatServer(lambda _: faults.cut("yes" * 50)) as server:
        meter = Meter(None, Budget(tokens=2 * LARGEST))
        with pytest.raises(BudgetReached):
            metered(server, meter, retries=9).complete(PROMPT, LEAVE)
        assert len(server.requests) == 2  # a try is begun only if the budget holds it


def test_a_server_that_does_not_count_is_taken_at_a_guess_which_is_said() -> None:
    meter = Meter(None, Budget(tokens=10 * LARGEST))
    with ChatServer(lambda request: Answer("yes", tokens=(0, 0))) as server:
        llm = metered(server, meter)
        llm.complete(PROMPT, LEAVE)
    assert 20 <= meter.spending.tokens_in <= LARGEST
    assert str(meter.spending) == f"1 call, about {meter.spending.tokens} tokens"


def test_budgets_that_cannot_be() -> None:
    with pytest.raises(InputError, match="no known price"):
        Meter(None, Budget(money=1.0))
    for nothing in (0.0, -1.0, float("nan")):
        with pytest.raises(InputError, match="greater than zero"):
            Budget(money=nothing)
    with pytest.raises(InputError, match="greater than zero"):
        Budget(tokens=0)
    assert str(Budget(2.5, 1000)) == "$2.50 and 1,000 tokens"
    assert not Budget()
