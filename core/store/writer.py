"""Writing an index: vectors as they are made, and at the end a finished version, all or nothing."""

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from hashlib import blake2b
from pathlib import Path

import lancedb
import numpy as np
import pyarrow as pa

from core.errors import StoreError
from core.store import schema
from core.store.damage import reading
from core.store.index import connect, last_meta, open_version
from core.store.meta import Meta
from core.types import EmbedderInfo
from core.vectors import Vectors

# From this many passages on, LanceDB's full-text index answers for BM25: in memory one question
# takes 16 ms at 10,000 passages and 268 ms at 100,000, LanceDB 3 ms at 10,000.
FULL_TEXT_FROM = 50_000
_EMBEDDINGS = "embeddings_"
_KEEP_VERSIONS = timedelta(days=1)
_AT_ONCE = timedelta(milliseconds=1)  # LanceDB warns of 0, which others could not read beside


class VectorCache:
    """Every text that this index has embedded with one embedder in one precision.

    Vectors come from the tables of the last finished version and from a table of their own, which
    holds what is in no other (yet, or any more). A batch is on disk when `add` returns, so a
    killed build repeats at most the batch it was in.
    """

    def __init__(self, folder: Path, embedder: EmbedderInfo) -> None:
        self._database = connect(folder)
        self._dimension = embedder.dimension
        self._rows: dict[str, int] = {}
        self._blocks: list[Vectors] = []
        self._count = 0
        made_by = f"{embedder.fingerprint} {embedder.precision}".encode()
        self._name = f"{_EMBEDDINGS}{blake2b(made_by, digest_size=6).hexdigest()}"
        with reading(folder):
            if self._name not in self._database.list_tables().tables:
                self._write_own([])
            self._table = self._database.open_table(self._name)
            self._learn(self._table.to_arrow())
            meta = last_meta(folder)
            if meta and replace(meta.embedder, name=embedder.name) == embedder:
                for name in ("passages", "pseudo_queries"):
                    self._learn(open_version(self._database, name, meta).to_arrow())

    def _learn(self, table: pa.Table) -> None:
        texts = table["text"].to_pylist()
        if "title" in table.column_names:
            pairs = zip(table["title"].to_pylist(), texts, strict=True)
            texts = [passage_text(title, text) for title, text in pairs]
        if texts:
            self._remember(texts, schema.vector_matrix(table["vector"]))

    def _remember(self, texts: Sequence[str], vectors: Vectors) -> None:
        for number, text in enumerate(texts):
            self._rows.setdefault(text, self._count + number)
        self._blocks.append(vectors)
        self._count += len(texts)

    def missing(self, texts: Iterable[str]) -> list[str]:
        """Those never embedded, each once, in order."""
        return [text for text in dict.fromkeys(texts) if text not in self._rows]

    def add(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Keep the vectors of `texts`, on disk before this returns."""
        self._table.add(_vectors_table(texts, vectors))
        self._remember(texts, vectors)

    def take(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), d) float32. KeyError if one was never embedded."""
        if len(self._blocks) != 1:
            self._blocks = [
                np.concatenate([np.zeros((0, self._dimension), np.float32), *self._blocks])
            ]
        return self._blocks[0][[self._rows[text] for text in texts]]

    def keep_only_unused(self, used: Iterable[str]) -> None:
        """Drop from disk what a published version holds; what none holds stays for later."""
        self._write_own(sorted(self._rows.keys() - set(used)))

    def _write_own(self, texts: Sequence[str]) -> None:
        table = _replace(self._database, self._name, _vectors_table(texts, self.take(texts)))
        # Only the holder of the writer's lock reads it, so that nobody misses what it held.
        table.optimize(cleanup_older_than=_AT_ONCE)


def _replace(database: lancedb.DBConnection, name: str, rows: pa.Table) -> lancedb.table.Table:
    """A new version of a table; LanceDB warns when one that is not there is overwritten."""
    known = name in database.list_tables().tables
    return database.create_table(name, rows, mode="overwrite" if known else "create")


def _vectors_table(texts: Sequence[str], vectors: Vectors) -> pa.Table:
    return pa.table({"text": pa.array(texts, pa.string()), "vector": schema.vector_column(vectors)})


def passage_text(title: str, text: str) -> str:
    """What is embedded for a passage, and read for its keywords: title and text."""
    return f"{title}. {text}" if title else text


def discard_damaged(folder: Path) -> None:
    """Delete the tables in `folder` if one of them, or what is known of them, cannot be read.

    Embeddings that can be read stay: they were paid for.
    """
    database = connect(folder)

    def readable(read: Callable[[], object]) -> bool:
        try:
            with reading(folder):
                read()
        except StoreError:
            return False
        return True

    def read_published() -> None:
        if meta := last_meta(folder):
            for name in meta.versions:
                open_version(database, name, meta).to_arrow()

    sound = readable(read_published)
    for table in folder.glob("*.lance"):
        name = table.stem
        wanted = sound or name.startswith(_EMBEDDINGS)
        if not wanted or not readable(partial(_read_table, database, name)):
            shutil.rmtree(table)


def _read_table(database: lancedb.DBConnection, name: str) -> pa.Table:
    return database.open_table(name).to_arrow()


def write_tables(folder: Path, tables: Mapping[str, pa.Table]) -> dict[str, int]:
    """Write a version of each table; readers do not see it before `publish`."""
    database = connect(folder)
    versions = {}
    for name, rows in tables.items():
        table = _replace(database, name, rows)
        if name == "passages" and len(rows) >= FULL_TEXT_FROM:
            for column in ("title", "text"):
                table.create_fts_index(column)
        versions[name] = int(table.version)
    return versions


def publish(folder: Path, meta: Meta) -> None:
    """Make a written version the one that readers open: one row, so all of it or nothing."""
    database = connect(folder)
    row = pa.table(
        {"finished_at": [meta.finished_at], "content": [meta.to_json()]}, schema=schema.META
    )
    if "meta" in database.list_tables().tables:
        database.open_table("meta").add(row)
    else:
        database.create_table("meta", row)
    for name in meta.versions:
        # Who opened an earlier version may still be reading it; see `Index._reading`.
        database.open_table(name).optimize(cleanup_older_than=_KEEP_VERSIONS)
