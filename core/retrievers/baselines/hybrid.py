"""BM25 and dense in one score: each scaled to [0, 1], with equal weights.

BM25 is scaled from 0, its least possible score, as by Bruch et al. (2023, arXiv 2210.11934): a
passage that shares a word with the query always gets more for it than one that shares none.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from core.artefacts.hop_graph import EncodedQuery
from core.artefacts.lexical.bm25 import LEXICAL
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.scoring.nearest_passages import search_engine
from core.artefacts.scoring.scores import Scored, half_scores, shortlist
from core.artefacts.workbench import Workbench
from core.retrievers.base import KEPT, TOP_K, Card, Tone, ranked_among
from core.retrievers.first_step import first_step_and_query
from core.steps import Step

HALVES: dict[str, tuple[Tone, str]] = {
    "lexical": ("a", "keyword match (BM25)"),
    "dense": ("b", "embedding similarity (cosine)"),
}
"""Tone and meaning of the two halves of a hybrid score."""


def hybrid_addends(workbench: Workbench, query: EncodedQuery) -> dict[str, Scored]:
    """Return the lexical and dense halves of each passage's score, each in [0, 1/2]."""
    lexical = workbench.get(LEXICAL).scored(query.text)
    return {
        "lexical": half_scores(lexical, least=0.0),
        "dense": half_scores(workbench.near(query.vector)),
    }


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Passages by (BM25 / max(BM25) + minmax(cosine)) / 2, scaled over all passages."""

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT

    card = Card(
        key="hybrid",
        title="Hybrid",
        badge="HY",
        family="hybrid",
        summary="Mean of the BM25 and dense scores, each scaled to [0, 1].",
        paper="min-max fusion",
        needs=(LEXICAL, KEYWORDS),
        parts=HALVES,
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the ranking of all passages by the sum of both halves."""
        asked, encoded = first_step_and_query(self, query)
        yield asked
        started = time.perf_counter()
        bench = self.workbench
        listing = shortlist(hybrid_addends(bench, encoded), self.top_k)
        yield ranked_among(bench.index, listing, self.top_k, started, both_engines(bench))


def both_engines(workbench: Workbench) -> str:
    """Name the engines of the lexical search and of an approximate vector search."""
    engines = (workbench.get(LEXICAL).engine, search_engine(workbench.index))
    return ", ".join(filter(None, engines))
