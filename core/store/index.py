"""One index, open for reading: a LanceDB database at a place, at its last finished version."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from lancedb.expr import col
from lancedb.query import FullTextQuery

from core.places import Place, place_of
from core.store import schema
from core.store.adjacency import Numbers
from core.store.derived_tables import ADJACENCY, MISSED, PASSAGE_KEYWORDS
from core.store.graph.in_memory import WholeGraph
from core.store.graph.paged import PagedGraph, shared
from core.store.graph.stored_graph import StoredGraph
from core.store.metadata import Meta
from core.store.passages.documents import Documents
from core.store.passages.paged import PagedPassages
from core.store.passages.passages import Many, Passages, WholePassages, is_large
from core.store.tables import Tables, check_embedder, read_meta
from core.store.vector_search import Found, nearest
from core.text.display.passage_labels import shown_names
from core.types import EmbedderInfo, Passage, Query
from core.vectors import Vectors


class Index:
    """One published version of an index. Immutable; use `Index.open`.

    Attributes
    ----------
    passages, ids : the passages and their ids, in order of vertex number.
    number : vertex number of each passage id.
    large : whether rows are read on first access; only ids and adjacency are in memory.
    """

    def __init__(self, tables: Tables) -> None:
        self.path = tables.path
        self.meta = tables.meta
        self.tables = tables
        self.large = is_large(self.meta.counts.vertices) and ADJACENCY in self.meta.versions
        made: Passages = PagedPassages(tables) if self.large else WholePassages(tables)
        self._made = made
        self.passages = made.passages
        self.ids = made.ids
        self.number: dict[str, int] = {name: i for i, name in enumerate(made.ids)}
        self._shown: dict[str, str] = {}

    @staticmethod
    def open(
        path: str | Place, embedder: EmbedderInfo | None = None, meta: Meta | None = None
    ) -> "Index":
        """Open the last published version of an index.

        Parameters
        ----------
        path : a folder, or a URI of object storage.
        embedder : the embedder for questions; it has to be the one that built the index.
        meta : metadata of an earlier version, to open that one.

        Raises
        ------
        IndexMissing : the place does not exist, or no build there has finished.
        IndexIncompatible : another embedder or version of this program built it.
        StoreError : it is damaged.
        """
        folder = place_of(path)
        meta = meta or read_meta(folder)
        if embedder is not None:
            check_embedder(meta, embedder, folder.name)
        return Index(Tables(folder, meta))

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def repeated_id(self) -> str | None:
        """An id that two passages have in the table, or None.

        Earlier versions allowed this. In `ids` every passage has a distinct id; edges lead to the
        passage that kept the id.
        """
        return self._made.repeated_id

    @cached_property
    def graph(self) -> StoredGraph:
        """The pseudo-questions and edges."""
        made = PagedGraph if self.large else WholeGraph
        return made(self.tables, self.number, self._called)

    def _called(self, passage_id: str) -> str:
        return self.names[self.number[passage_id]] if passage_id in self.number else ""

    def passage(self, passage_id: str) -> Passage:
        return self.passages[self.number[passage_id]]

    def titled(self, passage_id: str) -> Passage:
        """Return a passage whose title is replaced by its display name."""
        return replace(self.passage(passage_id), title=self.shown([passage_id])[passage_id])

    def shown(self, passage_ids: Iterable[str]) -> dict[str, str]:
        """Return the display names of passages by id (`core.text.display.passage_labels`).

        A name is unique within its document.
        """
        wanted = dict.fromkeys(passage_ids)
        met = {one for one in wanted if one not in self._shown}
        known = self.passages.take(self.number[one] for one in met)
        documents = dict.fromkeys(each.document_id for each in known)
        parts = (part for one in documents for part in self.document_passages.get(one, ()))
        beside = self.passages.take(self.number[part] for part in parts if part not in met)
        self._shown |= shown_names([*known, *beside])
        return {one: self._shown[one] for one in wanted}

    def holds(self, name: str) -> bool:
        """Check whether a passage or document has the id `name`."""
        return name in self.number or name in self.document_passages

    @property
    def vectors(self) -> Vectors:
        """Vectors of all passages, (n, d). A large index reads them on the first call."""
        return self._made.vectors

    def nearest(self, vector: Vectors, count: int) -> Found:
        """Return numbers and cosines of the `count` passages nearest to `vector`, best first."""
        with self.tables.reading():
            return nearest(self.tables.table("passages"), vector, count)

    @cached_property
    def missed(self) -> dict[str, float]:
        """The share of the 20 nearest rows that approximate search misses, by table.

        Tables that are not listed are searched exactly.
        """
        if not self.large:
            return {}
        return dict(self.tables.rows(MISSED, lambda row: (row["name"], row["share"])))

    def with_keywords(self, keywords: Sequence[str]) -> tuple[Numbers, Numbers, Numbers]:
        """Find the passages of a large index that have any of `keywords`, which are distinct.

        Returns
        -------
        Passage numbers, ascending; number of shared keywords; number of all their keywords.
        """
        return shared(self.tables, PASSAGE_KEYWORDS, keywords)

    @property
    def names(self) -> Many[str]:
        """The name of each passage (`core.text.entities.passage_names`), by vertex number."""
        return self._made.names

    @property
    def passage_keywords(self) -> Many[tuple[str, ...]]:
        """The keywords of title and text of each passage, by vertex number."""
        return self._made.keywords

    @cached_property
    def catalogue(self) -> Documents:
        """The catalogue of documents, for lookup and search."""
        return Documents(self.tables, large=self.large)

    @property
    def documents(self) -> Many[schema.StoredDocument]:
        return self.catalogue.all

    @property
    def document_passages(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the passages of each document, in order."""
        return self._made.of_documents

    def passage_of_text(self, digest: str) -> str | None:
        """Return the id of the first passage whose text has this `core.text.clean.text_digest`."""
        return self._made.of_text(digest)

    @cached_property
    def questions(self) -> tuple[Query, ...]:
        """The question set that was uploaded with the corpus."""
        return tuple(self.tables.rows("questions", schema.to_question))

    def question(self, text: str) -> Query | None:
        """Return the first question with this text, ignoring differences in white space."""
        return self._questions_by_text.get(" ".join(text.split()))

    @cached_property
    def _questions_by_text(self) -> dict[str, Query]:
        """The first question with each text, white space normalised."""
        by_text: dict[str, Query] = {}
        for question in self.questions:
            by_text.setdefault(" ".join(question.text.split()), question)
        return by_text

    def search(self, text: str, limit: int = 20) -> list[Passage]:
        """Find passages whose title or text contains `text`, ignoring case.

        Whole words come first, then beginnings of words, then parts of words; within each group,
        titles come before texts.
        """
        wanted = text.casefold().strip()
        return self._made.search(wanted, limit) if wanted else []

    def full_text(self, query: FullTextQuery, limit: int, among: Numbers | None = None) -> Found:
        """Return numbers and scores of passages from the full-text index, best first.

        Parameters
        ----------
        among : the numbers of the passages to search; all if omitted.
        """
        holds = None if among is None else col("number").isin(among.tolist())
        matches = self.tables.full_text("passages", query, ["number"], limit, holds)
        return matches["number"].to_numpy().astype(np.int64), matches["_score"].to_numpy().astype(
            float
        )
