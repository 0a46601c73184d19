"""What is stored of artefacts: their tables, and one row in `shelf` for each that is finished.

A reader goes by the rows, so that it sees all tables of an artefact or none. Whoever writes holds
the writer's lock.
"""

import json
from collections.abc import Hashable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any

import pyarrow as pa

from core.errors import StoreError
from core.places import Place, Remote
from core.progress import Authorship, Spending
from core.store import schema
from core.store.checksums import damaged_in, record, recorded
from core.store.damage import reading
from core.store.database import (
    connect,
    is_made,
    made_versions,
    remove_table,
    replace_table,
    table_names,
    table_size,
)
from core.store.values import moment, stored

_KEEP_VERSIONS = timedelta(days=1)


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

    def table(self, name: str) -> str:
        """What its table called `name` is called in the database."""
        return table_name(self.name, self.digest, name)


def table_name(artefact: str, digest: str, table: str) -> str:
    return f"{schema.ARTEFACTS}{artefact}_{digest}_{table}"


def shelved(folder: Place) -> dict[str, Shelved]:
    """What lies on the shelf of the index in `folder`, by name.

    Raises
    ------
    StoreError : the shelf is damaged.
    """
    if isinstance(folder, Remote):
        with reading(folder):
            versions = made_versions(folder, schema.SHELF)
        return dict(_as_of(folder, versions)) if versions else {}
    return _rows(folder) if is_made(folder, schema.SHELF) else {}


@lru_cache(maxsize=128)
def _as_of(place: Remote, versions: Hashable) -> dict[str, Shelved]:  # noqa: ARG001
    """To look which versions there are is one request, and to read the last one six."""
    return _rows(place)


def _rows(folder: Place) -> dict[str, Shelved]:
    with reading(folder):
        rows = connect(folder).open_table(schema.SHELF).to_arrow().to_pylist()
        return {row["name"]: _from_row(row) for row in rows}


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
        "Drop it and build it again: Settings, Shelf; or "
        f"python -m core shelf --index {folder} --drop {name}"
    )


def write_artefact(
    folder: Place, artefact: str, digest: str, tables: Mapping[str, pa.Table]
) -> tuple[dict[str, int], int]:
    """Write the tables of an artefact: their versions, and their bytes on the disk.

    Readers do not see them before `put`.
    """
    database = connect(folder)
    versions, size = {}, 0
    for name, rows in tables.items():
        stored = table_name(artefact, digest, name)
        versions[name] = int(replace_table(database, stored, rows).version)
        size += table_size(folder, stored)
    record(folder, {table_name(artefact, digest, name): made for name, made in versions.items()})
    return versions, size


def put(folder: Place, artefact: Shelved) -> None:
    """Make a written artefact the one of its name that readers see."""
    _write(folder, {**shelved(folder), artefact.name: artefact})


def take_off(folder: Place, name: str) -> None:
    """Take the row of an artefact away; `sweep` removes its tables."""
    _write(folder, {key: row for key, row in shelved(folder).items() if key != name})


def sweep(folder: Place) -> None:
    """Remove the tables that no row names: of a make that was killed, or taken off."""
    rows = shelved(folder).values()
    wanted = {row.table(name) for row in rows for name in row.versions}
    for name in table_names(folder, schema.ARTEFACTS):
        if name not in wanted:
            remove_table(folder, name)


def _write(folder: Place, rows: Mapping[str, Shelved]) -> None:
    """The whole shelf at once: LanceDB shows a reader the rows before or the rows after."""
    written = pa.Table.from_pylist(list(map(_to_row, rows.values())), schema=schema.SHELVED)
    table = replace_table(connect(folder), schema.SHELF, written)
    record(folder, {schema.SHELF: int(table.version)})
    table.optimize(cleanup_older_than=_KEEP_VERSIONS)


def _to_row(artefact: Shelved) -> dict[str, object]:
    told = {name: getattr(artefact, name) for name in ("spending", "authorship")}
    written = {name: json.dumps(asdict(each)) if each else "" for name, each in told.items()}
    versions = json.dumps(dict(artefact.versions))
    row = {name: getattr(artefact, name) for name in schema.SHELVED.names}
    return {**row, "versions": versions, **written}


def _from_row(row: Mapping[str, Any]) -> Shelved:
    paid = stored(Spending, row["spending"]) if row["spending"] else None
    moment(row["made_at"])
    counted = row.get("authorship")  # a column that shelves of an earlier version do not have
    values = {
        **row,
        "versions": stored(dict[str, int], row["versions"]),
        "spending": paid,
        "authorship": stored(Authorship, counted) if counted else None,
    }
    return Shelved(**values)
