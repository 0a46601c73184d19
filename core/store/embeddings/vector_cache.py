"""A cache of all vectors that an index has computed, so that no text is embedded twice."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from hashlib import blake2b

import numpy as np
import pyarrow as pa

from core.errors import StoreError
from core.places import Place
from core.store import schema
from core.store.artefact_tables import Shelved, read_tables, shelved
from core.store.database import connect, is_made
from core.store.integrity.checksums import record, record_added
from core.store.integrity.damage import reading
from core.store.locking.table_writes import replace_table
from core.store.metadata import Meta
from core.store.schema import passage_text
from core.store.tables import last_meta, open_version
from core.types import EmbedderInfo
from core.vectors import Vectors

AT_ONCE = timedelta(milliseconds=1)  # LanceDB warns of 0, which others could not read beside


def embeddings_of(embedder: EmbedderInfo) -> str:
    """Return the name of the table that caches the vectors of an embedder."""
    made_by = f"{embedder.fingerprint} {embedder.precision}".encode()
    return f"{schema.EMBEDDINGS}{blake2b(made_by, digest_size=6).hexdigest()}"


def embedded_tables(meta: Meta) -> tuple[str, ...]:
    """List the tables of a version whose vectors were computed by its embedder."""
    return ("pseudo_queries",) if meta.supplied else ("passages", "pseudo_queries")


class VectorCache:
    """A cache of every text that this index has embedded with one embedder and precision.

    Vectors come from the tables of the last finished version, from stored artefacts whose tables
    have the columns `text` and `vector`, and from the cache's own table, which contains the vectors
    that no other table has. A batch is on disk when `add` returns, so a killed build repeats at
    most one batch.
    """

    def __init__(self, folder: Place, embedder: EmbedderInfo) -> None:
        self._folder = folder
        self._database = connect(folder)
        self._dimension = embedder.dimension
        self._rows: dict[str, int] = {}
        self._blocks: list[Vectors] = []
        self._count = 0
        self._of_graph: set[str] = set()
        self._of_shelf: dict[str, set[str]] = {}
        self._name = embeddings_of(embedder)
        if not is_made(folder, self._name):
            self._write_own([])
        with reading(folder):
            self._table = self._database.open_table(self._name)
            self._add_table(self._table.to_arrow())
            meta = last_meta(folder)
            if meta and replace(meta.embedder, name=embedder.name) == embedder:
                for name in embedded_tables(meta):
                    table = open_version(self._database, name, meta).to_arrow()
                    self._of_graph.update(self._add_table(table))
        for artefact in shelved(folder).values():
            if artefact.vectors == self._name:
                self._of_shelf[artefact.name] = self._add_artefact(folder, artefact)

    def _add_table(self, table: pa.Table) -> list[str]:
        """Add the texts and vectors of a table to memory, and return the texts."""
        texts: list[str] = table["text"].to_pylist()
        if "title" in table.column_names:
            pairs = zip(table["title"].to_pylist(), texts, strict=True)
            texts = [passage_text(title, text) for title, text in pairs]
        if texts:
            self._remember(texts, schema.vector_matrix(table["vector"]))
        return texts

    def _add_artefact(self, folder: Place, artefact: Shelved) -> set[str]:
        """Add the vectors of an artefact to memory, and return their texts.

        A damaged artefact gives none: its texts are embedded again.
        """
        try:
            tables = read_tables(folder, artefact)
        except StoreError:  # reported when the artefact is opened
            return set()
        learnt: set[str] = set()
        for table in tables.values():
            if {"text", "vector"} <= set(table.column_names):
                learnt.update(self._add_table(table.select(["text", "vector"])))
        return learnt

    def _remember(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Keep vectors in memory, (len(texts), d); the first vector of a text wins."""
        for number, text in enumerate(texts):
            self._rows.setdefault(text, self._count + number)
        self._blocks.append(vectors)
        self._count += len(texts)

    def missing(self, texts: Iterable[str]) -> list[str]:
        """Return the texts without a cached vector, in order, without duplicates."""
        return [text for text in dict.fromkeys(texts) if text not in self._rows]

    def add(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Store the vectors of `texts` on disk before returning."""
        added = self._table.add(schema.vectors_table(texts, vectors))
        record_added(self._folder, self._name, int(added.version))
        self._remember(texts, vectors)

    def take(self, texts: Sequence[str]) -> Vectors:
        """Return the cached vectors, (len(texts), d) float32; KeyError if one is missing."""
        if len(self._blocks) != 1:
            self._blocks = [
                np.concatenate([np.zeros((0, self._dimension), np.float32), *self._blocks])
            ]
        return self._blocks[0][[self._rows[text] for text in texts]]

    def delete_stored(self, used: Iterable[str] | None = None) -> None:
        """Delete cached vectors that are also stored in the index or in an artefact.

        Vectors of texts that neither has are kept, as a later build may need them.

        Parameters
        ----------
        used : texts of a version that was published after this cache was opened; None for the
            version that it was opened with.
        """
        held = self._of_graph if used is None else set(used)
        self._write_own(sorted(self._rows.keys() - held.union(*self._of_shelf.values())))

    def keep_without(self, artefact: str) -> None:
        """Store the vectors that only `artefact` contains, before it is deleted."""
        others = (texts for name, texts in self._of_shelf.items() if name != artefact)
        self._write_own(sorted(self._rows.keys() - self._of_graph.union(*others)))

    def _write_own(self, texts: Sequence[str]) -> None:
        """Replace the cache's own table by the vectors of `texts`, and delete its old versions."""
        rows = schema.vectors_table(texts, self.take(texts))
        table = replace_table(self._database, self._name, rows)
        # Only the holder of the writer's lock reads it, so nobody needs the old versions.
        table.optimize(cleanup_older_than=AT_ONCE)
        record(self._folder, {self._name: int(table.version)})
