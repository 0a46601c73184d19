import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import BudgetReached, Cancelled, InputError, LlmError
from core.models.budget import Budget
from core.models.metered import Meter, Metered
from core.models.prices import Price
from core.models.prompt import Prompt
from core.progress import Spending
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint

PROMPT = Prompt("p", "Say yes.", "x" * 92, {"type": "object"})  # 100 characters
TOKENS = (50, 10)


def answer(_: object) -> Answer:
    return Answer("yes", tokens=TOKENS, delay=0.005)


def spend(meter: Meter, calls: int) -> int:
    """Makes `calls` calls, eight at a time; returns how many the budget let through."""
    with ChatServer(answer) as server, ThreadPoolExecutor(8) as pool:
        llm = Metered(endpoint(server), meter, at_once=8)

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


@pytest.mark.parametrize(("tokens", "calls"), [(600, 10), (659, 10), (660, 11), (10_000, 30)])
def test_a_budget_in_tokens_is_used_up_and_never_passed(tokens: int, calls: int) -> None:
    assert spend(Meter(None, Budget(tokens=tokens)), 30) == calls


def test_a_budget_in_money_is_used_up_and_never_passed() -> None:
    a_call = Price(1.0, 2.0).of(50, 10)
    assert spend(Meter(Price(1.0, 2.0), Budget(money=7.5 * a_call)), 30) == 7
    assert spend(Meter(Price(0.0, 0.0), Budget(money=0.01)), 30) == 30


def test_a_budget_that_is_used_up_says_what_was_paid() -> None:
    meter = Meter(None, Budget(tokens=600))
    spend(meter, 11)
    with pytest.raises(BudgetReached, match=r"600 tokens.*10 calls, 600 tokens\. .*resume"):
        meter.begin(PROMPT)
    assert issubclass(BudgetReached, Cancelled)


def test_the_first_call_tells_what_the_others_will_take() -> None:
    """Long replies: of a budget for three of them no more than three are asked for."""
    begun = []
    release = threading.Event()

    def slow(request: object) -> Answer:
        begun.append(request)
        release.wait(0.05)
        return Answer("yes", tokens=(50, 5000))

    meter = Meter(None, Budget(tokens=3 * 5050))
    with ChatServer(slow) as server, ThreadPoolExecutor(8) as pool:
        llm = Metered(endpoint(server), meter, at_once=8)
        calls = [pool.submit(llm.complete, PROMPT, LEAVE) for _ in range(8)]
        assert sum(call.exception() is None for call in calls) == 3


def test_a_call_that_fails_costs_nothing_and_gives_its_room_back() -> None:
    meter = Meter(None, Budget(tokens=300))
    refused = Answer("no", status=401)
    with ChatServer(lambda request: refused) as server:
        llm = Metered(endpoint(server), meter)
        for _ in range(5):
            with pytest.raises(LlmError):
                llm.complete(PROMPT, LEAVE)
        server.answer = answer
        llm.complete(PROMPT, LEAVE)
    assert meter.spending == Spending(1, 50, 10)


def test_a_server_that_does_not_count_is_taken_at_a_guess() -> None:
    meter = Meter(None, Budget(tokens=600))
    with ChatServer(lambda request: Answer("yes", tokens=(0, 0))) as server:
        llm = Metered(endpoint(server), meter)
        llm.complete(PROMPT, LEAVE)
        llm.complete(PROMPT, LEAVE)
        with pytest.raises(BudgetReached):
            llm.complete(PROMPT, LEAVE)
    assert 0 < meter.spending.tokens <= 600


def test_budgets_that_cannot_be() -> None:
    with pytest.raises(InputError, match="No price is known"):
        Meter(None, Budget(money=1.0))
    for nothing in (0.0, -1.0, float("nan")):
        with pytest.raises(InputError, match="more than nothing"):
            Budget(money=nothing)
    with pytest.raises(InputError, match="more than nothing"):
        Budget(tokens=0)
    assert str(Budget(2.5, 1000)) == "$2.50 and 1,000 tokens"
    assert not Budget()
