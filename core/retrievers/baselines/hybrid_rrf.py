"""Reciprocal rank fusion of BM25 and dense (Cormack et al., 2009)."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from core.artefacts.lexical.bm25 import LEXICAL
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.scoring.scores import LISTED, AllScored, Scored, shortlist
from core.artefacts.workbench import Workbench
from core.ranking import reciprocal_ranks
from core.retrievers.base import KEPT, TOP_K, Card, ranked_among
from core.retrievers.baselines.hybrid import HALVES, both_engines
from core.retrievers.first_step import first_step_and_query
from core.retrievers.settings import Setting
from core.steps import Step
from core.store.adjacency import Numbers


@dataclass(frozen=True, slots=True)
class HybridRrf:
    """Passages by 1/(k0 + BM25 rank) + 1/(k0 + dense rank), over all passages.

    A passage that shares no word with the query has no BM25 rank and gets 0 for it. In a large
    index, each of the two retrievers ranks only its first thousand passages.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    k0: Annotated[
        int, Setting("rank constant; higher values reduce the advantage of top ranks", least=0)
    ] = 60

    card = Card(
        key="hybrid-rrf",
        title="Hybrid RRF",
        badge="RF",
        family="hybrid",
        place=1,
        summary="Sums the reciprocal ranks from BM25 and dense retrieval.",
        paper="Cormack et al. 2009",
        needs=(LEXICAL, KEYWORDS),
        parts=HALVES,
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the ranking by the sum of both reciprocal ranks."""
        asked, encoded = first_step_and_query(self, query)
        yield asked
        started = time.perf_counter()
        bench = self.workbench
        lexical, near = bench.get(LEXICAL).scored(query), bench.near(encoded.vector)
        sharing = lexical.first(LISTED).numbers
        parts = {
            "lexical": self._reciprocal_ranks(lexical, sharing[lexical.matched(sharing)]),
            "dense": self._reciprocal_ranks(near, near.first(LISTED).numbers),
        }
        listing = shortlist(parts, self.top_k)
        yield ranked_among(bench.index, listing, self.top_k, started, both_engines(bench))

    def _reciprocal_ranks(self, scored: Scored, numbers: Numbers) -> Scored:
        """Return 1/(k0 + rank) of each passage in `numbers`, and 0 of the others."""
        given = np.zeros(len(self.workbench.index.ids))
        given[numbers] = reciprocal_ranks(scored.of(numbers), self.k0)
        return AllScored(given, numbers)
