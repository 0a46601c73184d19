"""HopRAG (arXiv 2502.12442): a walk over the graph of pseudo-queries, without a model.

`hoprag-similarity` is the paper's Algorithm 1 with the most similar edge as the choice, its row
without an LLM. `hoprag-coverage` is ours.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from core.errors import InputError
from core.graph.choose import SimilarityPolicy
from core.graph.coverage import WORTH, Asking, CoveragePolicy, Worth
from core.graph.graph import EncodedQuery, Graph, Similarity
from core.graph.prune import prune, rank
from core.graph.traverse import Policy, traverse
from core.retrievers.base import Card, Scores, Workbench, best
from core.retrievers.hybrid import hybrid_addends
from core.steps import Arrival, Cost, Judged, Offer, Ranked, Seeded, Step
from core.store.index import Index
from core.types import Part

Entry = Literal["edge", "node", "hybrid"]
ENTRIES: tuple[Entry, ...] = get_args(Entry)


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
        yield replace(asked, settings=settings, importance_weight=0.5)
        started = time.perf_counter()
        relevance = Relevance(self.workbench, encoded)
        policy = SimilarityPolicy(self.workbench.graph, relevance.edges, relevance.passages)
        offers = _entries(relevance, self.entry, self.top_k)
        seeds = tuple(policy.visit(o.target, o.edge_id or None) for o in offers)
        seeded = _seeded(self.workbench, self.entry, seeds, offers, started)
        yield from _walk(policy, seeded, self.n_hop, self.top_k, 0.5, started)


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
            _passage_entries(self.workbench.index, self.top_k, entry)
            if self.entry == "hybrid"
            else _entries(relevance, self.entry, self.top_k)
        )
        seeds = tuple(replace(policy.enter(o.target), edge_id=o.edge_id or None) for o in offers)
        seeded = _seeded(self.workbench, self.entry, seeds, offers, started)
        yield from _walk(policy, seeded, self.n_hop, self.top_k, 0.0, started)


class Relevance:
    """How near everything is to one question; each part is computed when it is first needed."""

    def __init__(self, workbench: Workbench, query: EncodedQuery) -> None:
        self.workbench = workbench
        self._query = query

    @cached_property
    def edges(self) -> Similarity:
        """SIM(e, q) of every edge."""
        return self.workbench.graph.edge_similarity(self._query)

    @cached_property
    def passages(self) -> Similarity:
        """SIM(v, q) of every vertex."""
        return self.workbench.graph.passage_similarity(self._query)

    @cached_property
    def hybrid(self) -> dict[str, Scores]:
        """Lexical and dense half of the hybrid score of every vertex."""
        lexical, dense = hybrid_addends(self.workbench, self._query)
        return {"lexical": lexical, "dense": dense}

    @cached_property
    def named(self) -> Scores:
        """1/r of the r-th best passage, by the hybrid, of those that bear a name asked for."""
        score: Scores = np.sum(list(self.hybrid.values()), axis=0)
        named = np.zeros_like(score)
        for name in self._query.keywords:
            bearers = sorted(self.workbench.bearers.of(name), key=lambda v: -score[v])
            for place, vertex in enumerate(bearers, start=1):
                named[vertex] = max(named[vertex], 1 / place)
        return named


def _entries(relevance: Relevance, entry: Entry, count: int) -> tuple[Offer, ...]:
    """Line 3: `count` different vertices to start from, best first, as what led to them."""
    index = relevance.workbench.index
    if entry == "edge":
        return _edge_entries(relevance.workbench.graph, relevance.edges, count)
    if entry == "node":
        halves = relevance.passages
        addends = {"keywords": halves.jaccard / 2, "meaning": halves.cosine / 2}
        return _passage_entries(index, count, addends)
    if entry == "hybrid":
        return _passage_entries(index, count, relevance.hybrid)
    raise InputError(f"{entry!r} is no entry; choose one of {', '.join(ENTRIES)}.")


def _passage_entries(index: Index, count: int, addends: Mapping[str, Scores]) -> tuple[Offer, ...]:
    score = np.sum(list(addends.values()), axis=0)
    return tuple(
        Offer(
            edge_id="",
            target=index.passages[number].id,
            question="",
            score=float(score[number]),
            parts=tuple(Part(name, float(values[number])) for name, values in addends.items()),
        )
        for number in best(score, count)
    )


def _edge_entries(graph: Graph, edges: Similarity, count: int) -> tuple[Offer, ...]:
    """The edges in order of SIM until `count` different ends are found, one offer an end.

    Many edges carry the same in-coming question, so that the first `count` edges end in few
    vertices; the paper's own counts of judgements need more.
    """
    score = edges.score
    taken = 4 * count
    while True:
        order = best(score, taken).tolist()
        first: dict[int, int] = {}
        for edge in order:
            first.setdefault(int(graph.target[edge]), edge)
        if len(first) >= count or taken >= len(score):
            break
        taken *= 4
    offered = SimilarityPolicy(graph, edges, edges).offer
    return tuple(offered(edge) for edge in list(first.values())[:count])


def _seeded(
    workbench: Workbench,
    entry: Entry,
    seeds: tuple[Arrival, ...],
    offers: tuple[Offer, ...],
    started: float,
) -> Seeded:
    things = workbench.graph.source if entry == "edge" else workbench.index.passages
    return Seeded(entry, seeds, offers, len(things), Cost(time.perf_counter() - started))


def _walk(
    policy: Policy,
    seeded: Seeded,
    n_hop: int,
    top_k: int,
    importance_weight: float,
    started: float,
) -> Iterator[Step]:
    """Seeds, hops, and the ranking of all that was visited (lines 3 to 17)."""
    yield seeded
    parts: dict[str, tuple[Part, ...]] = {}
    counts: dict[str, int] = {}

    def visit(arrivals: tuple[Arrival, ...]) -> None:
        for arrival in arrivals:
            parts[arrival.passage_id] = arrival.parts
            counts[arrival.passage_id] = counts.get(arrival.passage_id, 0) + 1

    visit(seeded.seeds)
    for step in traverse(policy, seeded.seeds, n_hop):
        if isinstance(step, Judged):
            visit(step.arrivals)
        yield step
    kept, pruned = prune(rank(parts, counts, importance_weight), top_k)
    yield Ranked(kept, pruned, cost=Cost(seconds=time.perf_counter() - started))
