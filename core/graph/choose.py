"""Which edge to follow: the two policies that need no model."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.graph.graph import Floats, Graph, Numbers, Similarity
from core.graph.traverse import Verdict
from core.steps import Arrival, Offer
from core.types import Part

Bools = NDArray[np.bool_]
Holds = Callable[[Numbers], Bools]
"""Which words of the question the given vertices hold: (vertices, words)."""

NO_EDGE = Verdict((), (), "It has no edge to follow.", 0)


class SimilarityPolicy:
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
        keywords, meaning = self._edges.jaccard[edge] / 2, self._edges.cosine[edge] / 2
        return Offer(
            edge_id=index.columns.ids[edge],
            target=index.passages[self._graph.target[edge]].id,
            question=index.edge_questions[edge],
            score=float(keywords + meaning),
            parts=(Part("keywords", float(keywords)), Part("meaning", float(meaning))),
        )

    def arrive(self, vertex: str, offer: Offer) -> Arrival:  # noqa: ARG002
        return self.visit(offer.target, offer.edge_id)

    def visit(self, passage_id: str, edge_id: str | None) -> Arrival:
        """A visit with SIM(v, q) / 2 as addends of Helpfulness (Eq. 2)."""
        vertex = self._graph.index.number[passage_id]
        keywords = Part("keywords", float(self._passages.jaccard[vertex] / 4))
        meaning = Part("meaning", float(self._passages.cosine[vertex] / 4))
        return Arrival(passage_id, (keywords, meaning), edge_id)


class CoveragePolicy:
    """What the question asks that the path so far does not cover, and how much an edge brings.

    From a vertex v, at the end of a path that covers the words C of the question, an edge to t is
    worth ``strength(v) * (new + max(0, cos(t, q))) / 2``. `new` is the share of the question's
    words, weighted by idf, that t holds and C does not. An edge that brings no new word is not
    followed; of the others the best `width` are. The strength of a seed is its
    entry score, that of any other vertex what its first edge was worth. A passage's score is its
    entry score plus the best worth of an edge that reached it, its evidence.

    Parameters
    ----------
    entry : entry score of every vertex as two arrays of addends, lexical and dense.
    passages : SIM of every vertex to the question; only the cosine counts here.
    weights : the question's words by their share of its idf; they sum to 1.
    width : edges followed from a vertex at most.
    listed : edges listed at a vertex at most; a hub has hundreds.
    """

    def __init__(
        self,
        graph: Graph,
        entry: tuple[Floats, Floats],
        passages: Similarity,
        weights: dict[str, float],
        holds: Holds,
        width: int,
        listed: int = 40,
    ) -> None:
        self._graph = graph
        self._lexical, self._dense = entry
        self._cosine = passages.cosine.clip(min=0)
        self._words = np.array(list(weights), object)
        self._weights = np.array(list(weights.values()))
        self._holds = holds
        self._width = width
        self._listed = listed
        self._strength: dict[str, float] = {}
        self._covered: dict[str, Bools] = {}
        self._evidence: dict[str, float] = {}

    def enter(self, passage_id: str) -> Arrival:
        """A seed: its own words are covered, and it is as strong as its entry score."""
        vertex = self._graph.index.number[passage_id]
        self._covered[passage_id] = self._holds(np.array([vertex]))[0]
        self._strength[passage_id] = float(self._lexical[vertex] + self._dense[vertex])
        return Arrival(passage_id, self._parts(passage_id))

    def judge(self, vertex: str) -> Verdict:
        number = self._graph.index.number[vertex]
        edges, ends, backwards = self._edges_at(number)
        if not len(edges):
            return NO_EDGE
        new = self._holds(ends) & ~self._covered[vertex]
        strength = self._strength[vertex]
        covered = strength * (new @ self._weights) / 2
        meaning = strength * self._cosine[ends] / 2
        order = np.lexsort((ends, -(covered + meaning), ~new.any(axis=1)))
        offers = tuple(
            self._offer(
                int(edges[i]), int(ends[i]), bool(i >= backwards), covered[i], meaning[i], new[i]
            )
            for i in order[: self._listed]
        )
        chosen = tuple(offer for offer in offers[: self._width] if offer.covers)
        return Verdict(offers, chosen, self._reason(offers, chosen), len(edges))

    def _edges_at(self, vertex: int) -> tuple[Numbers, Numbers, int]:
        """One edge to each neighbour: those that leave, then those walked backwards."""
        leaving, arriving = self._graph.leaving(vertex), self._graph.arriving(vertex)
        sources = self._graph.source[arriving]
        arriving = arriving[~np.isin(sources, self._graph.target[leaving])]
        ends = np.concatenate((self._graph.target[leaving], self._graph.source[arriving]))
        return np.concatenate((leaving, arriving)), ends.astype(np.int64), len(leaving)

    def _offer(
        self, edge: int, end: int, backwards: bool, covered: float, meaning: float, new: Bools
    ) -> Offer:
        index = self._graph.index
        return Offer(
            edge_id=index.columns.ids[edge],
            target=index.passages[end].id,
            question=index.edge_questions[edge],
            score=float(covered + meaning),
            parts=(Part("coverage", float(covered)), Part("meaning", float(meaning))),
            backwards=backwards,
            covers=tuple(self._words[new]),
        )

    @staticmethod
    def _reason(offers: tuple[Offer, ...], chosen: tuple[Offer, ...]) -> str:
        if not chosen:
            return f"None of {len(offers)} edges brings a word of the question that is not covered."
        words = ", ".join(dict.fromkeys(word for offer in chosen for word in offer.covers))
        taken = "One edge brings" if len(chosen) == 1 else f"{len(chosen)} edges bring"
        return f"{taken} what is not covered yet: {words}."

    def arrive(self, vertex: str, offer: Offer) -> Arrival:
        target = offer.target
        if target not in self._strength:
            held = self._holds(np.array([self._graph.index.number[target]]))[0]
            self._covered[target] = self._covered[vertex] | held
            self._strength[target] = offer.score
        self._evidence[target] = max(self._evidence.get(target, 0.0), offer.score)
        return Arrival(target, self._parts(target), offer.edge_id)

    def _parts(self, passage_id: str) -> tuple[Part, ...]:
        vertex = self._graph.index.number[passage_id]
        entry = (
            Part("lexical", float(self._lexical[vertex])),
            Part("dense", float(self._dense[vertex])),
        )
        evidence = self._evidence.get(passage_id)
        return entry if evidence is None else (*entry, Part("evidence", evidence))
