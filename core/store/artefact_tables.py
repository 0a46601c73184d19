"""Stored artefacts: their tables, and a record of the finished ones.

Readers use the record, so that they see all tables of an artefact or none. Writers hold the
writer's lock.
"""

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import uuid4

import pyarrow as pa

from core.errors import StoreError
from core.places import Place, Remote
from core.progress import Authorship, Spending
from core.store import schema
from core.store.database import connect, is_made, made_versions, table_names, table_size
from core.store.integrity.checksums import damaged_in, recorded
from core.store.integrity.checksums import record as record_checksums
from core.store.integrity.damage import reading
from core.store.locking.record_writes import commit
from core.store.locking.table_writes import remove_table, replace_table
from core.store.records.json_values import moment, stored
from core.store.records.record import SHELF, Record, read_record

NOTHING = "[]"
"""The content of the record of an empty shelf."""


@dataclass(frozen=True, slots=True)
class Shelved:
    """The record of a finished artefact.

    Parameters
    ----------
    digest : hash of everything that it was built from.
    maker : the language model that was called, "" for none.
    vectors : table of embeddings of the embedder that made its vectors.
    versions : Lance version of each of its tables, by the name that the artefact uses.
    made_at : UTC, ISO 8601.
    seconds : duration of the build.
    size : size of its tables in bytes.
    spending : cost of the model calls; None without a model.
    authorship : how much of it the model wrote; None without a model, or if an earlier version
        of this program did not record it.
    serial : unique part of the names of its tables; "" if an earlier version built it.
    """

    name: str
    digest: str
    maker: str
    vectors: str
    versions: Mapping[str, int]
    made_at: str
    seconds: float
    size: int
    spending: Spending | None = None
    authorship: Authorship | None = None
    serial: str = ""

    def table(self, name: str) -> str:
        """Return the name in the database of the table that the artefact calls `name`."""
        return _table_name(self.name, self.digest, self.serial, name)


class Written(NamedTuple):
    """The written but unpublished tables of an artefact; fields as in `Shelved`."""

    versions: dict[str, int]
    size: int
    serial: str


def _table_name(artefact: str, digest: str, serial: str, table: str) -> str:
    return f"{schema.ARTEFACTS}{artefact}_{digest}{serial and '_'}{serial}_{table}"


def shelved(folder: Place) -> dict[str, Shelved]:
    """Return the records of the artefacts of an index, by name.

    Raises
    ------
    StoreError : the record is damaged.
    """
    with reading(folder):
        record = read_record(folder, SHELF).record or Record()
        return {} if record.gone else _rows(folder, record.content)


def _rows(folder: Place, content: str | None) -> dict[str, Shelved]:
    """Return the content of the record, or of the table of an index from an earlier version."""
    rows = _old_rows(folder) if content is None else stored(tuple[Shelved, ...], content)
    for row in rows:
        moment(row.made_at)
    return {row.name: row for row in rows}


def _old_rows(folder: Place) -> Sequence[Shelved]:
    """Read the records from the table of an earlier version; empty if there is none."""
    if isinstance(folder, Remote):
        versions = made_versions(folder, schema.SHELF)
        return _old_rows_as_of(folder, versions) if versions else ()
    return _old_table(folder) if is_made(folder, schema.SHELF) else ()


@lru_cache(maxsize=128)
def _old_rows_as_of(place: Remote, versions: Hashable) -> Sequence[Shelved]:  # noqa: ARG001
    """Read the table, cached: listing versions takes one request, reading the last takes six."""
    return _old_table(place)


def _old_table(folder: Place) -> Sequence[Shelved]:
    rows = connect(folder).open_table(schema.SHELF).to_arrow().to_pylist()
    return tuple(map(_from_row, rows))


def read_tables(folder: Place, artefact: Shelved) -> dict[str, pa.Table]:
    """Return the tables of an artefact, by the names that the artefact uses.

    Raises
    ------
    StoreError : they are damaged.
    """
    database = connect(folder)
    tables = {}
    with reading_artefact(folder, artefact.name):
        _require_intact(folder, artefact)
        for name, version in artefact.versions.items():
            table = database.open_table(artefact.table(name))
            table.checkout(version)
            tables[name] = table.to_arrow().combine_chunks()
    return tables


def reading_artefact(folder: Place, name: str) -> AbstractContextManager[None]:
    """Raise a failure to read the tables of the artefact `name` as a StoreError."""
    return reading(folder, f"{name} of {folder.name}", _remedy(folder, name))


def is_verified(folder: Place, artefact: Shelved) -> bool:
    """Check whether `read_tables` compares the files of an artefact with checksums."""
    if isinstance(folder, Remote):
        return False
    tables = {(artefact.table(name), version) for name, version in artefact.versions.items()}
    return tables <= recorded(folder)


def _require_intact(folder: Place, artefact: Shelved) -> None:
    """Raise StoreError if a file of an artefact in a folder differs from its checksum.

    Its tables are read whole, so that this costs little. Object storage is left out: each file
    would be fetched twice.
    """
    if isinstance(folder, Remote):
        return
    tables = {artefact.table(name): version for name, version in artefact.versions.items()}
    for file in damaged_in(folder, tables):
        raise StoreError(
            f"{artefact.name} of {folder.name} is damaged: {file.path} ({file.problem}). "
            + _remedy(folder, artefact.name)
        )


def _remedy(folder: Place, name: str) -> str:
    """Say how to replace a damaged artefact."""
    return (
        "Delete it and build it again on Settings, or run: python -m core shelf --index "
        f"{folder} --drop {name}"
    )


def write_artefact(
    folder: Place, artefact: str, digest: str, tables: Mapping[str, pa.Table]
) -> Written:
    """Write the tables of an artefact; readers do not see them before `put`.

    LockLost if another process has taken the writer's lock.
    """
    database = connect(folder)
    versions, written, size, serial = {}, dict[str, int](), 0, uuid4().hex[:12]
    for name, rows in tables.items():
        made = _table_name(artefact, digest, serial, name)
        written[made] = int(replace_table(database, made, rows).version)
        versions[name] = written[made]
        size += table_size(folder, made)
    record_checksums(folder, written)
    return Written(versions, size, serial)


def put(folder: Place, artefact: Shelved) -> None:
    """Publish a written artefact, in place of an earlier one of its name.

    LockLost if another process has taken the writer's lock.
    """
    _change_records(folder, lambda rows: {**rows, artefact.name: artefact})


def remove(folder: Place, name: str) -> None:
    """Remove an artefact from the record; `remove_unused` deletes its tables.

    LockLost if another process has taken the writer's lock.
    """
    _change_records(folder, lambda rows: {key: row for key, row in rows.items() if key != name})


def remove_unused(folder: Place) -> None:
    """Delete tables that the record does not name, left by killed builds and removed artefacts.

    LockLost if another process has taken the writer's lock.
    """
    rows = shelved(folder).values()
    wanted = {row.table(name) for row in rows for name in row.versions}
    for name in table_names(folder, schema.ARTEFACTS):
        if name not in wanted:
            remove_table(folder, name)


def _change_records(
    folder: Place, change: Callable[[Mapping[str, Shelved]], Mapping[str, Shelved]]
) -> None:
    """Replace the records by `change(records)`, as holder of the writer's lock."""

    def changed(content: str | None) -> str:
        with reading(folder):
            rows = _rows(folder, content)
        return json.dumps([asdict(row) for row in change(rows).values()])

    commit(folder, SHELF, changed)


def _from_row(row: Mapping[str, Any]) -> Shelved:
    """Return the record from a row of the table of an earlier version."""
    paid = stored(Spending, row["spending"]) if row["spending"] else None
    values = {**row, "versions": stored(dict[str, int], row["versions"]), "spending": paid}
    return Shelved(**values)
