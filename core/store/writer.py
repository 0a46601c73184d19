"""Write a version of an index, all or nothing."""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import partial

import lancedb
import pyarrow as pa

from core.errors import StoreError
from core.places import Place
from core.store import schema
from core.store.artefact_tables import NOTHING
from core.store.database import Rows, connect, table_names
from core.store.derived_tables import WORDS_COLUMN, write_derived
from core.store.integrity.checksums import record
from core.store.integrity.damage import reading
from core.store.locking.record_writes import commit, reset
from core.store.locking.table_writes import remove_table, replace_table
from core.store.locking.writer_lock import confirm_lock
from core.store.metadata import Meta
from core.store.passages.passages import is_large
from core.store.records.record import PUBLISHED, SHELF, read_record
from core.store.tables import last_meta, open_version
from core.store.verification import damaged_tables
from core.text.clean import text_digest
from core.text.tokens import words

_ROWS = 10_000
_KEEP_VERSIONS = timedelta(days=1)
_OUTLIVE = (schema.EMBEDDINGS, schema.ARTEFACTS, schema.SHELF)


def discard_damaged(folder: Place) -> None:
    """Delete the tables in `folder` if one is unreadable or differs from its checksum.

    The same holds if their record is damaged. Readable embeddings and artefacts stay, because
    computing them again costs time or money.
    """
    database = connect(folder)

    def readable(read: Callable[[], object]) -> bool:
        """Check whether `read` succeeds without a StoreError."""
        try:
            with reading(folder):
                read()
        except StoreError:
            return False
        return True

    def read_published() -> None:
        if meta := last_meta(folder):
            for name in meta.versions:
                _read_through(open_version(database, name, meta))

    damaged = damaged_tables(folder)
    sound = readable(read_published) and all(name.startswith(_OUTLIVE) for name in damaged)
    if not sound:
        reset(folder, PUBLISHED, None)
    if not readable(lambda: read_record(folder, SHELF).record):
        reset(folder, SHELF, NOTHING)
    for name in table_names(folder):
        wanted = name not in damaged and (sound or name.startswith(_OUTLIVE))
        if not wanted or not readable(partial(_read_last, database, name)):
            remove_table(folder, name)


def _read_last(database: lancedb.DBConnection, name: str) -> None:
    _read_through(database.open_table(name))


def _read_through(table: lancedb.table.Table) -> None:
    """Read every row, some at a time: a table may be larger than memory."""
    for _ in table.search().to_batches(_ROWS):
        pass


def write_tables(folder: Place, tables: Mapping[str, Rows]) -> dict[str, int]:
    """Write a version of each table; readers do not see it before `publish`.

    The table `passages` is written from memory.

    Raises
    ------
    LockLost : another process has taken the writer's lock.
    """
    database = connect(folder)
    large = is_large(len(tables.get("passages", ())))
    written = {
        name: replace_table(database, name, _all_searchable(name, rows) if large else rows)
        for name, rows in tables.items()
    }
    if large:
        written = write_derived(database, written)
    return {name: int(table.version) for name, table in written.items()}


def _all_searchable(name: str, rows: Rows) -> Rows:
    """Apply `searchable` to a table, or to each batch with consecutive row numbers."""
    if isinstance(rows, pa.Table):
        return searchable(name, rows)

    def parts() -> Iterator[pa.RecordBatch]:
        """Yield the batches with the added columns."""
        first = 0
        for batch in rows:
            yield from searchable(name, pa.Table.from_batches([batch]), first).to_batches()
            first += len(batch)

    made = searchable(name, rows.schema.empty_table()).schema
    return pa.RecordBatchReader.from_batches(made, parts())


def searchable(name: str, rows: pa.Table, first: int = 0) -> pa.Table:
    """Add the columns by which a large index looks up and searches rows.

    Parameters
    ----------
    name : of the table.
    first : number of the first row.
    """
    if name in ("documents", "passages", "pseudo_queries", "edges"):
        numbers = pa.array(range(first, first + len(rows)), pa.int32())
        rows = rows.append_column("number", numbers)
    if name == "passages":
        titles, texts = (rows[column].to_pylist() for column in ("title", "text"))
        words_of_rows = (
            words(schema.passage_text(*pair)) for pair in zip(titles, texts, strict=True)
        )
        rows = rows.append_column(WORDS_COLUMN, pa.array(map(" ".join, words_of_rows), pa.string()))
        rows = rows.append_column("digest", pa.array(map(text_digest, texts), pa.string()))
    return rows


def publish(folder: Place, meta: Meta) -> None:
    """Make a written version the current one, by replacing a single record.

    Raises
    ------
    LockLost : another process has taken the writer's lock; the version is not published.
    """
    record(folder, meta.versions)
    commit(folder, PUBLISHED, lambda _: meta.to_json())
    database = connect(folder)
    confirm_lock(folder)
    for name in meta.versions:
        # Other processes may still read an earlier version; see `Index._reading`.
        database.open_table(name).optimize(cleanup_older_than=_KEEP_VERSIONS)
