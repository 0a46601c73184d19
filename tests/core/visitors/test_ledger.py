"""What each person spent, and did."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from core.errors import BudgetReached, StoreError
from core.visitors.ledger import Ledger
from core.visitors.rules import Allowance

ADA, BOB = "ada@example.org", "bob@example.org"


def test_a_call_counts_with_the_most_it_may_take_until_it_has_ended(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    limit = Allowance(tokens=100)
    call = ledger.begin(ADA, limit, 80, 0.0)
    with pytest.raises(BudgetReached, match="100 tokens a day"):
        ledger.begin(ADA, limit, 30, 0.0)
    ledger.end(call, 20, 0.0)
    ledger.begin(ADA, limit, 80, 0.0)
    assert ledger.spent(ADA) == (20 + 80, 0.0)
    ledger.begin(BOB, limit, 100, 0.0)


def test_money_is_held_to_likewise(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.begin(ADA, Allowance(money=1.0), 10, 0.75)
    with pytest.raises(BudgetReached, match=r"\$1\.00"):
        ledger.begin(ADA, Allowance(money=1.0), 10, 0.5)


def test_two_at_once_do_not_pass_it_together(tmp_path: Path) -> None:
    def call(_: int) -> int:
        with suppress(BudgetReached):
            return Ledger(tmp_path).begin(ADA, Allowance(tokens=100), 30, 0.0)
        return 0

    with ThreadPoolExecutor(8) as threads:
        begun = list(threads.map(call, range(16)))
    assert len(list(filter(None, begun))) == 100 // 30


def test_another_day_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger(tmp_path)
    monkeypatch.setattr("core.visitors.ledger.time.time", lambda: 86_400.0 * 10 - 1)
    ledger.begin(ADA, Allowance(tokens=100), 100, 0.0)
    monkeypatch.setattr("core.visitors.ledger.time.time", lambda: 86_400.0 * 10)
    ledger.begin(ADA, Allowance(tokens=100), 100, 0.0)


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
