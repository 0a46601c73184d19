"""A log of who did what and spent how much, over all indexes of the home folder.

Before a model is called, the call is entered with the most tokens it may take; when it ends, that
is replaced by what it took. Two concurrent calls therefore cannot exceed a limit together. A call
that a crash left open counts as in flight until its time is up, and with its maximum afterwards.
"""

import math
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import BudgetReached, StoreError
from core.progress import dollars as as_dollars
from core.settings import make_folder
from core.visitors.rules import Allowance

FILE = "visitors.sqlite"
_DAY = 86_400
_OPEN_UNTIL = "open_until real not null default 0"
"""Column of the calls in flight, which a file of an older version does not have. 0: it ended."""
_TABLES = """
create table if not exists calls (
    id integer primary key, day integer not null, by text not null,
    tokens integer not null, dollars real not null, open_until real not null default 0);
create index if not exists calls_of_a_day on calls (by, day);
create table if not exists acts (
    time real not null, by text not null, what text not null, about text not null);
"""


@dataclass(frozen=True, slots=True)
class Act:
    """An action of a person, at `time` (seconds since 1970), on the index `about`."""

    time: float
    by: str
    what: str
    about: str


class Ledger:
    """The log in the folder `home`. Safe to share between threads and processes."""

    def __init__(self, home: Path) -> None:
        self._path = home / FILE

    def note(self, by: str, what: str, about: str) -> None:
        """Record that the person `by` did `what` to the index `about`."""
        with self._open() as rows:
            rows.execute("insert into acts values (?, ?, ?, ?)", (time.time(), by, what, about))

    def acts(self, last: int = 100) -> list[Act]:
        """Return the last actions, newest first."""
        if not self._path.exists():
            return []
        with self._open() as rows:
            stored = rows.execute("select * from acts order by rowid desc limit ?", (last,))
            return [Act(*row) for row in stored]

    def spent(self, by: str) -> tuple[int, float]:
        """Return the tokens and dollars that `by` has spent today (UTC), calls in flight included.

        A call in flight counts with the most that it may take.
        """
        with self._open() as rows:
            return _spent(rows, by)

    def begin(
        self, by: str, limit: Allowance, tokens: int, dollars: float, lasts: float
    ) -> int | None:
        """Reserve the maximum cost of a call that is about to be made.

        Parameters
        ----------
        by : the person who permitted the call.
        limit : what `by` may spend in a day.
        tokens, dollars : the most that the call may take.
        lasts : seconds after which the call has certainly ended, even if nobody says so.

        Returns
        -------
        The number of the call, for `end`. None if the limit holds the call only when some of the
        calls in flight take less than their maximum: try again once one of them has ended.

        Raises
        ------
        BudgetReached : the limit does not hold the call, whatever the calls in flight take.
        """
        with self._open() as rows:
            rows.execute("begin immediate")
            ended = _spent(rows, by, in_flight=False)
            if not _fits(ended, tokens, dollars, limit):
                raise BudgetReached(
                    f"{by} may spend {_limit_phrase(limit)} a day on this server and has spent "
                    f"{_amount(*ended, limit)} today; the next call may take up to "
                    f"{_amount(tokens, dollars, limit)}. Finished calls are cached. Continue "
                    "tomorrow, or ask for a higher HOPRAG_BUDGET_PERSON."
                )
            if not _fits(_spent(rows, by), tokens, dollars, limit):
                return None
            call = (_today(), by, tokens, dollars, time.time() + lasts)
            entered = rows.execute(
                "insert into calls (day, by, tokens, dollars, open_until) values (?, ?, ?, ?, ?)",
                call,
            )
            return int(entered.lastrowid or 0)

    def end(self, call: int, tokens: int, dollars: float) -> None:
        """Replace the reserved maximum of a call by its actual cost."""
        with self._open() as rows:
            rows.execute(
                "update calls set tokens = ?, dollars = ?, open_until = 0 where id = ?",
                (tokens, dollars, call),
            )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection in one transaction, after creating or updating the tables.

        Raises StoreError if the file cannot be written.
        """
        try:
            make_folder(self._path.parent)
            rows = sqlite3.connect(self._path, timeout=30)
            try:
                rows.executescript(_TABLES)
                _add_new_column(rows)
                with rows:
                    yield rows
            finally:
                rows.close()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"The activity log cannot be written ({error}), so the action was not carried "
                "out. Make HOPRAG_HOME writable and free disk space."
            ) from error


def _add_new_column(rows: sqlite3.Connection) -> None:
    """Add the column `open_until` to a log written by an earlier version."""
    if any(column[1] == "open_until" for column in rows.execute("pragma table_info(calls)")):
        return
    with suppress(sqlite3.OperationalError):  # another process has just added it
        rows.execute(f"alter table calls add column {_OPEN_UNTIL}")


def _spent(rows: sqlite3.Connection, by: str, *, in_flight: bool = True) -> tuple[int, float]:
    """Return the tokens and dollars that `by` spent today, with or without calls in flight."""
    sums = "select coalesce(sum(tokens), 0), coalesce(sum(dollars), 0.0) from calls"
    latest = math.inf if in_flight else time.time()
    tokens, dollars = rows.execute(
        f"{sums} where by = ? and day = ? and open_until <= ?", (by, _today(), latest)
    ).fetchone()
    return int(tokens), float(dollars)


def _fits(spent: tuple[int, float], tokens: int, dollars: float, limit: Allowance) -> bool:
    return (limit.tokens is None or spent[0] + tokens <= limit.tokens) and (
        limit.money is None or spent[1] + dollars <= limit.money
    )


def _today() -> int:
    return int(time.time() // _DAY)


def _amount(tokens: int, dollars: float, limit: Allowance) -> str:
    """Format an amount in the unit of `limit`."""
    return f"{tokens:,} tokens" if limit.tokens is not None else as_dollars(dollars)


def _limit_phrase(limit: Allowance) -> str:
    return _amount(limit.tokens or 0, limit.money or 0.0, limit)
