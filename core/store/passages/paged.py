"""The passages of a large index: ids in memory, everything else read on first access."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from lancedb.expr import col, lit
from lancedb.query import FullTextOperator, MatchQuery

from core.store import schema
from core.store.derived_tables import WORDS_COLUMN
from core.store.paged_rows import PagedRows
from core.store.passages.passages import COLUMNS, PassageIds, by_title, words_first
from core.store.tables import Tables
from core.text.tokens import words
from core.types import Passage
from core.vectors import Vectors

_DOCUMENTS = 10_000  # whose passages are remembered


class PagedPassages:
    """The passages of a large index; the counterpart of `WholePassages`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        with tables.reading():
            names = PassageIds(
                tables.select("passages", ["id"])["id"].to_pylist(), self._documents_and_positions
            )
        self.ids, self.repeated_id = names.ids, names.repeated
        rows = len(self.ids)
        self.passages = PagedRows(tables, "passages", rows, [*COLUMNS, "number"], self._passage)
        self.names: PagedRows[str] = PagedRows(
            tables, "passages", rows, ["name"], lambda row: row["name"]
        )
        self.keywords: PagedRows[tuple[str, ...]] = PagedRows(
            tables, "passages", rows, ["keywords"], lambda row: tuple(row["keywords"])
        )
        self.of_documents: Mapping[str, tuple[str, ...]] = _OfDocuments(tables, self.ids)

    def _documents_and_positions(self) -> tuple[list[str], list[int]]:
        columns = self._tables.select("passages", ["document_id", "position"])
        return columns["document_id"].to_pylist(), columns["position"].to_pylist()

    def _passage(self, row: dict[str, Any]) -> Passage:
        number = row.pop("number")
        return Passage(**{**row, "id": self.ids[number]})

    @cached_property
    def vectors(self) -> Vectors:
        """The vectors of all passages, which reads all of them; use `nearest` for a search."""
        with self._tables.reading():
            return schema.vector_matrix(self._tables.select("passages", ["vector"])["vector"])

    def of_text(self, digest: str) -> str | None:
        numbers = self._tables.find("passages", "digest", [digest], ["number"])["number"]
        return self.ids[min(numbers.to_pylist())] if len(numbers) else None

    def search(self, wanted: str, limit: int) -> list[Passage]:
        """Search all titles, and the full-text index for texts that have every word."""
        titled = col("title").lower().contains(lit(wanted))
        named = self._tables.where("passages", titled, ["number"])
        titles = by_title(self.passages.take(named["number"].to_pylist()), wanted)
        asked = MatchQuery(  # type: ignore[call-arg]
            " ".join(words(wanted)), WORDS_COLUMN, operator=FullTextOperator.AND
        )
        numbers = self._tables.full_text("passages", asked, ["number"], limit)["number"].to_pylist()
        seen = {passage.id for passage in titles}
        texts = [passage for passage in self.passages.take(numbers) if passage.id not in seen]
        return words_first(titles, texts, wanted)[:limit]


class _OfDocuments(Mapping[str, tuple[str, ...]]):
    """The passage ids of each document, read on access."""

    def __init__(self, tables: Tables, ids: Sequence[str]) -> None:
        self._tables = tables
        self._ids = ids
        self._found = lru_cache(_DOCUMENTS)(self._read)

    def _read(self, document: str) -> tuple[str, ...]:
        rows = self._tables.find("passages", "document_id", [document], ["number"])
        with self._tables.reading():
            return tuple(self._ids[number] for number in sorted(rows["number"].to_pylist()))

    def __getitem__(self, document: str) -> tuple[str, ...]:
        if passages := self._found(document):
            return passages
        raise KeyError(document)

    def __iter__(self) -> Iterator[str]:
        column = self._tables.select("passages", ["document_id"])["document_id"]
        return iter(column.unique().to_pylist())

    def __len__(self) -> int:
        return sum(1 for _ in self)
