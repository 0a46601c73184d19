"""The documents of an index: in memory, or read on first access if the index is large."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields

from lancedb.expr import col, lit

from core.store import schema
from core.store.paged_rows import PagedRows
from core.store.passages.passages import Many, Whole
from core.store.schema import StoredDocument
from core.store.tables import Tables

_NAME = "documents"
_COLUMNS = [field.name for field in fields(StoredDocument)]
_SEARCHED = ("title", "id", "source")


class Documents:
    """The documents in upload order; `large` says whether they are read in parts."""

    def __init__(self, tables: Tables, *, large: bool) -> None:
        self._tables = tables
        self.all: Many[StoredDocument] = (
            PagedRows(tables, _NAME, tables.meta.counts.documents, _COLUMNS, schema.to_document)
            if large
            else Whole(tables.rows(_NAME, schema.to_document))
        )

    def matching(self, text: str) -> Sequence[int]:
        """Return the numbers of documents whose title, id or source contains `text`, any case."""
        wanted = text.casefold().strip()
        if not wanted:
            return range(len(self.all))
        if isinstance(self.all, Whole):
            return [number for number, each in enumerate(self.all) if wanted in _searched(each)]
        first, *others = (col(name).lower().contains(lit(wanted)) for name in _SEARCHED)
        for other in others:
            first = first | other
        return sorted(self._tables.where(_NAME, first, ["number"])["number"].to_pylist())

    def of(self, ids: Sequence[str]) -> list[StoredDocument]:
        """Return the documents with these ids, without ids that do not exist."""
        if isinstance(self.all, Whole):
            wanted = set(ids)
            return [each for each in self.all if each.id in wanted]
        with self._tables.reading():
            rows = self._tables.find(_NAME, "id", ids, _COLUMNS).to_pylist()
            return [schema.to_document(row) for row in rows]

    def passages(self, ids: Sequence[str]) -> Counter[str]:
        """Return the number of passages of each of these documents."""
        rows = self._tables.find("passages", "document_id", ids, ["document_id"])
        return Counter(rows["document_id"].to_pylist())


def _searched(document: StoredDocument) -> str:
    return "\n".join(getattr(document, name) for name in _SEARCHED).casefold()
