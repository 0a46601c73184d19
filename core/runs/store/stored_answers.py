"""A model's answers of a run: their texts, whether they contain a reference answer, and verdicts.

Files of runs made before have no such table: it is made when first written, and until then each
connection that reads measures has an empty one.
"""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from sqlite3 import Connection

TABLE = "answers"
_COLUMNS = (
    "run TEXT NOT NULL, retriever TEXT NOT NULL, question TEXT NOT NULL, answer TEXT NOT NULL,"
    " accuracy REAL, judge REAL, PRIMARY KEY (run, retriever, question)"
)
CREATE = f"CREATE TABLE IF NOT EXISTS {TABLE} ({_COLUMNS}) WITHOUT ROWID"
_LENT = f"CREATE TEMP TABLE {TABLE} ({_COLUMNS}) WITHOUT ROWID"


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer; `accuracy` and `judge` as in `core.runs.Row`."""

    question: str
    text: str
    accuracy: float | None
    judge: float | None


def put(written: Connection, run: str, retriever: str, answers: Iterable[StoredAnswer]) -> None:
    """Keep answers, in the place of those that are there."""
    written.executemany(
        f"INSERT OR REPLACE INTO {TABLE} VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608
        [(run, retriever, *astuple(one)) for one in answers],
    )


def lend(found: Connection) -> None:
    """Add an empty temporary table to a connection whose file lacks it."""
    if not found.execute("SELECT 1 FROM main.sqlite_master WHERE name = ?", (TABLE,)).fetchone():
        found.execute(_LENT)


def column(measure: str, of: str) -> str:
    """Return the SQL of `accuracy`, `judge`, or `agreement` of the judge with EM."""
    same = f"t.run = {of}.run AND t.retriever = {of}.retriever AND t.question = {of}.question"
    wanted = f"CAST(t.judge = {of}.em AS REAL)" if measure == "agreement" else f"t.{measure}"
    return f"(SELECT {wanted} FROM {TABLE} t WHERE {same})"  # noqa: S608
