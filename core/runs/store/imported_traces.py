"""Traces of imported columns, kept with their run."""

import zlib
from collections.abc import Mapping
from sqlite3 import Connection

from core.traces import MAX_BYTES, Trace, dump, load

TABLE = "traces"
CREATE = (
    f"CREATE TABLE IF NOT EXISTS {TABLE} (run TEXT NOT NULL, retriever TEXT NOT NULL,"
    " question TEXT NOT NULL, trace BLOB NOT NULL, PRIMARY KEY (run, retriever, question))"
    " WITHOUT ROWID"
)


def put(written: Connection, run: str, retriever: str, traces: Mapping[str, Trace]) -> None:
    """Keep traces by question id, in the place of those that are there."""
    written.executemany(
        f"INSERT OR REPLACE INTO {TABLE} VALUES (?, ?, ?, ?)",  # noqa: S608
        [(run, retriever, name, zlib.compress(dump(one))) for name, one in traces.items()],
    )


def unpacked(packed: bytes) -> Trace:
    """Return a trace that was kept.

    Raises
    ------
    InputError : a newer version of this program wrote it.
    ValueError : it is damaged.
    """
    try:
        # Limited as `load` is: an index may come from anybody.
        return load(zlib.decompressobj().decompress(packed, MAX_BYTES))
    except zlib.error as error:
        raise ValueError(f"a trace is damaged: {error}") from error
