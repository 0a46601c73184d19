"""Read the tables of one finished version of an index."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import lancedb
import pyarrow as pa
from lancedb.expr import Expr, col
from lancedb.query import FullTextQuery

from core.errors import IndexIncompatible, IndexMissing, StoreError
from core.places import Place, Remote
from core.settings import settings
from core.store import schema
from core.store.database import connect, made_versions
from core.store.integrity.damage import reading
from core.store.metadata import OLD_TABLE, Meta, is_finished, not_finished
from core.store.records.json_values import strict_json
from core.store.records.record import PUBLISHED, Record, read_record
from core.types import EmbedderInfo

T = TypeVar("T")


class Tables:
    """The tables of one version of an index.

    Reading raises StoreError if a table is damaged, or was deleted after a later build.
    """

    def __init__(self, path: Place, meta: Meta) -> None:
        self.path = path
        self.meta = meta
        self._database = connect(path)
        self._opened: dict[str, lancedb.table.Table] = {}

    def table(self, name: str) -> lancedb.table.Table:
        """Return the table called `name`, at this version."""
        if name not in self._opened:
            self._opened[name] = open_version(self._database, name, self.meta)
        return self._opened[name]

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Return a context that raises failures to read a table as StoreError.

        The files of a version are deleted a day after a later build. The error then says so,
        instead of reporting damage.
        """
        try:
            with reading(self.path, versions=self._comparable):
                yield
        except StoreError as error:
            if not self._is_outdated():
                raise
            raise StoreError(
                f"{self.path.name} was rebuilt, renamed or deleted after it was opened, so "
                "its earlier content is gone. Reload the page, or run the command again."
            ) from error

    @property
    def _comparable(self) -> Mapping[str, int]:
        """The tables whose checksums are verified if a table cannot be read.

        None for a large index or object storage, where that would take too long.
        """
        is_small = self.meta.counts.vertices < settings().large_from
        return self.meta.versions if is_small and isinstance(self.path, Path) else {}

    def _is_outdated(self) -> bool:
        """Return whether the index was rebuilt, renamed or deleted since it was opened."""
        try:
            return read_meta(self.path).finished_at != self.meta.finished_at
        except IndexMissing:
            return True
        except StoreError:  # damage, which the error being handled already reports
            return False

    def read(self, name: str) -> pa.Table:
        """Return all rows of a table."""
        with self.reading():
            # Access to a row of a chunked table searches the chunks.
            return self.table(name).to_arrow().combine_chunks()

    def rows(self, name: str, made: Callable[[dict[str, Any]], T]) -> list[T]:
        """Return the rows of a table, each converted by `made`."""
        with self.reading():
            return list(map(made, self.read(name).to_pylist()))

    def take(self, name: str, numbers: Sequence[int], columns: Sequence[str]) -> pa.Table:
        """Return columns of the rows with these ascending numbers, in one read."""
        with self.reading():
            asked = self.table(name).take_offsets(list(numbers)).select(list(columns))
            return asked.to_arrow().combine_chunks()

    def find(
        self, name: str, column: str, values: Sequence[str], columns: Sequence[str]
    ) -> pa.Table:
        """Return columns of the rows whose `column` has one of `values`, using its index if any."""
        return self.where(name, col(column).isin(list(values)), columns)

    def where(self, name: str, holds: Expr, columns: Sequence[str]) -> pa.Table:
        """Return columns of the rows for which the predicate `holds` is true."""
        with self.reading():
            asked = self.table(name).search().where(holds)
            return asked.select(list(columns)).to_arrow().combine_chunks()

    def full_text(
        self,
        name: str,
        query: FullTextQuery,
        columns: Sequence[str],
        limit: int,
        holds: Expr | None = None,
    ) -> pa.Table:
        """Return the rows that a full-text index matches, best first, with their `_score`.

        Parameters
        ----------
        holds : condition that the rows must meet; by default there is none.
        """
        with self.reading():
            asked = self.table(name).search(query).select([*columns, "_score"])
            if holds is not None:
                asked = asked.where(holds, prefilter=True)
            return asked.limit(limit).to_arrow()

    def select(self, name: str, columns: Sequence[str], where: str = "") -> pa.Table:
        """Return columns of the rows that satisfy the SQL condition `where`."""
        with self.reading():
            query = self.table(name).search().select(list(columns))
            return (query.where(where) if where else query).to_arrow().combine_chunks()


def open_version(database: lancedb.DBConnection, name: str, meta: Meta) -> lancedb.table.Table:
    """Return a table at the version that `meta` names."""
    table = database.open_table(name)
    table.checkout(meta.versions[name])
    return table


def read_meta(folder: Place) -> Meta:
    """Return the metadata of the last finished version; raises as `Index.open` does."""
    with reading(folder):
        record = read_record(folder, PUBLISHED).record or Record()
        finished = is_finished(folder, record)
    if not finished:
        raise not_finished(folder)
    with reading(folder):
        content = record.content or _old_content(folder)
        made_by = strict_json(content)["schema"]
        if made_by == schema.SCHEMA_VERSION:
            return Meta.from_json(content)
    raise IndexIncompatible(
        f"{folder.name} has schema version {made_by}, but this program reads version "
        f"{schema.SCHEMA_VERSION}. Rebuild it: python -m core build CORPUS... --restart"
    )


def _old_content(folder: Place) -> str:
    """Return the metadata of the last version of an index without a record, from its table."""
    if isinstance(folder, Remote):
        return _old_content_as_of(folder, made_versions(folder, OLD_TABLE))
    return _old_row(folder)


@lru_cache(maxsize=128)
def _old_content_as_of(place: Remote, versions: Hashable) -> str:  # noqa: ARG001
    """Cache the content by version: listing versions is one request, reading the last one six."""
    return _old_row(place)


def _old_row(folder: Place) -> str:
    rows = connect(folder).open_table(OLD_TABLE).to_arrow().to_pylist()
    return str(rows[-1]["content"])  # in the order in which they were published


def last_meta(folder: Place) -> Meta | None:
    """Return the metadata of the last finished version, or None if no build has finished.

    Raises
    ------
    IndexIncompatible : another version of this program made the index.
    StoreError : the index is damaged.
    """
    try:
        return read_meta(folder)
    except IndexMissing:
        return None


def check_embedder(meta: Meta, embedder: EmbedderInfo, name: str) -> None:
    """Raise IndexIncompatible unless `embedder` made the index.

    A different precision of the same weights is accepted: the vectors are almost the same.
    """
    made = meta.embedder
    if made.fingerprint != embedder.fingerprint or made.dimension != embedder.dimension:
        raise IndexIncompatible(
            f"{name} was built with the embedder {made.name} ({made.dimension} dimensions), "
            f"and {embedder.name} ({embedder.dimension}) is selected. Select {made.name} in "
            "the settings, or rebuild the index with --restart."
        )
