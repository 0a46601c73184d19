"""Two artefacts to try the shelf with: the sentences of a corpus, and who stands in how many."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from core.artefacts.base import Artefact, Bench, Tables
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.making import embed_texts
from core.artefacts.workbench import Workbench
from core.models.embedder import Embedder
from core.progress import Progress, Report
from core.store.index import Index
from core.store.schema import vector_matrix, vectors_table
from core.text.sentences import sentences
from core.vectors import Vectors
from tests.core.five import silent


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    texts: tuple[str, ...]
    vectors: Vectors


@dataclass
class Demonstration:
    """The artefacts, and how often each was made and opened."""

    made: Counter[str] = field(default_factory=Counter)
    opened: Counter[str] = field(default_factory=Counter)
    longest: int = 1000

    def __post_init__(self) -> None:
        self.sentences = Artefact(
            "sentences",
            "Every sentence with its vector.",
            open=self._open_sentences,
            make=self._make_sentences,
            params={"longest": self.longest},
        )
        self.bearers = Artefact(
            "name-counts",
            "In how many sentences a name stands.",
            open=self._open_counts,
            make=self._make_counts,
            needs=(KEYWORDS, self.sentences),
        )

    def _make_sentences(self, bench: Bench, report: Report) -> Tables:
        self.made["sentences"] += 1
        found = (s for p in bench.index.passages for s in sentences(p.text))
        texts = [text for text in dict.fromkeys(found) if len(text) <= self.longest]
        vectors = embed_texts(bench, texts, report, "sentences")
        return {"sentences": vectors_table(texts, vectors)}

    def _open_sentences(self, bench: Bench, tables: Tables) -> Sentences:
        self.opened["sentences"] += 1
        table = tables["sentences"]
        return Sentences(tuple(table["text"].to_pylist()), vector_matrix(table["vector"]))

    def _make_counts(self, bench: Bench, report: Report) -> Tables:
        self.made["name-counts"] += 1
        texts = bench.get(self.sentences).texts
        found = Counter(name for text in texts for name in bench.get(KEYWORDS).of(text))
        report(Progress("name-counts", len(texts), len(texts)))
        counts = pa.array(found.values(), pa.int64())
        return {"counts": pa.table({"name": pa.array(found, pa.string()), "count": counts})}

    def _open_counts(self, bench: Bench, tables: Tables) -> dict[str, int]:
        self.opened["name-counts"] += 1
        rows = tables["counts"].to_pylist()
        return {row["name"]: row["count"] for row in rows}


def bench_on(folder: Path, embedder: Embedder, making: Report | None = silent) -> Workbench:
    return Workbench(Index.open(folder, embedder.info), embedder, making=making)
