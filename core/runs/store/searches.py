"""Similarity of each search of a row to the one before it.

Files of runs made before have no such table: it is made when first written, and until then each
connection that reads measures has an empty one.
"""

from collections.abc import Mapping, Sequence
from sqlite3 import Connection

TABLE = "searches"
_COLUMNS = (
    "run TEXT NOT NULL, retriever TEXT NOT NULL, question TEXT NOT NULL, number INTEGER NOT NULL,"
    " similarity REAL NOT NULL, PRIMARY KEY (run, retriever, question, number)"
)
CREATE = f"CREATE TABLE IF NOT EXISTS {TABLE} ({_COLUMNS}) WITHOUT ROWID"
_LENT = f"CREATE TEMP TABLE {TABLE} ({_COLUMNS}) WITHOUT ROWID"
_MOST = 5

MEASURES: Mapping[str, int] = {
    "query similarity": 0,
    **{f"query similarity {number}": number for number in range(2, _MOST + 1)},
}
"""Cosine of the queries of consecutive searches: of all, or of the search with that number and the
one before it. 0 stands for all."""


def put(
    written: Connection, run: str, retriever: str, question: str, similarities: Sequence[float]
) -> None:
    """Store the similarities of a row in place of earlier ones, from the second search on."""
    written.execute(
        f"DELETE FROM {TABLE} WHERE run = ? AND retriever = ? AND question = ?",  # noqa: S608
        (run, retriever, question),
    )
    written.executemany(
        f"INSERT INTO {TABLE} VALUES (?, ?, ?, ?, ?)",  # noqa: S608
        [(run, retriever, question, n, one) for n, one in enumerate(similarities, start=2)],
    )


def lend(found: Connection) -> None:
    """Add an empty temporary table to a connection whose file lacks it."""
    if not found.execute("SELECT 1 FROM main.sqlite_master WHERE name = ?", (TABLE,)).fetchone():
        found.execute(_LENT)


def column(measure: str, of: str) -> str:
    """Return the SQL of one of `MEASURES`; NULL for a row without such a search."""
    same = f"s.run = {of}.run AND s.retriever = {of}.retriever AND s.question = {of}.question"
    number = MEASURES[measure]
    which = f" AND s.number = {number}" if number else ""
    return f"(SELECT avg(s.similarity) FROM {TABLE} s WHERE {same}{which})"  # noqa: S608
