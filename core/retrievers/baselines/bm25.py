"""BM25 over title and text (Robertson and Zaragoza, 2009)."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from core.artefacts.lexical.bm25 import LEXICAL
from core.artefacts.scoring.scores import shortlist
from core.artefacts.workbench import Workbench
from core.retrievers.base import KEPT, TOP_K, Card, ranked_among
from core.retrievers.first_step import first_step
from core.steps import Step

_FEW = 10  # times the passages kept are enough to list: nothing is added to this score


@dataclass(frozen=True, slots=True)
class Bm25:
    """Passages by BM25 score, with one addend for each query word in the passage."""

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT

    card = Card(
        key="bm25",
        title="BM25",
        badge="BM",
        family="lexical",
        summary="Ranks passages by shared words; rare words count more.",
        paper="Robertson and Zaragoza 2009",
        needs=(LEXICAL,),
        parts={"words": ("a", "keyword match (BM25)")},
        words_only=True,
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the ranking by BM25, each hit with the share of each matched query word."""
        yield first_step(self, query)  # it needs no embedding
        started = time.perf_counter()
        lexical, index = self.workbench.get(LEXICAL), self.workbench.index
        scored = lexical.scored(query)
        listed = shortlist({"words": scored}, self.top_k, few=_FEW * self.top_k)
        ranked = ranked_among(index, listed, self.top_k, started, lexical.engine)
        numbers = np.array([index.number[hit.passage_id] for hit in ranked.hits], np.int64)
        matched = scored.matched(numbers)
        hits = [hit for hit, shares in zip(ranked.hits, matched, strict=True) if shares]
        parts = lexical.parts(query, numbers[matched].tolist())
        explained = (
            replace(hit, parts=each) if each else hit for hit, each in zip(hits, parts, strict=True)
        )
        yield replace(ranked, hits=tuple(explained))
