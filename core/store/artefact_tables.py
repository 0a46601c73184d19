"""What is stored of artefacts: their tables, and a record of those that are finished.

A reader goes by the record, so that it sees all tables of an artefact or none. Whoever writes holds
the writer's lock.
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
    """A finished artefact as it lies on the shelf.

    Parameters
    ----------
    digest : of all that it was made from.
    maker : the model that was asked, empty if none was.
    vectors : the table of embeddings of the embedder that made its vectors.
    versions : the Lance version of each of its tables, by the name that the artefact gives it.
    made_at : UTC, ISO 8601.
    seconds : what making it took.
    size : bytes of its tables.
    spending : what was paid to the model, None if none was asked.
    authorship : how much of it the model wrote; None if none was asked, or if a version of this
        program made it that did not count.
    serial : part of the names of its tables, which no other making of it has; empty where an
        earlier version of this program made it.
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
        """What its table called `name` is called in the database."""
        return _table_name(self.name, self.digest, self.serial, name)


class Written(NamedTuple):
    """The tables of an artefact that no reader sees yet; fields as in `Shelved`."""

    versions: dict[str, int]
    size: int
    serial: str


def _table_name(artefact: str, digest: str, serial: str, table: str) -> str:
    return f"{schema.ARTEFACTS}{artefact}_{digest}{serial and '_'}{serial}_{table}"


def shelved(folder: Place) -> dict[str, Shelved]:
    """What lies on the shelf of the index in `folder`, by name.

    Raises
    ------
    StoreError : the shelf is damaged.
    """
    with reading(folder):
        record = read_record(folder, SHELF).record or Record()
        return {} if record.gone else _rows(folder, record.content)


def _rows(folder: Place, content: str | None) -> dict[str, Shelved]:
    """What the record says; without one, what the table of an older index says."""
    rows = _old_rows(folder) if content is None else stored(tuple[Shelved, ...], content)
    for row in rows:
        moment(row.made_at)
    return {row.name: row for row in rows}


def _old_rows(folder: Place) -> Sequence[Shelved]:
    if isinstance(folder, Remote):
        versions = made_versions(folder, schema.SHELF)
        return _old_rows_as_of(folder, versions) if versions else ()
    return _old_table(folder) if is_made(folder, schema.SHELF) else ()


@lru_cache(maxsize=128)
def _old_rows_as_of(place: Remote, versions: Hashable) -> Sequence[Shelved]:  # noqa: ARG001
    """To look which versions there are is one request, and to read the last one six."""
    return _old_table(place)


def _old_table(folder: Place) -> Sequence[Shelved]:
    rows = connect(folder).open_table(schema.SHELF).to_arrow().to_pylist()
    return tuple(map(_from_row, rows))


def read_tables(folder: Place, artefact: Shelved) -> dict[str, pa.Table]:
    """The tables of an artefact, by the names that it gave them.

    Raises
    ------
    StoreError : they are damaged.
    """
    database = connect(folder)
    found = {}
    with reading_artefact(folder, artefact.name):
        _require_intact(folder, artefact)
        for name, version in artefact.versions.items():
            table = database.open_table(artefact.table(name))
            table.checkout(version)
            found[name] = table.to_arrow().combine_chunks()
    return found


def reading_artefact(folder: Place, name: str) -> AbstractContextManager[None]:
    """Raise a failure to read the tables of the artefact `name` as a StoreError."""
    return reading(folder, f"{name} of {folder.name}", _remedy(folder, name))


def is_verified(folder: Place, artefact: Shelved) -> bool:
    """Return whether `read_tables` compares the files of an artefact with checksums."""
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
    """Make a written artefact the one of its name that readers see.

    LockLost if another process has taken the writer's lock.
    """
    _change(folder, lambda rows: {**rows, artefact.name: artefact})


def remove(folder: Place, name: str) -> None:
    """Take an artefact off the shelf; `sweep` removes its tables.

    LockLost if another process has taken the writer's lock.
    """
    _change(folder, lambda rows: {key: row for key, row in rows.items() if key != name})


def remove_unused(folder: Place) -> None:
    """Remove the tables that the shelf does not name: of a make that was killed, or taken off.

    LockLost if another process has taken the writer's lock.
    """
    rows = shelved(folder).values()
    wanted = {row.table(name) for row in rows for name in row.versions}
    for name in table_names(folder, schema.ARTEFACTS):
        if name not in wanted:
            remove_table(folder, name)


def _change(
    folder: Place, change: Callable[[Mapping[str, Shelved]], Mapping[str, Shelved]]
) -> None:
    def changed(content: str | None) -> str:
        with reading(folder):
            rows = _rows(folder, content)
        return json.dumps([asdict(row) for row in change(rows).values()])

    commit(folder, SHELF, changed)


def _from_row(row: Mapping[str, Any]) -> Shelved:
    """A row of the table of an older index."""
    paid = stored(Spending, row["spending"]) if row["spending"] else None
    values = {**row, "versions": stored(dict[str, int], row["versions"]), "spending": paid}
    return Shelved(**values)
