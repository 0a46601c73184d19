"""A model that each person may ask for so much a day."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import BudgetReached, InputError, LlmError
from core.ledger import Ledger
from core.models.leave import Leave
from core.models.llm import Llm
from core.models.money.metered import Meter, Metered
from core.models.money.personal import Personal, PersonalMetered, client, metered_client
from core.models.money.prices import Price
from core.models.token_counts import most_tokens_of
from core.settings import settings
from tests.llm.client import PROMPT, good
from tests.llm.server import Answer, ChatServer, endpoint

ADA = Leave("ada@example.org")


@pytest.fixture
def a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    """The ledger of a home where a person may spend 10,000 tokens a day."""
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path))
    monkeypatch.setenv("HOPRAG_BUDGET_PERSON", "10000 tokens")
    settings.cache_clear()
    yield Ledger(tmp_path)
    settings.cache_clear()


def test_what_a_call_took_is_entered(a_day: Ledger) -> None:
    with ChatServer(good) as server:
        Personal(endpoint(server)).complete(PROMPT, ADA)
        PersonalMetered(endpoint(server), Meter()).complete(PROMPT, ADA)
        assert a_day.spent(ADA.by) == (2 * (100 + 20), 0.0)
        assert a_day.spent("bob@example.org") == (0, 0.0)


def test_no_call_is_begun_that_the_day_does_not_hold(a_day: Ledger) -> None:
    with ChatServer(lambda request: Answer('{"ok": true}', tokens=(9_990, 5))) as server:
        Personal(endpoint(server)).complete(PROMPT, ADA)
        with pytest.raises(BudgetReached, match=r"ada@example\.org may spend 10,000 tokens a day"):
            Personal(endpoint(server)).complete(PROMPT, ADA)
        Personal(endpoint(server)).complete(PROMPT, Leave("bob@example.org"))
        assert len(server.requests) == 2


@pytest.mark.parametrize("metered", [False, True])
def test_concurrent_calls_use_the_whole_budget_of_the_day(a_day: Ledger, metered: bool) -> None:
    """Calls in flight, whose maxima exceed the budget together, are waited for."""
    with ChatServer(lambda request: Answer('{"ok": true}', tokens=(50, 270), delay=0.01)) as server:
        llm = (
            PersonalMetered(endpoint(server), Meter(), at_once=16)
            if metered
            else Personal(endpoint(server), at_once=16)
        )

        def call(_: int) -> bool:
            try:
                llm.complete(PROMPT, ADA)
            except BudgetReached:
                return False
            return True

        with ThreadPoolExecutor(16) as threads:
            made = list(threads.map(call, range(60)))
        spent, _ = a_day.spent(ADA.by)
        most = most_tokens_of(PROMPT) + PROMPT.longest + endpoint(server).thinking
    assert 16 * most > 10_000  # not all sixteen fit with their maxima
    assert sum(made) == len(server.requests)
    assert spent == 320 * sum(made)
    assert 10_000 - most < spent <= 10_000
    if metered:
        assert llm.meter.spending.calls == sum(made)


def test_a_server_that_ignores_the_limit_of_a_reply_does_so_once(a_day: Ledger) -> None:
    """The calls after it reserve what that server really uses."""
    with ChatServer(lambda request: Answer('{"ok": true}', tokens=(10, 6_000))) as server:
        llm = Personal(endpoint(server))
        llm.complete(PROMPT, ADA)
        with pytest.raises(BudgetReached):
            llm.complete(PROMPT, ADA)
        assert len(server.requests) == 1


@pytest.mark.parametrize(("status", "counts"), [(401, False), (500, True)])
def test_a_try_that_the_server_worked_for_counts_with_the_most_it_may_have_taken(
    a_day: Ledger, status: int, counts: bool
) -> None:
    with ChatServer(lambda request: Answer("no", status=status)) as server:
        with pytest.raises(LlmError):
            Personal(endpoint(server), retries=0).complete(PROMPT, ADA)
        most = most_tokens_of(PROMPT) + PROMPT.longest + endpoint(server).thinking
        assert a_day.spent(ADA.by) == (most if counts else 0, 0.0)


def test_dollars_need_a_price(a_day: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOPRAG_BUDGET_PERSON", "1.00")
    settings.cache_clear()
    with ChatServer(good) as server:
        monkeypatch.setattr("core.models.money.personal.price_of", lambda *_: None)
        with pytest.raises(InputError, match="HOPRAG_BUDGET_PERSON"):
            Personal(endpoint(server))
        monkeypatch.setattr("core.models.money.personal.price_of", lambda *_: Price(1000.0, 1000.0))
        with pytest.raises(BudgetReached):
            Personal(endpoint(server)).complete(PROMPT, ADA)
        assert server.requests == []


def test_without_the_setting_nothing_is_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOPRAG_BUDGET_PERSON", raising=False)
    settings.cache_clear()
    with ChatServer(good) as server:
        assert type(client(endpoint(server))) is Llm
        assert type(metered_client(endpoint(server), Meter())) is Metered
