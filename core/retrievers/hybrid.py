"""BM25 and dense in one score: each scaled to [0, 1], with equal weights."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from core.artefacts.hop_graph import EncodedQuery
from core.artefacts.lexical import LEXICAL
from core.artefacts.words import KEYWORDS
from core.artefacts.workbench import Workbench
from core.ranking import Scores, min_max
from core.retrievers.base import KEPT, TOP_K, Card, Tone, ranked_by
from core.steps import Step

HALVES: dict[str, tuple[Tone, str]] = {
    "lexical": ("a", "shared words, by BM25"),
    "dense": ("b", "likeness of the embeddings, by their cosine"),
}
"""Tone and meaning of the two halves of a hybrid score."""


def hybrid_addends(workbench: Workbench, query: EncodedQuery) -> tuple[Scores, Scores]:
    """Lexical and dense halves of the hybrid score of every passage, each in [0, 1/2]."""
    cosine = (workbench.index.vectors @ query.vector).astype(np.float64)
    return min_max(workbench.get(LEXICAL).scores(query.text)) / 2, min_max(cosine) / 2


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Passages by (minmax(BM25) + minmax(cosine)) / 2, scaled over all passages."""

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT

    card = Card(
        key="hybrid",
        title="Hybrid",
        badge="HY",
        family="hybrid",
        summary="BM25 and dense, each scaled to [0, 1], half and half.",
        paper="min-max fusion",
        needs=(LEXICAL, KEYWORDS),
        parts=HALVES,
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        asked, encoded = self.workbench.asked(self.card.key, query, self.top_k)
        yield asked
        started = time.perf_counter()
        lexical, dense = hybrid_addends(self.workbench, encoded)
        engine = self.workbench.get(LEXICAL).engine
        index = self.workbench.index
        yield ranked_by(index, self.top_k, started, engine, lexical=lexical, dense=dense)
