"""What the walks of HopRAG share: where they start, their rounds, and the ranking at their end."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from core.artefacts.hop_graph import GRAPH, EncodedQuery, Graph
from core.artefacts.lexical.bm25 import LEXICAL
from core.artefacts.lexical.keywords import BEARERS, KEYWORDS
from core.artefacts.scoring.nearest_passages import search_engine
from core.artefacts.scoring.scores import AllScored, Scored, Shortlist, shortlist, sum_in_order
from core.artefacts.scoring.similarity import Likeness
from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.ranking import best, prune, rank
from core.retrievers.base import Helpfulness, Tone, shortlist_note
from core.retrievers.baselines.hybrid import HALVES, hybrid_addends
from core.retrievers.hoprag.amended import amended, amended_seeds
from core.retrievers.hoprag.similarity import SimilarityPolicy, edge_offers
from core.retrievers.hoprag.traverse import Policy, traverse
from core.retrievers.settings import Setting
from core.steps import ROOT, Arrival, Cost, Offer, Offered, Ranked, Step, Told
from core.store.derived_tables import CARRIED
from core.store.index import Index
from core.types import Part

Entry = Literal["edge", "node", "hybrid"]
ENTRIES: tuple[Entry, ...] = get_args(Entry)
NEEDS = (GRAPH, LEXICAL, KEYWORDS)
"""What every walk gets of the workbench, whatever its entry."""
ENTRY_REASONS: dict[Entry, str] = {
    "edge": "The seeds are the targets of the edges most similar to the query.",
    "node": "The seeds are the passages most similar to the query.",
    "hybrid": "The seeds score highest on BM25 and embedding similarity combined.",
}

N_HOP = Setting("rounds of hops", least=1, most=8, title="hops")
ENTRY = Setting(
    "how seeds are chosen: targets of similar edges (as in the paper), similar passages, or "
    "the top passages of the hybrid ranking",
    title="seed selection",
)
SEEDS = Setting(
    "number of passages to start from; 0 uses as many as the top k, as in the paper",
    least=0,
    most=100,
    title="seeds",
    zero="same as top k",
    follows="top_k",
)
ENTRY_PARTS: dict[str, tuple[Tone, str]] = {
    "keywords": ("a", "shared keywords (Jaccard index)"),
    **HALVES,
}
"""Tone and meaning of what an entry's score is made of, whichever it is."""
VISITS: dict[str, tuple[Tone, str]] = {"importance": ("c", "share of all visits")}
OF_VISITS = Helpfulness(
    formula="H = (SIM + IMP) / 2",
    note=(
        "SIM is the mean of keyword overlap and cosine, so keywords and dense add up to SIM "
        "/ 2. IMP is the passage's share of all visits, so importance is IMP / 2. HopRAG "
        "(coverage) uses the plain sum SIM + IMP, with a different IMP."
    ),
    similarity=("keywords", "dense"),
    importance=("importance",),
)
"""Helpfulness as in the paper (Eq. 2 and 3)."""


class Relevance:
    """How near everything is to one question; each part is computed when it is first needed."""

    def __init__(self, workbench: Workbench, query: EncodedQuery) -> None:
        self.workbench = workbench
        self._query = query

    @cached_property
    def edges(self) -> Likeness:
        """SIM(e, q) of every edge, (m,)."""
        return self.workbench.get(GRAPH).edges_like(self._query)

    @cached_property
    def passages(self) -> Likeness:
        """SIM(v, q) of every vertex, (n,)."""
        return self.workbench.get(GRAPH).passages_like(self._query)

    @cached_property
    def similar(self) -> SimilarityPolicy:
        """The policy that follows the edges most similar to the query."""
        return SimilarityPolicy(self.workbench.get(GRAPH), self.edges, self.passages)

    @cached_property
    def hybrid(self) -> dict[str, Scored]:
        """The lexical and dense halves of the hybrid score of every vertex."""
        return hybrid_addends(self.workbench, self._query)

    def named(self, weight: float) -> Scored:
        """Score passages with a name of the query: `weight`/r for the r-th best by hybrid score."""
        named = np.zeros(len(self.workbench.index.passages))
        for name in self._query.keywords:
            bearers = np.array(self.workbench.get(BEARERS).of(name), np.int64)
            score = sum_in_order(half.of(bearers) for half in self.hybrid.values())
            ranked = bearers[np.argsort(-score, kind="stable")]
            named[ranked] = np.maximum(named[ranked], 1 / np.arange(1, len(ranked) + 1))
        return AllScored(weight * named, but=np.flatnonzero(named))


@dataclass(frozen=True, slots=True)
class Starts:
    """The seeds of a walk, best first, and the list from which they were selected.

    `offers` are what led to different vertices. Where not all there are was `considered`,
    `compared` says so, and `engine` who found it.
    """

    entry: Entry
    offers: tuple[Offer, ...]
    considered: int
    compared: str
    engine: str


def entries(relevance: Relevance, entry: Entry, count: int) -> Starts:
    """Return `count` distinct vertices to start from (Algorithm 1, line 3)."""
    index = relevance.workbench.index
    if entry == "edge":
        return _edge_entries(relevance.workbench.get(GRAPH), relevance.edges, count)
    if entry == "node":
        return passage_entries(index, entry, count, relevance.passages.first(count))
    if entry == "hybrid":
        return passage_entries(index, entry, count, shortlist(relevance.hybrid, count))
    raise InputError(f"Unknown seed selection {entry!r}. Choose one of {', '.join(ENTRIES)}.")


def passage_entries(index: Index, entry: Entry, count: int, short: Shortlist) -> Starts:
    """Return the `count` best passages of a shortlist as seeds."""
    score = short.total
    offers = tuple(
        Offer(
            target=index.ids[short.numbers[place]],
            score=float(score[place]),
            parts=tuple(Part(name, float(values[place])) for name, values in short.addends.items()),
        )
        for place in best(score, count)
    )
    comparison = shortlist_note("passages", len(index.ids), short, count)
    return Starts(entry, offers, len(short.numbers), comparison, search_engine(index))


def _edge_entries(graph: Graph, edges: Likeness, count: int) -> Starts:
    """Return edges by SIM until `count` distinct targets are found, one candidate per target.

    Many edges carry the same in-coming question, so that the first `count` edges end in few
    vertices; the paper's own counts of judgements need more.
    """
    taken = 4 * count
    while True:
        short = edges.first(taken)
        order = short.best(taken)
        first: dict[int, int] = {}
        for edge, end in zip(order.tolist(), graph.target[order].tolist(), strict=True):
            first.setdefault(end, edge)
        if len(first) >= count or len(order) < taken:
            break
        taken *= 4
    chosen = np.array(list(first.values())[:count], np.int64)
    comparison = shortlist_note("edges", len(graph.source), short, min(taken, len(order)))
    offers, by = edge_offers(graph, edges, chosen), search_engine(graph.index, CARRIED)
    return Starts("edge", offers, len(short.numbers), comparison, by)


def seeded(workbench: Workbench, policy: Policy, starts: Starts, started: float) -> Offered:
    """Return the entry step of a walk, with the best edges or passages as candidates."""
    offers, seeds, by_hand = amended_seeds(
        policy, starts.offers, workbench.amendments, workbench.index
    )
    hand = "Some seeds were chosen by hand." if by_hand else ""
    reason = " ".join(filter(None, (ENTRY_REASONS[starts.entry], starts.compared, hand)))
    return Offered(
        at=ROOT,
        of="edges" if starts.entry == "edge" else "passages",
        offers=offers,
        arrivals=seeds,
        considered=starts.considered,
        entry=True,
        told=Told(Cost(time.perf_counter() - started), reason=reason, by_hand=by_hand),
    )


def walk(
    workbench: Workbench,
    policy: Policy,
    starts: Starts,
    *,
    n_hop: int,
    top_k: int,
    weight_of_visits: float,
    started: float,
) -> Iterator[Step]:
    """Run a walk: seeds, hops, and the ranking of all visited passages (lines 3 to 17).

    Every walk passes here, so that here it is amended as its workbench says.

    Parameters
    ----------
    starts : what it starts with, see `entries`.
    """
    policy = amended(policy, workbench.amendments)
    start = seeded(workbench, policy, starts, started)
    yield start
    parts: dict[str, tuple[Part, ...]] = {}
    counts: dict[str, int] = {}

    def visit(arrivals: tuple[Arrival, ...]) -> None:
        for arrival in arrivals:
            parts[arrival.id] = arrival.parts
            counts[arrival.id] = counts.get(arrival.id, 0) + 1

    visit(start.arrivals)
    for step in traverse(policy, start.arrivals, n_hop):
        if isinstance(step, Offered):
            visit(step.arrivals)
        yield step
    kept, pruned = prune(rank(parts, counts, weight_of_visits), top_k)
    yield Ranked(kept, pruned, starts.engine, Told(Cost(time.perf_counter() - started)))
