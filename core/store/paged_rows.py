"""Rows of a table that are read on first access and cached."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock
from typing import Any, Generic, TypeVar, overload

import numpy as np
import pyarrow as pa

from core.store import schema
from core.store.tables import Tables
from core.vectors import Vectors

T = TypeVar("T")
KEPT = 50_000  # rows of a table: with vectors 80 MB
_READ = 10_000  # rows at a time, where all are wanted


class RowCache(Generic[T]):
    """An LRU cache of rows by number. Safe to share between threads.

    Parameters
    ----------
    read : returns the rows of distinct, ascending numbers.
    most : maximum number of cached rows.
    """

    def __init__(self, read: Callable[[list[int]], Iterable[T]], most: int = KEPT) -> None:
        self._read = read
        self._most = most
        self._kept: OrderedDict[int, T] = OrderedDict()
        self._lock = Lock()

    def take(self, numbers: Iterable[int]) -> list[T]:
        """Return the rows of these numbers, in this order. Missing rows are read at once."""
        wanted = np.asarray(list(numbers), np.int64).tolist()
        rows = self._cached_rows(set(wanted))
        if missing := sorted(set(wanted) - rows.keys()):
            new = dict(zip(missing, self._read(missing), strict=True))
            rows |= new
            self._keep(new)
        return [rows[number] for number in wanted]

    def _cached_rows(self, wanted: set[int]) -> dict[int, T]:
        """Return the cached rows of `wanted` and mark them as recently used."""
        with self._lock:
            kept = {number: self._kept[number] for number in wanted if number in self._kept}
            for number in kept:
                self._kept.move_to_end(number)
        return kept

    def _keep(self, new: dict[int, T]) -> None:
        """Add rows, and drop the least recently used ones above the maximum."""
        with self._lock:
            self._kept.update(new)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


class PagedRows(Sequence[T]):
    """The rows of a table as a sequence of objects, read on first access.

    Parameters
    ----------
    rows : number of rows.
    columns : names of the columns that `made` needs.
    made : converts a row to an object.
    """

    def __init__(
        self,
        tables: Tables,
        name: str,
        rows: int,
        columns: Sequence[str],
        made: Callable[[dict[str, Any]], T],
    ) -> None:
        self._tables = tables
        self._name = name
        self._rows = rows
        self._columns = columns
        self._made = made
        self._remembered: RowCache[T] = RowCache(self._read)

    def __len__(self) -> int:
        return self._rows

    @overload
    def __getitem__(self, number: int) -> T: ...
    @overload
    def __getitem__(self, number: slice) -> list[T]: ...
    def __getitem__(self, number: int | slice) -> T | list[T]:
        if isinstance(number, slice):
            return self.take(range(self._rows)[number])
        return self.take([range(self._rows)[number]])[0]

    def __iter__(self) -> Iterator[T]:
        for start in range(0, self._rows, _READ):
            yield from self._read(list(range(start, min(start + _READ, self._rows))))

    def take(self, numbers: Iterable[int]) -> list[T]:
        """Return the rows of these numbers, in this order."""
        return self._remembered.take(numbers)

    def _read(self, numbers: list[int]) -> Iterator[T]:
        with self._tables.reading():
            rows = self._tables.take(self._name, numbers, self._columns)
            return iter([self._made(row) for row in rows.to_pylist()])


class PagedVectors:
    """The vectors of a table, by the numbers of its rows."""

    def __init__(self, tables: Tables, name: str) -> None:
        self._tables = tables
        self._name = name
        self._remembered: RowCache[Vectors] = RowCache(self._read)

    def take(self, numbers: Iterable[int]) -> Vectors:
        """Return the vectors of these rows, (len(numbers), d) float32."""
        none = np.zeros((0, self._tables.meta.embedder.dimension), np.float32)
        rows = self._remembered.take(numbers)
        return np.stack(rows) if rows else none

    def _read(self, numbers: list[int]) -> Iterable[Vectors]:
        with self._tables.reading():
            rows: pa.Table = self._tables.take(self._name, numbers, ["vector"])
            return iter(schema.vector_matrix(rows["vector"]))
