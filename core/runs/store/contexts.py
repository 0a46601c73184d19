"""Retrieved texts of imported results that are no passages of the index, kept with their run."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from sqlite3 import Connection

TABLE = "contexts"
CREATE = (
    f"CREATE TABLE IF NOT EXISTS {TABLE} (run TEXT NOT NULL, retriever TEXT NOT NULL,"
    " question TEXT NOT NULL, hit TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL,"
    " step TEXT NOT NULL, PRIMARY KEY (run, retriever, question, hit)) WITHOUT ROWID"
)


@dataclass(frozen=True, slots=True)
class StoredContext:
    """The text at a hit of a row. `step` says how it was matched to the passages of the index."""

    question: str
    hit: str
    title: str
    text: str
    step: str


def put(written: Connection, run: str, retriever: str, contexts: Iterable[StoredContext]) -> None:
    """Keep contexts, in the place of those that are there."""
    written.executemany(
        f"INSERT OR REPLACE INTO {TABLE} VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        [(run, retriever, *astuple(one)) for one in contexts],
    )
