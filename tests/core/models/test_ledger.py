"""What each person spent, and did."""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import BudgetReached, StoreError
from core.ledger import Ledger
from core.visitors.rules import Allowance

ADA, BOB = "ada@example.org", "bob@example.org"


def test_a_call_in_flight_counts_with_its_maximum_and_those_after_it_wait(tmp_path: Path) -> None:
    ledger, limit = Ledger(tmp_path), Allowance(tokens=100)
    call = ledger.begin(ADA, limit, 80, 0.0, 60)
    assert call is not None
    assert ledger.begin(ADA, limit, 30, 0.0, 60) is None
    assert ledger.spent(ADA) == (80, 0.0)
    ledger.end(call, 20, 0.0)
    assert ledger.begin(ADA, limit, 80, 0.0, 60)
    assert ledger.spent(ADA) == (20 + 80, 0.0)
    assert ledger.begin(BOB, limit, 100, 0.0, 60)


def test_what_ended_calls_took_ends_the_day(tmp_path: Path) -> None:
    ledger, limit = Ledger(tmp_path), Allowance(tokens=100)
    call = ledger.begin(ADA, limit, 80, 0.0, 60)
    assert call
    ledger.end(call, 75, 0.0)
    told = r"may spend 100 tokens a day .* has spent 75 tokens today; .* up to 30 tokens"
    with pytest.raises(BudgetReached, match=told):
        ledger.begin(ADA, limit, 30, 0.0, 60)


def test_money_is_held_to_likewise(tmp_path: Path) -> None:
    ledger, limit = Ledger(tmp_path), Allowance(money=1.0)
    call = ledger.begin(ADA, limit, 10, 0.75, 60)
    assert call
    assert ledger.begin(ADA, limit, 10, 0.5, 60) is None
    ledger.end(call, 10, 0.75)
    with pytest.raises(BudgetReached, match=r"\$1\.00"):
        ledger.begin(ADA, limit, 10, 0.5, 60)


def test_concurrent_calls_do_not_exceed_it_together(tmp_path: Path) -> None:
    def call(_: int) -> int | None:
        return Ledger(tmp_path).begin(ADA, Allowance(tokens=100), 30, 0.0, 60)

    with ThreadPoolExecutor(8) as threads:
        begun = list(threads.map(call, range(16)))
    assert len(list(filter(None, begun))) == 100 // 30


def test_a_call_that_a_crash_left_open_holds_nobody_up_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [86_400.0 * 10]
    monkeypatch.setattr("core.ledger.time.time", lambda: clock[0])
    ledger, limit = Ledger(tmp_path), Allowance(tokens=100)
    ledger.begin(ADA, limit, 80, 0.0, 60)
    assert ledger.begin(ADA, limit, 30, 0.0, 60) is None
    clock[0] += 61
    with pytest.raises(BudgetReached, match="has spent 80 tokens"):
        ledger.begin(ADA, limit, 30, 0.0, 60)


def test_another_day_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger(tmp_path)
    monkeypatch.setattr("core.ledger.time.time", lambda: 86_400.0 * 10 - 1)
    assert ledger.begin(ADA, Allowance(tokens=100), 100, 0.0, 60)
    monkeypatch.setattr("core.ledger.time.time", lambda: 86_400.0 * 10)
    assert ledger.begin(ADA, Allowance(tokens=100), 100, 0.0, 60)


def test_a_ledger_of_before_opens_and_its_calls_have_ended(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "visitors.sqlite")) as old, old:
        old.execute(
            "create table calls (id integer primary key, day integer not null, by text not null, "
            "tokens integer not null, dollars real not null)"
        )
        today = int(time.time() // 86_400)
        old.execute("insert into calls values (1, ?, ?, 70, 0.0)", (today, ADA))
    assert Ledger(tmp_path).spent(ADA) == (70, 0.0)
    with pytest.raises(BudgetReached, match="has spent 70 tokens"):
        Ledger(tmp_path).begin(ADA, Allowance(tokens=100), 40, 0.0, 60)


def test_what_was_done_is_listed_newest_first(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    assert ledger.acts() == []
    ledger.note(ADA, "build", "one")
    ledger.note(BOB, "delete", "one")
    assert [(act.by, act.what) for act in ledger.acts()] == [(BOB, "delete"), (ADA, "build")]
    assert [act.by for act in ledger.acts(last=1)] == [BOB]


def test_nothing_is_done_where_it_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(StoreError, match="HOPRAG_HOME"):
        Ledger(tmp_path / "home").note(ADA, "delete", "one")
