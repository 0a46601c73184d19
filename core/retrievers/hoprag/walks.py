"""HopRAG (arXiv 2502.12442): a walk over the graph of pseudo-queries, without a model.

`hoprag-similarity` is the paper's Algorithm 1 with the most similar edge as the choice, its row
without an LLM. `hoprag-coverage` is ours.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from core.artefacts.hop_graph import GRAPH, RAISED
from core.artefacts.lexical.keywords import BEARERS
from core.artefacts.lexical.postings import LEXICON
from core.artefacts.scoring.scores import shortlist
from core.artefacts.workbench import Workbench
from core.retrievers.base import KEPT, TOP_K, Card, Helpfulness
from core.retrievers.first_step import first_step_and_query
from core.retrievers.hoprag.coverage import WORTH, Asking, CoveragePolicy, Worth
from core.retrievers.hoprag.walking import (
    ENTRY,
    ENTRY_PARTS,
    N_HOP,
    NEEDS,
    OF_VISITS,
    SEEDS,
    VISITS,
    Entry,
    Relevance,
    entries,
    passage_entries,
    walk,
)
from core.retrievers.settings import Setting
from core.steps import Step


@dataclass(frozen=True, slots=True)
class HopRagSimilarity:
    """Algorithm 1, choosing the edge most similar to the question, ranked by Helpfulness (Eq. 2).

    Parameters
    ----------
    top_k : passages kept (20 in the paper).
    n_hop : rounds over the queue (4 in the paper).
    entry : `edge` selects the ends of the most similar edges as seeds, until there are enough
        (line 3); `node` the most similar passages; `hybrid` the best by the hybrid score.
    seeds : passages that start the queue; 0 for the top k (20 in the paper).
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    n_hop: Annotated[int, N_HOP] = 4
    entry: Annotated[Entry, ENTRY] = "edge"
    seeds: Annotated[int, SEEDS] = 0

    card = Card(
        key="hoprag-similarity",
        title="HopRAG (similarity)",
        badge="HS",
        family="HopRAG",
        place=1,
        summary=(
            "The paper's walk: at each passage, it follows the edge most similar to the query."
        ),
        paper="arXiv 2502.12442, Algorithm 1",
        needs=NEEDS,
        parts={**ENTRY_PARTS, **VISITS},
        helpfulness=OF_VISITS,
        direction="out",
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the seeds, the rounds of the walk, and last the ranking by Helpfulness."""
        asked, encoded = first_step_and_query(self, query, named=True)
        yield replace(asked, weight_of_visits=0.5)
        started = time.perf_counter()
        relevance = Relevance(self.workbench, encoded)
        starts = entries(relevance, self.entry, self.seeds or self.top_k)
        yield from walk(
            self.workbench,
            relevance.similar,
            starts,
            n_hop=self.n_hop,
            top_k=self.top_k,
            weight_of_visits=0.5,
            started=started,
        )


@dataclass(frozen=True, slots=True)
class HopRagCoverage:
    """A walk along edges to passages with query terms that the path does not yet cover.

    It follows edges in both directions; see `CoveragePolicy`. A passage's score is its entry score
    (the hybrid score, plus `named` if the query names the passage) plus the best evidence of an
    edge that reached it.

    Parameters
    ----------
    width : edges followed from one vertex at most.
    named : bonus on the entry score of a passage whose name is in the query; of several with that
        name, the r-th best by the hybrid score gets 1/r of it.
    link, coverage, mention, backwards : what an edge is worth, see `Worth`.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    n_hop: Annotated[int, N_HOP] = 4
    entry: Annotated[Entry, ENTRY] = "hybrid"
    seeds: Annotated[int, SEEDS] = 0
    width: Annotated[int, Setting("edges followed per passage at most", least=1, most=100)] = 6
    named: Annotated[
        float, Setting("bonus for a passage that the query names", least=0, title="name bonus")
    ] = 1.0
    link: Annotated[
        float,
        Setting(
            "base score, the same for every edge",
            least=0,
            title="base score of an edge",
        ),
    ] = WORTH.link
    coverage: Annotated[
        float,
        Setting(
            "weight of the share of query terms that the target passage newly covers",
            least=0,
            title="weight of new query terms",
        ),
    ] = WORTH.coverage
    mention: Annotated[
        float,
        Setting(
            "weight of the similarity of the query and the edge's out-question",
            least=0,
            title="weight of out-question similarity",
        ),
    ] = WORTH.mention
    backwards: Annotated[
        float,
        Setting(
            "factor on an edge's score when it is followed backwards",
            least=0,
            most=1,
            title="factor for backward edges",
        ),
    ] = WORTH.backwards

    card = Card(
        key="hoprag-coverage",
        title="HopRAG (coverage)",
        badge="HC",
        family="HopRAG",
        summary="Follows edges to passages that cover query terms not yet covered.",
        paper="our variant, on the graph of arXiv 2502.12442",
        needs=(*NEEDS, RAISED, LEXICON, BEARERS),
        parts={
            **ENTRY_PARTS,
            "named": ("c", "bonus if the query names the passage"),
            "evidence": ("d", "score of the best edge that led to it"),
            "link": ("a", "base score, the same for every edge"),
            "coverage": ("b", "query terms newly covered"),
            "mention": ("c", "similarity of the query and the edge's out-question"),
        },
        helpfulness=Helpfulness(
            formula="H = SIM + IMP",
            note=(
                "SIM measures how well the passage itself matches the query: lexical, "
                "dense and named. IMP is evidence, the score of the best edge that led to "
                "it: link, coverage and mention. The paper instead averages the two, H = "
                "(SIM + IMP) / 2, with the share of visits as IMP."
            ),
            similarity=("keywords", "lexical", "dense", "named"),
            importance=("evidence", "link", "coverage", "mention"),
        ),
        direction="both",
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the seeds, the rounds of the walk, and last the ranking by score and evidence."""
        asked, encoded = first_step_and_query(self, query, named=True)
        yield asked
        started = time.perf_counter()
        relevance = Relevance(self.workbench, encoded)
        entry = {**relevance.hybrid, "named": relevance.named(self.named)}
        lexicon = self.workbench.get(LEXICON)
        weights = lexicon.weights(query)
        policy = CoveragePolicy(
            self.workbench.get(GRAPH),
            Asking(entry, weights, lexicon.word_lookup(weights), encoded.vector),
            top_k=self.top_k,
            width=self.width,
            worth=Worth(self.link, self.coverage, self.mention, self.backwards),
        )
        seeds = self.seeds or self.top_k
        starts = (
            passage_entries(self.workbench.index, self.entry, seeds, shortlist(entry, seeds))
            if self.entry == "hybrid"
            else entries(relevance, self.entry, seeds)
        )
        yield from walk(
            self.workbench,
            policy,
            starts,
            n_hop=self.n_hop,
            top_k=self.top_k,
            weight_of_visits=0.0,
            started=started,
        )
