"""One index, open for reading: a LanceDB database in a folder, at its last finished version."""

from functools import cached_property
from pathlib import Path

from lancedb.query import FullTextQuery

from core.errors import IndexMissing
from core.store import schema
from core.store.edges import StoredGraph
from core.store.rows import Whole, is_large
from core.store.tables import Tables, check_embedder, read_meta
from core.text.clean import text_digest
from core.types import EmbedderInfo, Passage, Query
from core.vectors import Vectors


def check_folder(path: str | Path) -> Path:
    """`path` as a folder of this machine; another URI is refused."""
    text = str(path)
    if "://" in text:
        raise IndexMissing(f"An index is a folder on this machine, for now; {text!r} is not one.")
    try:
        folder = Path(text).expanduser()
        folder.is_dir()
    except (OSError, RuntimeError, ValueError) as error:  # far too long, closed, nobody's home
        raise IndexMissing(f"{text[:60]!r} cannot be a folder on this machine.") from error
    return folder


class Index:
    """Everything that a build left behind. Immutable: a later build makes another version.

    Use `Index.open`. `passages`, and their `ids`, are in the order of vertex numbers; `number` has
    that of each id.
    """

    def __init__(self, tables: Tables) -> None:
        self.path = tables.path
        self.meta = tables.meta
        self.tables = tables
        table = tables.read("passages")
        self._passage_table = table
        names = ("id", "document_id", "position", "title", "text")
        columns = (table[name].to_pylist() for name in names)
        self.passages: Whole[Passage] = Whole(map(Passage, *columns))
        self.ids: tuple[str, ...] = tuple(p.id for p in self.passages)
        self.number: dict[str, int] = {name: i for i, name in enumerate(self.ids)}
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
        return Index(Tables(folder, meta))

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def large(self) -> bool:
        """Whether it has so many passages that only what is touched of them is read."""
        return is_large(self.meta.counts.vertices)

    @cached_property
    def graph(self) -> StoredGraph:
        """Its pseudo-queries and edges."""
        return StoredGraph(self.tables, self.number)

    def passage(self, passage_id: str) -> Passage:
        return self.passages[self.number[passage_id]]

    @cached_property
    def names(self) -> Whole[str]:
        """What each passage is called (`core.text.names`), in order of vertex numbers."""
        return Whole(self._passage_table["name"].to_pylist())

    @cached_property
    def passage_keywords(self) -> Whole[tuple[str, ...]]:
        """NER of title and text of each passage, in order of vertex numbers."""
        return Whole(tuple(words) for words in self._passage_table["keywords"].to_pylist())

    @cached_property
    def documents(self) -> tuple[schema.StoredDocument, ...]:
        rows = self.tables.read("documents").to_pylist()
        return tuple(schema.to_document(row) for row in rows)

    @cached_property
    def document_passages(self) -> dict[str, tuple[str, ...]]:
        """Ids of the passages of each document, in order."""
        found: dict[str, list[str]] = {}
        for passage in self.passages:
            found.setdefault(passage.document_id, []).append(passage.id)
        return {document: tuple(ids) for document, ids in found.items()}

    def passage_of_text(self, digest: str) -> str | None:
        """The id of the first passage whose text has that `core.text.clean.text_digest`."""
        return self._passages_by_text.get(digest)

    @cached_property
    def _passages_by_text(self) -> dict[str, str]:
        return {text_digest(passage.text): passage.id for passage in reversed(self.passages)}

    @cached_property
    def questions(self) -> tuple[Query, ...]:
        """The questions that came with the corpus."""
        return tuple(schema.to_question(row) for row in self.tables.read("questions").to_pylist())

    def question(self, text: str) -> Query | None:
        """The question of that text, whatever white space is between its words; the first one."""
        return self._questions_by_text.get(" ".join(text.split()))

    @cached_property
    def _questions_by_text(self) -> dict[str, Query]:
        found: dict[str, Query] = {}
        for question in self.questions:
            found.setdefault(" ".join(question.text.split()), question)
        return found

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
        with self.tables.reading():
            asked = self.tables.table("passages").search(query).select(["id", "_score"])
            found = asked.limit(limit).to_arrow()
        return list(zip(found["id"].to_pylist(), found["_score"].to_pylist(), strict=True))
