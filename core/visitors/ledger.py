"""Who did what and who spent what, kept over all indexes in the home folder.

A call of a model is entered with the most that it may take before it is made, and with what it
took when it has ended: two at once cannot pass a limit together, and what a crash left open
counts in full.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.errors import BudgetReached, StoreError
from core.settings import make_folder
from core.visitors.rules import Allowance

FILE = "visitors.sqlite"
_DAY = 86_400
_TABLES = """
create table if not exists calls (
    id integer primary key, day integer not null, by text not null,
    tokens integer not null, dollars real not null);
create index if not exists calls_of_a_day on calls (by, day);
create table if not exists acts (
    time real not null, by text not null, what text not null, about text not null);
"""


@dataclass(frozen=True, slots=True)
class Act:
    """What somebody did: at `time` (seconds since 1970), to the index `about`."""

    time: float
    by: str
    what: str
    about: str


class Ledger:
    """The record in the folder `home`. Safe to share between threads and processes."""

    def __init__(self, home: Path) -> None:
        self._path = home / FILE

    def note(self, by: str, what: str, about: str) -> None:
        """Write down that `by` does `what` to the index `about`."""
        with self._open() as rows:
            rows.execute("insert into acts values (?, ?, ?, ?)", (time.time(), by, what, about))

    def acts(self, last: int = 100) -> list[Act]:
        """What was done, the newest first."""
        if not self._path.exists():
            return []
        with self._open() as rows:
            found = rows.execute("select * from acts order by rowid desc limit ?", (last,))
            return [Act(*row) for row in found]

    def spent(self, by: str) -> tuple[int, float]:
        """Tokens and dollars that `by` has spent today (UTC), with what is under way."""
        with self._open() as rows:
            return _spent(rows, by)

    def begin(self, by: str, limit: Allowance, tokens: int, dollars: float) -> int:
        """Enter a call that may take so much; returns its number, for `end`.

        Raises
        ------
        BudgetReached : it would pass what `by` may spend today.
        """
        with self._open() as rows:
            rows.execute("begin immediate")
            before = _spent(rows, by)
            over = (
                limit.tokens is not None and before[0] + tokens > limit.tokens,
                limit.money is not None and before[1] + dollars > limit.money,
            )
            if any(over):
                raise BudgetReached(
                    f"{by} may spend {_said(limit)} a day on this server, which holds no further "
                    "call today. What was asked is kept; go on tomorrow."
                )
            call = (_today(), by, tokens, dollars)
            entered = rows.execute(
                "insert into calls (day, by, tokens, dollars) values (?, ?, ?, ?)", call
            )
            return int(entered.lastrowid or 0)

    def end(self, call: int, tokens: int, dollars: float) -> None:
        """Say what a call took in the end."""
        with self._open() as rows:
            rows.execute(
                "update calls set tokens = ?, dollars = ? where id = ?", (tokens, dollars, call)
            )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            make_folder(self._path.parent)
            rows = sqlite3.connect(self._path, timeout=30)
            try:
                rows.executescript(_TABLES)
                with rows:
                    yield rows
            finally:
                rows.close()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"Who did what cannot be kept ({error}), so nothing is done. Make HOPRAG_HOME "
                "writable, with room on its disk."
            ) from error


def _spent(rows: sqlite3.Connection, by: str) -> tuple[int, float]:
    sums = "select coalesce(sum(tokens), 0), coalesce(sum(dollars), 0.0) from calls"
    tokens, dollars = rows.execute(f"{sums} where by = ? and day = ?", (by, _today())).fetchone()
    return int(tokens), float(dollars)


def _today() -> int:
    return int(time.time() // _DAY)


def _said(limit: Allowance) -> str:
    if limit.tokens is not None:
        return f"{limit.tokens:,} tokens"
    return f"${limit.money:.2f}"
