"""Reciprocal rank fusion of BM25 and dense (Cormack et al., 2009)."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from core.artefacts.lexical import LEXICAL
from core.artefacts.scored import Scored, listed
from core.artefacts.words import KEYWORDS
from core.artefacts.workbench import Workbench
from core.ranking import Scores, reciprocal_ranks
from core.retrievers.base import KEPT, TOP_K, Card, ranked_by
from core.retrievers.hybrid import HALVES
from core.retrievers.settings import Setting
from core.steps import Step
from core.store.adjacency import Numbers


@dataclass(frozen=True, slots=True)
class HybridRrf:
    """Passages by 1/(k0 + BM25 rank) + 1/(k0 + dense rank), over all passages.

    A passage without a word of the question has no BM25 rank and gets nothing for it.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    k0: Annotated[int, Setting("the higher, the less the first ranks stand out", least=0)] = 60

    card = Card(
        key="hybrid-rrf",
        title="Hybrid RRF",
        badge="RF",
        family="hybrid",
        place=1,
        summary="Adds the reciprocal ranks of BM25 and dense.",
        paper="Cormack et al. 2009",
        needs=(LEXICAL, KEYWORDS),
        parts=HALVES,
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        asked, encoded = self.workbench.asked(self.card.key, query, self.top_k)
        yield asked
        started = time.perf_counter()
        lexical = self.workbench.get(LEXICAL).scored(query)
        near = self.workbench.near(encoded.vector)
        among = listed((lexical, near))
        yield ranked_by(
            self.workbench.index,
            self.top_k,
            started,
            self.workbench.get(LEXICAL).engine,
            among,
            lexical=np.where(lexical.of(among) > 0, self._of_ranks(lexical, among), 0.0),
            dense=self._of_ranks(near, among),
        )

    def _of_ranks(self, scored: Scored, among: Numbers) -> Scores:
        """1/(k0 + rank) of each that `scored` lists, and nothing of the others of `among`."""
        own = scored.listed
        found = np.zeros(len(among))
        found[np.searchsorted(among, own)] = reciprocal_ranks(scored.of(own), self.k0)
        return found
