"""Which edge to follow: the one most similar to the question."""

from collections.abc import Sequence

import numpy as np

from core.artefacts.hop_graph import Graph
from core.artefacts.scoring.similarity import Likeness
from core.retrievers.hoprag.traverse import NO_EDGE, Policy, Verdict
from core.steps import Arrival, Offer
from core.store.adjacency import Numbers
from core.types import Part


def edge_offers(graph: Graph, like: Likeness, edges: Numbers) -> tuple[Offer, ...]:
    """Return edges as candidates, in order, scored by the two halves of SIM(e, q)."""
    index, halves = graph.index, like.of(edges)
    return tuple(
        Offer(
            target=index.ids[end],
            score=keywords + dense,
            parts=(Part("keywords", keywords), Part("dense", dense)),
            tie=tie,
            label=label,
        )
        for end, keywords, dense, tie, label in zip(
            graph.target[edges].tolist(),
            (halves.jaccard / 2).tolist(),
            (halves.cosine / 2).tolist(),
            index.graph.edge_ids(edges),
            index.graph.edge_questions(edges),
            strict=True,
        )
    )


class SimilarityPolicy(Policy):
    """Follows the edge most similar to the query, by SIM (Eq. 1); the paper's row without an LLM.

    Parameters
    ----------
    edges, passages : SIM of every edge and of every vertex to the question.
    """

    def __init__(self, graph: Graph, edges: Likeness, passages: Likeness) -> None:
        self._graph = graph
        self._edges = edges
        self._passages = passages

    def expect(self, seeds: Sequence[str]) -> None:
        number = self._graph.index.number
        self._passages.prefetch(np.array([number[name] for name in seeds], np.int64))

    def begin(self, queue: Sequence[str]) -> None:
        """Prefetch everything that the round needs, if the index is large."""
        number = self._graph.index.number
        leaving = [self._graph.leaving(number[vertex]) for vertex in queue]
        if leaving and self._graph.index.large:
            edges = np.concatenate(leaving)
            self._graph.index.graph.edge_questions(edges)
            self._edges.prefetch(edges)
            self._passages.prefetch(np.unique(self._graph.target[edges]).astype(np.int64))

    def judge(self, vertex: str) -> Verdict:
        """Select the out-edge most similar to the query, and list all, most similar first."""
        edges = self._graph.leaving(self._graph.index.number[vertex])
        if not len(edges):
            return NO_EDGE
        order = edges[np.argsort(-self._edges.of(edges).score, kind="stable")]
        offers = edge_offers(self._graph, self._edges, order)
        rest = "The only edge" if len(offers) == 1 else f"The most similar of {len(offers)} edges"
        reason = f"{rest} is followed (similarity {offers[0].score:.3f})."
        return Verdict(offers, offers[:1], reason, len(offers))

    def arrive(self, vertex: str, offer: Offer) -> Arrival:  # noqa: ARG002
        return self.enter(offer.target, offer.tie)

    def offer_at(self, vertex: str, tie: str) -> Offer | None:
        """Return the candidate of edge `tie`; None if it does not leave `vertex`."""
        edge = self._graph.index.graph.edge_number(tie)
        if edge is None or edge not in self._graph.leaving(self._graph.index.number[vertex]):
            return None
        return edge_offers(self._graph, self._edges, np.array([edge]))[0]

    def enter(self, passage_id: str, tie: str = "") -> Arrival:
        """Visit a seed, with SIM(v, q) / 2 as addends of Helpfulness (Equation 2)."""
        like = self._passages.of(np.array([self._graph.index.number[passage_id]]))
        keywords = Part("keywords", float(like.jaccard[0] / 4))
        dense = Part("dense", float(like.cosine[0] / 4))
        return Arrival(passage_id, (keywords, dense), tie)
