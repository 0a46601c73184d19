"""The passages of an index, in the order of their vertex numbers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Protocol, TypeAlias, TypeVar

from core.corpus.ids.passage_ids import unique_ids
from core.settings import settings
from core.store import schema
from core.store.paged_rows import PagedRows
from core.store.tables import Tables
from core.text.clean import text_digest
from core.text.occurrences import best_place
from core.types import Passage
from core.vectors import Vectors

T = TypeVar("T")
COLUMNS = ("id", "document_id", "position", "title", "text")
"""Of the table, those that make a passage."""


def is_large(passages: int) -> bool:
    """Check whether an index with so many passages reads rows on access, not all at once."""
    return passages >= settings().large_from


class Whole(tuple[T, ...]):
    """A sequence with one value per passage, in memory."""

    __slots__ = ()

    def take(self, numbers: Iterable[int]) -> list[T]:
        """Return the values of the passages with these numbers, in this order."""
        return [self[number] for number in numbers]


Many: TypeAlias = Whole[T] | PagedRows[T]
"""One value per passage, in order of vertex numbers; `take` reads many at once."""


class Passages(Protocol):
    """The passages of an index; attributes are read on first access.

    `ids`, `passages`, `names`, `keywords` and `vectors` have a value per passage. `ids` are
    distinct; `repeated_id` is an id that two passages have in the table, or None. `of_documents`
    maps each document to the ids of its passages, in order.
    """

    @property
    def ids(self) -> Sequence[str]: ...
    @property
    def repeated_id(self) -> str | None: ...
    @property
    def passages(self) -> Many[Passage]: ...
    @property
    def names(self) -> Many[str]: ...
    @property
    def keywords(self) -> Many[tuple[str, ...]]: ...
    @property
    def vectors(self) -> Vectors: ...
    @property
    def of_documents(self) -> Mapping[str, tuple[str, ...]]: ...
    def of_text(self, digest: str) -> str | None: ...
    def search(self, wanted: str, limit: int) -> list[Passage]: ...


class PassageIds:
    """The ids of the passages of a table.

    Parameters
    ----------
    stored : the ids in the table; an index of an earlier version may repeat some.
    parts : returns document ids and positions of all passages.

    Attributes
    ----------
    ids : distinct ids, in the same order.
    renamed : the ids that are not in the table, by passage number.
    repeated : an id that two passages have in the table; None if there is none.
    """

    def __init__(
        self, stored: Sequence[str], parts: Callable[[], tuple[Sequence[str], Sequence[int]]]
    ) -> None:
        self.ids = tuple(stored)
        self.renamed: dict[int, str] = {}
        self.repeated: str | None = None
        if len(set(stored)) < len(stored):
            self.renamed = unique_ids(stored, *parts())
            self.repeated = stored[min(self.renamed)]
            self.ids = tuple(self.renamed.get(n, name) for n, name in enumerate(stored))


class WholePassages:
    """The passages of a small index, in memory."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._table = table = tables.read("passages")
        with tables.reading():
            stored, *columns = (table[name].to_pylist() for name in COLUMNS)
            names = PassageIds(stored, lambda: (columns[0], columns[1]))
            self.passages = Whole(map(Passage, names.ids, *columns))
            self.vectors = schema.vector_matrix(table["vector"])
        self.ids, self.repeated_id = names.ids, names.repeated

    @cached_property
    def names(self) -> Whole[str]:
        with self._tables.reading():
            return Whole(self._table["name"].to_pylist())

    @cached_property
    def keywords(self) -> Whole[tuple[str, ...]]:
        with self._tables.reading():
            return Whole(map(tuple, self._table["keywords"].to_pylist()))

    @cached_property
    def of_documents(self) -> dict[str, tuple[str, ...]]:
        """The ids of the passages of each document, in order, by document id."""
        ids_of: dict[str, list[str]] = {}
        for passage in self.passages:
            ids_of.setdefault(passage.document_id, []).append(passage.id)
        return {document: tuple(ids) for document, ids in ids_of.items()}

    def of_text(self, digest: str) -> str | None:
        return self._by_text.get(digest)

    @cached_property
    def _by_text(self) -> dict[str, str]:
        return {text_digest(passage.text): passage.id for passage in reversed(self.passages)}

    def search(self, wanted: str, limit: int) -> list[Passage]:
        """Find passages with `wanted` (case-folded) in the title or text, best first."""
        titles = by_title((p for p in self.passages if wanted in p.title.casefold()), wanted)
        seen = {p.id for p in titles}
        texts = (p for p in self.passages if p.id not in seen and wanted in p.text.casefold())
        return words_first(titles, texts, wanted)[:limit]


def by_title(held: Iterable[Passage], wanted: str) -> list[Passage]:
    """Sort passages: titles equal to `wanted` first, then by length of the title."""
    return sorted(held, key=lambda p: (p.title.casefold() != wanted, len(p.title), p.title, p.id))


def words_first(titles: Iterable[Passage], texts: Iterable[Passage], wanted: str) -> list[Passage]:
    """Rank passages that contain `wanted`: whole words, then word beginnings, then parts of words.

    Within each group, `titles` come before `texts`.
    """
    held = [(best_place(p.title.casefold(), wanted)[0], False, p) for p in titles]
    held += [(best_place(p.text.casefold(), wanted)[0], True, p) for p in texts]
    return [p for *_, p in sorted(held, key=lambda one: one[:2])]
