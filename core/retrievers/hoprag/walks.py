"""HopRAG (arXiv 2502.12442): a walk over the graph of pseudo-queries, without a model.

`hoprag-similarity` is the paper's Algorithm 1 with the most similar edge as the choice, its row
without an LLM. `hoprag-coverage` is ours.
"""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from core.artefacts.workbench import Workbench
from core.retrievers.base import Card
from core.retrievers.hoprag.coverage import WORTH, Asking, CoveragePolicy, Worth
from core.retrievers.hoprag.similarity import SimilarityPolicy
from core.retrievers.hoprag.walking import Entry, Relevance, entries, passage_entries, seeded, walk
from core.steps import Step


@dataclass(frozen=True, slots=True)
class HopRagSimilarity:
    """Algorithm 1, choosing the edge most similar to the question, ranked by Helpfulness (Eq. 2).

    Parameters
    ----------
    top_k : passages kept, and seeds that start the queue (20 in the paper).
    n_hop : rounds over the queue (4 in the paper).
    entry : `edge` takes the ends of the most similar edges as seeds, until `top_k` different
        ones are found (line 3); `node` the most similar passages; `hybrid` the best by `hybrid`.
    """

    workbench: Workbench
    top_k: int = 20
    n_hop: int = 4
    entry: Entry = "edge"

    card = Card(
        key="hoprag-similarity",
        title="HopRAG, similarity",
        letter="S",
        colour="#0072B2",
        summary="The paper's walk: at each passage the edge most similar to the question.",
        paper="arXiv 2502.12442, Algorithm 1",
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        asked, encoded = self.workbench.asked(self.card.key, query, self.top_k)
        settings = {"n_hop": self.n_hop, "entry": self.entry, "chooser": "similarity"}
        yield replace(asked, settings=settings, weight_of_visits=0.5)
        started = time.perf_counter()
        relevance = Relevance(self.workbench, encoded)
        policy = SimilarityPolicy(self.workbench.graph, relevance.edges, relevance.passages)
        offers = entries(relevance, self.entry, self.top_k)
        seeds = tuple(policy.visit(o.target, o.tie) for o in offers)
        start = seeded(self.workbench, self.entry, seeds, offers, started)
        yield from walk(policy, start, self.n_hop, self.top_k, 0.5, started)


@dataclass(frozen=True, slots=True)
class HopRagCoverage:
    """A walk that follows what the question asks and the path does not yet cover.

    In both directions of the edges; see `CoveragePolicy`. A passage's score is its entry score,
    that is the hybrid score and `named` for what the question calls by its name, plus the best
    evidence of an edge that reached it.

    Parameters
    ----------
    width : edges followed from one vertex at most.
    named : added to the entry score of a passage that bears a name in the question; of several
        with that name the r-th best by the hybrid gets 1/r of it.
    worth : what an edge is worth.
    """

    workbench: Workbench
    top_k: int = 20
    n_hop: int = 4
    entry: Entry = "hybrid"
    width: int = 6
    named: float = 1.0
    worth: Worth = WORTH

    card = Card(
        key="hoprag-coverage",
        title="HopRAG, coverage",
        letter="C",
        colour="#D55E00",
        summary="Follows the edges that bring what the question asks and the path has not.",
        paper="ours, on the graph of arXiv 2502.12442",
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        asked, encoded = self.workbench.asked(self.card.key, query, self.top_k)
        settings = {
            "n_hop": self.n_hop,
            "entry": self.entry,
            "chooser": "coverage",
            "width": self.width,
            "named": self.named,
            **asdict(self.worth),
        }
        yield replace(asked, settings=settings)
        started = time.perf_counter()
        relevance = Relevance(self.workbench, encoded)
        entry = {**relevance.hybrid, "named": self.named * relevance.named}
        lexicon = self.workbench.lexicon
        weights = lexicon.weights(query)
        policy = CoveragePolicy(
            self.workbench.graph,
            Asking(entry, weights, lexicon.holds(weights), encoded.vector),
            top_k=self.top_k,
            width=self.width,
            worth=self.worth,
        )
        offers = (
            passage_entries(self.workbench.index, self.top_k, entry)
            if self.entry == "hybrid"
            else entries(relevance, self.entry, self.top_k)
        )
        seeds = tuple(replace(policy.enter(o.target), tie=o.tie) for o in offers)
        start = seeded(self.workbench, self.entry, seeds, offers, started)
        yield from walk(policy, start, self.n_hop, self.top_k, 0.0, started)
