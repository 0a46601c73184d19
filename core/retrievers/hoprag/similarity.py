"""Which edge to follow: the one most similar to the question."""

import numpy as np

from core.artefacts.hop_graph import Graph, Similarity
from core.retrievers.hoprag.traverse import NO_EDGE, Policy, Verdict
from core.steps import Arrival, Offer
from core.types import Part


class SimilarityPolicy(Policy):
    """The edge most similar to the question, by SIM (Eq. 1); the paper's row without an LLM.

    Parameters
    ----------
    edges, passages : SIM of every edge and of every vertex to the question.
    """

    def __init__(self, graph: Graph, edges: Similarity, passages: Similarity) -> None:
        self._graph = graph
        self._edges = edges
        self._passages = passages
        self._score = edges.score

    def judge(self, vertex: str) -> Verdict:
        edges = self._graph.leaving(self._graph.index.number[vertex])
        if not len(edges):
            return NO_EDGE
        order = edges[np.argsort(-self._score[edges], kind="stable")]
        offers = tuple(self.offer(int(edge)) for edge in order)
        rest = "the only edge" if len(offers) == 1 else f"the most similar of {len(offers)} edges"
        reason = f"It is {rest}: SIM {offers[0].score:.3f}."
        return Verdict(offers, offers[:1], reason, len(offers))

    def offer(self, edge: int) -> Offer:
        """An edge with SIM(e, q) as its two halves."""
        index = self._graph.index
        keywords, dense = self._edges.jaccard[edge] / 2, self._edges.cosine[edge] / 2
        return Offer(
            target=index.ids[self._graph.target[edge]],
            score=float(keywords + dense),
            parts=(Part("keywords", float(keywords)), Part("dense", float(dense))),
            tie=index.graph.edge_ids([edge])[0],
            label=index.graph.edge_questions([edge])[0],
        )

    def arrive(self, vertex: str, offer: Offer) -> Arrival:  # noqa: ARG002
        return self.enter(offer.target, offer.tie)

    def offer_at(self, vertex: str, tie: str) -> Offer | None:
        edge = self._graph.index.graph.edge_number(tie)
        if edge is None or edge not in self._graph.leaving(self._graph.index.number[vertex]):
            return None
        return self.offer(edge)

    def enter(self, passage_id: str, tie: str = "") -> Arrival:
        """A visit with SIM(v, q) / 2 as addends of Helpfulness (Eq. 2)."""
        vertex = self._graph.index.number[passage_id]
        keywords = Part("keywords", float(self._passages.jaccard[vertex] / 4))
        dense = Part("dense", float(self._passages.cosine[vertex] / 4))
        return Arrival(passage_id, (keywords, dense), tie)
