"""Dense retrieval: cosine of question and passage (Karpukhin et al., 2020)."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.scoring.nearest_passages import search_engine
from core.artefacts.scoring.scores import shortlist
from core.artefacts.workbench import Workbench
from core.retrievers.base import KEPT, TOP_K, Card, ranked_among
from core.retrievers.first_step import first_step_and_query
from core.steps import Step


@dataclass(frozen=True, slots=True)
class Dense:
    """Passages by the cosine of query and passage (title and text), over all passages."""

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT

    card = Card(
        key="dense",
        title="Dense",
        badge="DE",
        family="dense",
        summary="Ranks passages by similarity in meaning, using embeddings.",
        paper="Karpukhin et al. 2020",
        needs=(KEYWORDS,),
        parts={"dense": ("b", "embedding similarity (cosine)")},
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the ranking of all passages by cosine."""
        asked, encoded = first_step_and_query(self, query)
        yield asked
        started = time.perf_counter()
        bench = self.workbench
        listing = shortlist({"dense": bench.near(encoded.vector)}, self.top_k)
        yield ranked_among(bench.index, listing, self.top_k, started, search_engine(bench.index))
