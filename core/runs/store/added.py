"""Measures that files of runs have no column for: a table of their own, or one that is computed.

The table holds nothing that is not computed from the rows. A file of an earlier version gets it
when something is written; until then it is made in each connection that reads measures, which needs
no leave to write.
"""

import json
from collections.abc import Iterable, Iterator
from sqlite3 import Connection

from core.measures import MEASURES, STORED, Lengths, Measured, Ranks, measured

TABLE = "measured"
ADDED = MEASURES[len(STORED) :]
_ROW = ("run", "retriever", "question")
_PLACES = ", ".join("?" * (len(_ROW) + len(ADDED)))
_PAGE = 500  # rows that are measured at once
_MOST = 4  # files whose measures are known at once
_known: dict[str, tuple[str, list["Values"]]] = {}
Values = tuple[object, ...]


def values_of(run: str, retriever: str, question: str, numbers: Measured) -> Values:
    """Return the values of a row of this table, from the measures of a row of the run."""
    return (run, retriever, question, *numbers[len(STORED) :])


def put(written: Connection, values: Iterable[Values], schema: str = "main") -> None:
    """Insert or replace rows of the table."""
    written.executemany(
        f"INSERT OR REPLACE INTO {schema}.{TABLE} VALUES ({_PLACES})",  # noqa: S608
        values,
    )


def ensure(written: Connection) -> None:
    """Make the table in a file that has none, or that of an earlier version, with all its rows."""
    if not _is_there(written):
        written.execute(f"DROP TABLE IF EXISTS main.{TABLE}")
        _create_table(written, "main")
        put(written, _computed(written))


def lend(found: Connection, path: str, stamp: str) -> None:
    """Add a temporary copy of the table to a connection whose file lacks it.

    Parameters
    ----------
    stamp : of the file at `path`; what was computed is known as long as it stays the same.
    """
    if not _is_there(found):
        _create_table(found, "temp")
        if _known.get(path, ("", []))[0] != stamp:
            _known.pop(path, None)
            _known[path] = stamp, list(_computed(found))
            if len(_known) > _MOST:
                _known.pop(next(iter(_known)), None)
        put(found, _known[path][1], "temp")


def _is_there(found: Connection) -> bool:
    names = {name for _, name, *_ in found.execute(f"PRAGMA main.table_info({TABLE})")}
    return {*_ROW, *ADDED} <= names


def _create_table(connection: Connection, schema: str) -> None:
    """Create the empty table in `schema`: `main`, or `temp` for a file that is only read."""
    columns = [*(f"{name} TEXT NOT NULL" for name in _ROW), *(f'"{name}" REAL' for name in ADDED)]
    connection.execute(
        f"CREATE TABLE {schema}.{TABLE} ({', '.join(columns)}, PRIMARY KEY ({', '.join(_ROW)}))"
        " WITHOUT ROWID"
    )


def _computed(connection: Connection) -> Iterator[Values]:
    """Yield the table's rows, of all rows of the file that can be read.

    None of its measures goes by the grades of gold.
    """
    there = connection.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'lists'").fetchone()
    lengths = (
        "(SELECT l.lengths FROM lists l WHERE l.run = a.run AND l.retriever = a.retriever"
        " AND l.question = a.question)"
    )
    rows = connection.execute(
        f"SELECT a.run, a.retriever, a.question, a.ranks, {lengths if there else 'NULL'}"  # noqa: S608
        " FROM rows a"
    )
    while page := rows.fetchmany(_PAGE):
        readable = [(keys, values) for *keys, a, b in page if (values := _parse_ranks(a, b))]
        numbers = measured(
            [ranks for _, (ranks, _) in readable], lengths=[tokens for _, (_, tokens) in readable]
        )
        for ((run, retriever, question), _), each in zip(readable, numbers, strict=True):
            yield values_of(run, retriever, question, each)


def _parse_ranks(ranks: str, lengths: str | None) -> tuple[Ranks, Lengths | None] | None:
    """Return the ranks and lengths of a row, or None if it cannot be read."""
    try:
        return dict(json.loads(ranks)), json.loads(lengths) if lengths else None
    except (ValueError, TypeError):
        return None
