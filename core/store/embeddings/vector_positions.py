"""The position on disk of the vector of each embedded text, in 17 bytes per text.

`core.store.embeddings.vector_cache` has texts and vectors in memory, for a build in one process.
This module is for many processes and more texts than fit in the memory of one. Both store new
vectors in the same table.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import lancedb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.places import Place
from core.store import schema
from core.store.database import connect, is_made
from core.store.embeddings.vector_cache import AT_ONCE, embedded_tables, embeddings_of
from core.store.integrity.checksums import record, record_added
from core.store.integrity.damage import reading
from core.store.locking.table_writes import replace_table
from core.store.tables import last_meta
from core.types import EmbedderInfo
from core.vectors import Vectors

_BATCH = 4096  # rows read at a time
Digests = NDArray[np.uint64]


def digests_of(texts: Iterable[str]) -> Digests:
    """Return a 64-bit hash of each text. Collisions are resolved when texts are read."""
    digest_bytes = b"".join(blake2b(text.encode(), digest_size=8).digest() for text in texts)
    return np.frombuffer(digest_bytes, np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """The positions of every text that an index has embedded with one embedder and precision.

    `own` is the name of the table to which new vectors are added. `tables` lists all tables with
    vectors, each with the version that was read. `digests` are sorted; `table` and `offset` give
    the row of each digest.
    """

    folder: Place
    own: str
    tables: tuple[tuple[str, int], ...]
    digests: Digests
    table: NDArray[np.uint8]
    offset: NDArray[np.int64]

    @classmethod
    def read(cls, folder: Place, embedder: EmbedderInfo) -> "Known":
        """Read the positions of stored vectors; create the embedder's own table if missing.

        Raises
        ------
        StoreError : a table is damaged.
        """
        own = embeddings_of(embedder)
        database = connect(folder)
        if not is_made(folder, own):
            nothing = np.zeros((0, embedder.dimension), np.float32)
            replace_table(database, own, schema.vectors_table([], nothing))
        with reading(folder):
            tables = [(own, int(database.open_table(own).version))]
            meta = last_meta(folder)
            if meta and replace(meta.embedder, name=embedder.name) == embedder:
                tables += [(name, meta.versions[name]) for name in embedded_tables(meta)]
            by_table = [_digests(_open(database, *each)) for each in tables]
        table = np.concatenate([np.full(len(each), i, np.uint8) for i, each in enumerate(by_table)])
        offset = np.concatenate([np.arange(len(each)) for each in by_table])
        digests = np.concatenate(by_table)
        order = np.argsort(digests, kind="stable")
        return cls(folder, own, tuple(tables), digests[order], table[order], offset[order])

    def take(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """Return the stored vectors of `texts` by text, (d,) float32 each."""
        asked = digests_of(texts)
        place = np.minimum(np.searchsorted(self.digests, asked), max(0, len(self.digests) - 1))
        there = place[self.digests[place] == asked] if len(self.digests) else place[:0]
        return {
            text: vector
            for number in np.unique(self.table[there]).tolist()
            for rows in self._rows(number, self.offset[there[self.table[there] == number]])
            for text, vector in _pairs(rows)
        }

    def keep(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Store vectors on disk before returning. Several processes may do so at the same time."""
        if texts:
            table = connect(self.folder).open_table(self.own)
            added = table.add(schema.vectors_table(texts, vectors))
            record_added(self.folder, self.own, int(added.version))

    def delete_stored(self, used: Digests) -> None:
        """Delete vectors that a newly published version contains; keep the others for later builds.

        Parameters
        ----------
        used : digests of all texts of that version.
        """
        database = connect(self.folder)
        latest = int(database.open_table(self.own).version)
        tables = ((self.own, latest), *self.tables[1:])
        rest = replace(self, tables=tables)
        parts = [
            rows
            for number, each in enumerate(tables)
            for rows in rest._rows(number, _unused(_digests(_open(database, *each)), used))
        ]
        left = {text: vector for rows in parts for text, vector in _pairs(rows)}
        dimension = database.open_table(self.own).schema.field("vector").type.list_size
        vectors = np.array(list(left.values()), np.float32).reshape(-1, dimension)
        table = replace_table(database, self.own, schema.vectors_table(list(left), vectors))
        table.optimize(cleanup_older_than=AT_ONCE)
        record(self.folder, {self.own: int(table.version)})

    def _rows(self, number: int, offsets: NDArray[np.int64]) -> Iterator[pa.Table]:
        """Yield rows of one of the tables, with their vectors."""
        name, version = self.tables[number]
        for start in range(0, len(offsets), _BATCH):
            with reading(self.folder):
                table = _open(connect(self.folder), name, version)
                yield table.take_offsets(offsets[start : start + _BATCH].tolist()).to_arrow()


def _open(database: lancedb.DBConnection, name: str, version: int) -> lancedb.table.Table:
    table = database.open_table(name)
    table.checkout(version)
    return table


def _digests(table: lancedb.table.Table) -> Digests:
    """Return the digests of all rows, in order."""
    columns = [name for name in ("title", "text") if name in table.schema.names]
    batches = table.search().select(columns).to_batches(_BATCH)
    batch_digests = [
        digests_of(schema.texts_in(pa.Table.from_batches([batch]))) for batch in batches
    ]
    return np.concatenate([np.zeros(0, np.uint64), *batch_digests])


def _unused(digests: Digests, used: Digests) -> NDArray[np.int64]:
    return np.flatnonzero(~np.isin(digests, used))


def _pairs(rows: pa.Table) -> Iterator[tuple[str, Vectors]]:
    return zip(schema.texts_in(rows), schema.vector_matrix(rows["vector"]), strict=True)
