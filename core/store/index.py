"""One index, open for reading: a LanceDB database in a folder, at its last finished version."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

import lancedb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from lancedb.query import FullTextQuery
from numpy.typing import NDArray

from core.errors import IndexIncompatible, IndexMissing, StoreError
from core.store import schema
from core.store.damage import reading
from core.store.database import connect
from core.store.meta import Meta, require_finished
from core.types import Edge, EmbedderInfo, Passage, PseudoQuery, Query
from core.vectors import Vectors


def check_folder(path: str | Path) -> Path:
    """`path` as a folder of this machine; another URI is refused."""
    text = str(path)
    if "://" in text:
        raise IndexMissing(f"An index is a folder on this machine, for now; {text!r} is not one.")
    return Path(text).expanduser()


@dataclass(frozen=True, slots=True)
class Columns:
    """The edges as arrays of length m; `source` and `target` are passage numbers."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    question: NDArray[np.int32]
    vectors: Vectors
    ids: tuple[str, ...]


class Index:
    """Everything that a build left behind. Immutable: a later build makes another version.

    Use `Index.open`. `passages` are in the order of vertex numbers.
    """

    def __init__(self, path: Path, meta: Meta, database: lancedb.DBConnection) -> None:
        self.path = path
        self.meta = meta
        self._database = database
        table = self._read("passages")
        self._passage_table = table
        names = ("id", "document_id", "position", "title", "text")
        columns = (table[name].to_pylist() for name in names)
        self.passages: tuple[Passage, ...] = tuple(map(Passage, *columns))
        self.number: dict[str, int] = {p.id: i for i, p in enumerate(self.passages)}
        self.vectors: Vectors = schema.vector_matrix(table["vector"])

    @staticmethod
    def open(path: str | Path, embedder: EmbedderInfo | None = None) -> "Index":
        """The last finished version in folder `path`.

        Parameters
        ----------
        embedder : the one that will embed questions; it has to be the one that made the index.

        Raises
        ------
        IndexMissing : no folder, or no build in it has finished.
        IndexIncompatible : it was made by another embedder or version of this program.
        StoreError : it is damaged.
        """
        folder = check_folder(path)
        meta = read_meta(folder)
        if embedder is not None:
            check_embedder(meta, embedder, folder.name)
        return Index(folder, meta, connect(folder))

    @property
    def name(self) -> str:
        return self.path.name

    def _table(self, name: str) -> lancedb.table.Table:
        return open_version(self._database, name, self.meta)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """A day after a later build this version's files go: that is no damage."""
        try:
            with reading(self.path):
                yield
        except StoreError as error:
            if not self._is_outdated():
                raise
            raise StoreError(
                f"{self.name} was built again since it was opened, and what it held then is gone. "
                "Reload the page, or run the command again."
            ) from error

    def _is_outdated(self) -> bool:
        try:
            return read_meta(self.path).finished_at != self.meta.finished_at
        except StoreError:  # the error before this one says it
            return False

    def _read(self, name: str) -> pa.Table:
        with self._reading():
            return self._table(name).to_arrow().combine_chunks()  # or each row costs a walk

    def _select(self, name: str, columns: Sequence[str], where: str = "") -> pa.Table:
        """Columns of a table, of the rows for which the SQL condition `where` holds."""
        with self._reading():
            query = self._table(name).search().select(list(columns))
            return (query.where(where) if where else query).to_arrow().combine_chunks()

    # Passages and documents

    def passage(self, passage_id: str) -> Passage:
        return self.passages[self.number[passage_id]]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each passage is called (`core.text.names`), in order of vertex numbers."""
        return tuple(self._passage_table["name"].to_pylist())

    @cached_property
    def passage_keywords(self) -> tuple[tuple[str, ...], ...]:
        """NER of title and text of each passage, in order of vertex numbers."""
        return tuple(tuple(words) for words in self._passage_table["keywords"].to_pylist())

    @cached_property
    def documents(self) -> tuple[schema.StoredDocument, ...]:
        rows = self._read("documents").to_pylist()
        return tuple(schema.to_document(row) for row in rows)

    @cached_property
    def document_passages(self) -> dict[str, tuple[str, ...]]:
        """Ids of the passages of each document, in order."""
        found: dict[str, list[str]] = {}
        for passage in self.passages:
            found.setdefault(passage.document_id, []).append(passage.id)
        return {document: tuple(ids) for document, ids in found.items()}

    @cached_property
    def questions(self) -> tuple[Query, ...]:
        """The questions that came with the corpus."""
        return tuple(schema.to_question(row) for row in self._read("questions").to_pylist())

    def search(self, text: str, limit: int = 20) -> list[Passage]:
        """Passages whose title, or else text, holds `text` regardless of case; titles first."""
        wanted = text.casefold().strip()
        if not wanted:
            return []
        titles = [p for p in self.passages if wanted in p.title.casefold()]
        titles.sort(key=lambda p: (p.title.casefold() != wanted, len(p.title), p.title, p.id))
        if len(titles) >= limit:
            return titles[:limit]
        seen = {p.id for p in titles}
        texts = (p for p in self.passages if p.id not in seen and wanted in p.text.casefold())
        return [*titles, *(p for p, _ in zip(texts, range(limit - len(titles)), strict=False))]

    def full_text(self, query: FullTextQuery, limit: int) -> list[tuple[str, float]]:
        """Ids and scores of the passages that LanceDB's full-text index finds, best first."""
        with self._reading():
            asked = self._table("passages").search(query).select(["id", "_score"])
            found = asked.limit(limit).to_arrow()
        return list(zip(found["id"].to_pylist(), found["_score"].to_pylist(), strict=True))

    # Pseudo-queries

    @cached_property
    def _query_table(self) -> pa.Table:
        """All but the vectors, which are most of it."""
        return self._select("pseudo_queries", [field.name for field in fields(PseudoQuery)])

    @cached_property
    def _query_number(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self._query_table["id"].to_pylist())}

    @cached_property
    def _queries_of(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, passage_id in enumerate(self._query_table["passage_id"].to_pylist()):
            found.setdefault(passage_id, []).append(number)
        return found

    def pseudo_query(self, query_id: str) -> PseudoQuery:
        return self._pseudo_queries([self._query_number[query_id]])[0]

    def pseudo_queries(self, passage_id: str) -> list[PseudoQuery]:
        """In-coming and out-coming questions of a passage, in the order they were made."""
        return self._pseudo_queries(self._queries_of.get(passage_id, []))

    @property
    def all_pseudo_queries(self) -> list[PseudoQuery]:
        return self._pseudo_queries(range(self._query_table.num_rows))

    def _pseudo_queries(self, rows: Sequence[int]) -> list[PseudoQuery]:
        table = self._query_table.take(pa.array(list(rows), pa.int64()))
        return [schema.to_pseudo_query(row) for row in table.to_pylist()]

    # Edges

    @cached_property
    def _edge_table(self) -> pa.Table:
        return self._read("edges")

    @cached_property
    def columns(self) -> Columns:
        """The edges as arrays. `vectors` (u, d) are those of the in-coming questions that edges
        carry, each once; `question[e]` is the row of edge e."""
        table = self._edge_table
        ids = self._passage_table["id"].combine_chunks()
        carried = table["in_query_id"].combine_chunks().dictionary_encode()
        asked = self._select("pseudo_queries", ("id", "vector"), "direction = 'in'")
        rows = pc.index_in(carried.dictionary, asked["id"].combine_chunks())
        vectors = schema.vector_matrix(asked["vector"].take(rows))
        return Columns(
            source=pc.index_in(table["source"].combine_chunks(), ids).to_numpy(),
            target=pc.index_in(table["target"].combine_chunks(), ids).to_numpy(),
            question=carried.indices.to_numpy(),
            vectors=vectors,
            ids=tuple(table["id"].to_pylist()),
        )

    @cached_property
    def _raised(self) -> NDArray[np.int32]:
        """The row in `_query_table` of each edge's out-coming question."""
        ids = self._query_table["id"].combine_chunks()
        rows = pc.index_in(self._edge_table["out_query_id"].combine_chunks(), ids)
        return np.asarray(rows.to_numpy(), np.int32)

    @cached_property
    def raised(self) -> Vectors:
        """(m, d): the vector of each edge's out-coming question, in order of edge numbers."""
        asked = self._select("pseudo_queries", ("id", "vector"), "direction = 'out'")
        wanted = self._edge_table["out_query_id"].combine_chunks()
        rows = pc.index_in(wanted, asked["id"].combine_chunks())
        return schema.vector_matrix(asked["vector"].take(rows))

    def raised_questions(self, numbers: Sequence[int] | NDArray[np.int64]) -> list[str]:
        """The out-coming questions that the edges of these numbers were made from."""
        texts = self._query_table["text"].take(pa.array(self._raised[list(numbers)]))
        questions: list[str] = texts.to_pylist()
        return questions

    @cached_property
    def edge_number(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.columns.ids)}

    @cached_property
    def edge_keywords(self) -> list[list[str]]:
        """The keywords of each edge, in order of edge numbers."""
        keywords: list[list[str]] = self._edge_table["keywords"].to_pylist()
        return keywords

    @cached_property
    def edge_questions(self) -> list[str]:
        """The in-coming question that each edge carries, in order of edge numbers."""
        questions: list[str] = self._edge_table["question"].to_pylist()
        return questions

    def edge(self, edge_id: str) -> Edge:
        return self.edges([self.edge_number[edge_id]])[0]

    def edges(self, numbers: Sequence[int]) -> list[Edge]:
        """The edges of these numbers, in this order."""
        rows = self._edge_table.take(pa.array(list(numbers), pa.int64())).to_pylist()
        return [schema.to_edge(row) for row in rows]

    @cached_property
    def _incident(self) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        leaving: dict[int, list[int]] = {}
        arriving: dict[int, list[int]] = {}
        pairs = zip(self.columns.source.tolist(), self.columns.target.tolist(), strict=True)
        for number, (source, target) in enumerate(pairs):
            leaving.setdefault(source, []).append(number)
            arriving.setdefault(target, []).append(number)
        return leaving, arriving

    def out_edges(self, passage_id: str) -> list[Edge]:
        """Edges that leave the passage, the most similar first."""
        return self._sorted(self._incident[0].get(self.number[passage_id], []))

    def in_edges(self, passage_id: str) -> list[Edge]:
        """Edges that end in the passage, the most similar first."""
        return self._sorted(self._incident[1].get(self.number[passage_id], []))

    def _sorted(self, numbers: Sequence[int]) -> list[Edge]:
        return sorted(self.edges(numbers), key=lambda edge: (-edge.similarity, edge.id))


def open_version(database: lancedb.DBConnection, name: str, meta: Meta) -> lancedb.table.Table:
    """A table as it was when the version of `meta` was finished."""
    table = database.open_table(name)
    table.checkout(meta.versions[name])
    return table


def read_meta(folder: Path) -> Meta:
    """The last finished version in `folder`; raises as `Index.open` does."""
    require_finished(folder)
    with reading(folder):
        rows = connect(folder).open_table("meta").to_arrow().to_pylist()
        content = rows[-1]["content"]  # in the order in which they were published
        made_by = json.loads(content)["schema"]
        if made_by == schema.SCHEMA_VERSION:
            return Meta.from_json(content)
    raise IndexIncompatible(
        f"{folder.name} has schema {made_by}, this program reads {schema.SCHEMA_VERSION}. "
        "Build it again: python -m core build CORPUS... --restart"
    )


def last_meta(folder: Path) -> Meta | None:
    """The last finished version in `folder`, or None if no build has finished there.

    Raises
    ------
    IndexIncompatible : another version of this program made it.
    StoreError : it is damaged.
    """
    try:
        return read_meta(folder)
    except IndexMissing:
        return None


def check_embedder(meta: Meta, embedder: EmbedderInfo, name: str) -> None:
    """Raise IndexIncompatible unless `embedder` made the index.

    Another precision of the same weights is no obstacle: the vectors are almost the same.
    """
    made = meta.embedder
    if made.fingerprint != embedder.fingerprint or made.dimension != embedder.dimension:
        raise IndexIncompatible(
            f"{name} was made with the embedder {made.name} ({made.dimension} dimensions), and "
            f"{embedder.name} ({embedder.dimension}) is chosen. Choose {made.name} in the "
            "settings, or build the index again with --restart."
        )
