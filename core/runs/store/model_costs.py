"""Model costs of each row of a run, by role.

Files of runs made before have no such table: it is made when first written, and until then each
connection that reads measures has an empty one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import astuple
from sqlite3 import Connection

from core.evaluation.role_costs import RoleCost

TABLE = "model_costs"
_COLUMNS = (
    "run TEXT NOT NULL, retriever TEXT NOT NULL, question TEXT NOT NULL, role TEXT NOT NULL,"
    " model TEXT NOT NULL, calls INTEGER NOT NULL, kept INTEGER NOT NULL,"
    " tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, seconds REAL NOT NULL, price REAL,"
    " PRIMARY KEY (run, retriever, question, role)"
)
CREATE = f"CREATE TABLE IF NOT EXISTS {TABLE} ({_COLUMNS}) WITHOUT ROWID"
_LENT = f"CREATE TEMP TABLE {TABLE} ({_COLUMNS}) WITHOUT ROWID"
READ = "c.role, c.model, c.calls, c.kept, c.tokens_in, c.tokens_out, c.seconds, c.price"
"""The columns of a `RoleCost`, in its order."""

MEASURES: Mapping[str, tuple[str, str]] = {
    "retriever calls": ("retriever", "calls"),
    "retriever tokens": ("retriever", "tokens_in + c.tokens_out"),
    "reader calls": ("reader", "calls"),
    "reader tokens": ("reader", "tokens_in + c.tokens_out"),
    "reader seconds": ("reader", "seconds"),
}
"""Costs of a question by role: the role, and the columns that are added."""
PRICE = "price"
"""Dollars of retriever and reader together, without the judge."""


def put(
    written: Connection, run: str, retriever: str, question: str, costs: Iterable[RoleCost]
) -> None:
    """Store the costs of a row in place of earlier ones."""
    written.execute(
        f"DELETE FROM {TABLE} WHERE run = ? AND retriever = ? AND question = ?",  # noqa: S608
        (run, retriever, question),
    )
    written.executemany(
        f"INSERT INTO {TABLE} VALUES ({', '.join('?' * 11)})",  # noqa: S608
        [(run, retriever, question, *astuple(one)) for one in costs],
    )


def lend(found: Connection) -> None:
    """Add an empty temporary table to a connection whose file lacks it."""
    if not found.execute("SELECT 1 FROM main.sqlite_master WHERE name = ?", (TABLE,)).fetchone():
        found.execute(_LENT)


def joined(of: str = "a") -> str:
    """Return the SQL that joins the costs `c` of the rows `of`."""
    return (
        f"JOIN {TABLE} c ON c.run = {of}.run AND c.retriever = {of}.retriever"
        f" AND c.question = {of}.question"
    )


def column(measure: str, of: str) -> str:
    """Return the SQL of one of `MEASURES` or `PRICE`; NULL if unknown.

    A row without a call took nothing; a question that nobody answered has no reader.
    """
    same = f"c.run = {of}.run AND c.retriever = {of}.retriever AND c.question = {of}.question"
    stored = f"({of}.calls = 0 OR EXISTS (SELECT 1 FROM {TABLE} c WHERE {same}))"  # noqa: S608
    if measure == PRICE:
        known = "iif(count(*) = count(c.price), total(c.price), NULL)"
        summed = f"(SELECT {known} FROM {TABLE} c WHERE {same} AND c.role != 'judge')"  # noqa: S608
        return f"iif({stored}, {summed}, NULL)"
    role, amount = MEASURES[measure]
    if role == "reader":
        stored = f"{stored} AND {of}.em IS NOT NULL"
    summed = f"(SELECT total(c.{amount}) FROM {TABLE} c WHERE {same} AND c.role = '{role}')"  # noqa: S608
    return f"iif({stored}, {summed}, NULL)"
