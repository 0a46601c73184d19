"""BM25 over title and text (Robertson and Zaragoza, 2009)."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from core.artefacts.lexical import LEXICAL
from core.artefacts.scored import shortlist
from core.artefacts.workbench import Workbench
from core.retrievers.base import KEPT, TOP_K, Card, ranked_among
from core.retrievers.first_step import first_step
from core.steps import Step


@dataclass(frozen=True, slots=True)
class Bm25:
    """Passages by BM25 score; the addends of a hit are the words of the question it holds."""

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT

    card = Card(
        key="bm25",
        title="BM25",
        badge="BM",
        family="lexical",
        summary="Counts shared words, rare ones more.",
        paper="Robertson and Zaragoza 2009",
        needs=(LEXICAL,),
        parts={"words": ("a", "shared words, by BM25")},
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        yield first_step(self, query)  # it needs no embedding
        started = time.perf_counter()
        lexical, index = self.workbench.get(LEXICAL), self.workbench.index
        listed = shortlist({"words": lexical.scored(query)}, self.top_k)
        ranked = ranked_among(index, listed, self.top_k, started, lexical.engine)
        found = [hit for hit in ranked.hits if hit.score > 0]
        parts = lexical.parts(query, [index.number[hit.passage_id] for hit in found])
        explained = (
            replace(hit, parts=each) if each else hit
            for hit, each in zip(found, parts, strict=True)
        )
        yield replace(ranked, hits=tuple(explained))
