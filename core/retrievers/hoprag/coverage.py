"""The coverage policy: follow edges to passages with query terms that the path lacks.

This policy is ours and uses no model; `CoveragePolicy` has the formula. Traces show every addend.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.artefacts.hop_graph import Graph
from core.artefacts.lexical.postings import Holding
from core.artefacts.scoring.scores import Scored, sum_in_order
from core.artefacts.scoring.similarity import Floats
from core.retrievers.hoprag.reasons import NOT_REFUSED, Refusal, notes, reason, refusals
from core.retrievers.hoprag.traverse import NO_EDGE, Policy, Verdict
from core.steps import Arrival, Offer
from core.store.adjacency import Numbers
from core.types import Part
from core.vectors import Vectors

Bools = NDArray[np.bool_]
LISTED = 40
"""Edges listed at a vertex at most; a hub has hundreds."""


@dataclass(frozen=True, slots=True)
class Worth:
    """Weights of the parts of an edge's worth, as multiples of the strength of its start vertex.

    Parameters
    ----------
    link : weight of any edge, since the passages that a good passage names are likely to matter.
    coverage : weight of the share of the query, by idf, that the end contains and the path lacks.
    mention : weight of the cosine of the query and the edge's out-question.
    backwards : share of its worth that an edge keeps when it is walked from its end, in (0, 1].
    """

    link: float = 0.2
    coverage: float = 1.0
    mention: float = 0.3
    backwards: float = 0.5


WORTH = Worth()


@dataclass(frozen=True, slots=True, eq=False)
class Asking:
    """A query as the coverage policy needs it.

    Parameters
    ----------
    entry : the addends of each vertex's entry score by name.
    weights : the words of the query with their share of its idf; they sum to 1.
    holding : looks up which of those words each vertex contains.
    vector : EMB(q), (d,) unit-norm.
    """

    entry: Mapping[str, Scored]
    weights: Mapping[str, float]
    holding: Holding
    vector: Vectors


@dataclass(frozen=True, slots=True, eq=False)
class _Neighbours:
    """The edges of a vertex, their other ends, and whether each is followed in reverse."""

    edges: Numbers
    ends: Numbers
    backwards: Bools


class CoveragePolicy(Policy):
    """Follow the edges whose ends would rank among the first `top_k` visited vertices.

    From a vertex v, at the end of a path that covers the words C of the question, an edge to t
    that was made from the out-coming question o is worth

        strength(v) * (link + coverage * new + mention * max(0, cos(o, q)))

    and `backwards` times that when it is walked from its end. `new` is the share of the question's
    words, weighted by idf, that t holds and C does not. A seed is as strong as its entry score,
    any other vertex as what its first edge was worth. The score of a vertex is its entry score
    plus the best worth of an edge that reached it, its evidence. Of the edges that would bring
    their end's score above the `top_k`-th best so far, the best `width` are followed; a vertex
    that has meanwhile fallen below that cut is not examined.

    Parameters
    ----------
    width : edges followed from a vertex at most.
    """

    def __init__(
        self, graph: Graph, asking: Asking, *, top_k: int, width: int, worth: Worth
    ) -> None:
        self._graph = graph
        self._asking = asking
        self._words = np.array(list(asking.weights), object)
        either = "|".join(map(re.escape, asking.weights))
        self._asked = re.compile(rf"(?<!\w)(?:{either})(?!\w)")
        self._weights = np.array(list(asking.weights.values()))
        self._top_k = top_k
        self._width = width
        self._worth = worth
        self._strength: dict[int, float] = {}
        self._covered: dict[int, Bools] = {}
        self._evidence: dict[int, float] = {}
        self._entered: dict[int, tuple[Part, ...]] = {}
        self._entry: dict[int, float] = {}
        self._scores: dict[int, float] = {}
        self._neighbours: dict[int, _Neighbours] = {}

    def expect(self, seeds: Sequence[str]) -> None:
        number = self._graph.index.number
        self._prefetch(np.array([number[name] for name in seeds], np.int64))

    def begin(self, queue: Sequence[str]) -> None:
        """Prefetch everything that the round needs, if the index is large."""
        if not self._graph.index.large:
            return
        cut, number = self._cut(), self._graph.index.number
        around = [
            self._neighbours_of(vertex)
            for name in queue
            if self._scores[vertex := number[name]] >= cut
        ]
        if around:
            ends = np.unique(np.concatenate([each.ends for each in around]))
            self._graph.index.graph.prefetch(np.concatenate([each.edges for each in around]))
            self._prefetch(ends)

    def _prefetch(self, vertices: Numbers) -> None:
        self._asking.holding.prefetch(vertices)
        for scored in self._asking.entry.values():
            scored.prefetch(vertices)

    def enter(self, passage_id: str, tie: str = "") -> Arrival:
        """Visit a seed: its words are covered, and its strength is its entry score."""
        vertex = self._graph.index.number[passage_id]
        self._covered[vertex] = self._asking.holding.of(np.array([vertex]))[0]
        self._enter_score(vertex)
        self._strength[vertex] = self._entry[vertex]
        return Arrival(passage_id, self._parts(vertex), tie)

    def judge(self, vertex: str) -> Verdict:
        """Select up to `width` edges of a vertex whose ends would enter the top k."""
        number = self._graph.index.number[vertex]
        cut = self._cut()
        if self._scores[number] < cut:
            below_cut = f"No longer in the top {self._top_k}, so its edges are not examined."
            return Verdict((), (), below_cut, 0)
        at = self._neighbours_of(number)
        if not len(at.edges):
            return NO_EDGE
        new = self._asking.holding.of(at.ends) & ~self._covered[number]
        parts = self._parts_of_worth(number, at, new)
        worth = sum_in_order(parts.values())
        order = np.lexsort((at.ends, -worth))[:LISTED]
        entry = sum_in_order(part.of(at.ends[order]) for part in self._asking.entry.values())
        target_scores = entry + worth[order]
        current_ranks = self._ranks(at.ends[order].tolist())
        why = refusals(
            target_scores.tolist(), cut, current_ranks, width=self._width, top_k=self._top_k
        )
        offers = self._offers(order, at, parts, new, why)
        chosen = tuple(offer for offer in offers if not offer.why)
        return Verdict(
            offers, chosen, reason(offers, chosen, cut, top_k=self._top_k), len(at.edges)
        )

    def offer_at(self, vertex: str, tie: str) -> Offer | None:
        """Return the candidate of edge `tie` at a vertex; None if the vertex has no such edge."""
        number = self._graph.index.number[vertex]
        at = self._neighbours_of(number)
        order = np.flatnonzero(at.edges == self._graph.index.graph.edge_number(tie))
        if not len(order):
            return None
        new = self._asking.holding.of(at.ends) & ~self._covered[number]
        return self._offers(order, at, self._parts_of_worth(number, at, new), new, [NOT_REFUSED])[0]

    def arrive(self, vertex: str, offer: Offer) -> Arrival:
        """Visit the end of an edge: raise its evidence, and at the first visit set its strength."""
        number = self._graph.index.number
        source, target = number[vertex], number[offer.target]
        if target not in self._strength:
            held = self._asking.holding.of(np.array([target]))[0]
            self._covered[target] = self._covered[source] | held
            self._enter_score(target)
            self._strength[target] = offer.score
        self._evidence[target] = max(self._evidence.get(target, 0.0), offer.score)
        self._scores[target] = self._entry[target] + self._evidence[target]
        return Arrival(offer.target, self._parts(target), offer.tie)

    def _enter_score(self, vertex: int) -> None:
        """Store the entry score of a vertex and its parts, at its first visit."""
        at = np.array([vertex])
        values = {name: scored.of(at) for name, scored in self._asking.entry.items()}
        self._entered[vertex] = tuple(Part(name, float(one[0])) for name, one in values.items())
        self._entry[vertex] = float(sum_in_order(values.values())[0])
        self._scores[vertex] = self._entry[vertex] + self._evidence.get(vertex, 0.0)

    def _cut(self) -> float:
        """Return the score of the last vertex in the current top k; -inf while there is room."""
        scores = sorted(self._scores.values(), reverse=True)
        return scores[self._top_k - 1] if len(scores) >= self._top_k else -np.inf

    def _ranks(self, vertices: Sequence[int]) -> list[int]:
        """Return the current rank of each vertex, 0 below the top k."""
        order = sorted(self._scores, key=self._scores.__getitem__, reverse=True)[: self._top_k]
        ranks = {vertex: rank for rank, vertex in enumerate(order, start=1)}
        return [ranks.get(vertex, 0) for vertex in vertices]

    def _neighbours_of(self, vertex: int) -> _Neighbours:
        if vertex not in self._neighbours:
            self._neighbours[vertex] = self._edges_at(vertex)
        return self._neighbours[vertex]

    def _edges_at(self, vertex: int) -> _Neighbours:
        """Return the edges to the neighbours of `vertex`.

        Outgoing edges come first, then the incoming edges of the other neighbours, followed in
        reverse.
        """
        outgoing, incoming = self._graph.leaving(vertex), self._graph.arriving(vertex)
        sources = self._graph.source[incoming]
        incoming = incoming[~np.isin(sources, self._graph.target[outgoing])]
        ends = np.concatenate((self._graph.target[outgoing], self._graph.source[incoming]))
        edges = np.concatenate((outgoing, incoming))
        return _Neighbours(edges, ends.astype(np.int64), np.arange(len(edges)) >= len(outgoing))

    def _parts_of_worth(self, vertex: int, at: _Neighbours, new: Bools) -> dict[str, Floats]:
        """Return the parts of each edge's worth, (edges,): link, new query terms and mention.

        `new` is (edges, words): the query words that each end contains and the path lacks.
        """
        strength = self._strength[vertex] * np.where(at.backwards, self._worth.backwards, 1.0)
        mention = (self._graph.index.graph.raised(at.edges) @ self._asking.vector).clip(min=0)
        return {
            "link": self._worth.link * strength,
            "coverage": self._worth.coverage * strength * (new @ self._weights),
            "mention": self._worth.mention * strength * mention.astype(np.float64),
        }

    def _offers(
        self,
        order: Numbers,
        at: _Neighbours,
        parts: Mapping[str, Floats],
        new: Bools,
        refused: Sequence[Refusal],
    ) -> tuple[Offer, ...]:
        """Return the edges at the positions `order` as candidates, with the reasons for refusal."""
        index, graph = self._graph.index, self._graph.index.graph
        edges = at.edges[order].tolist()
        addends = [values[order].tolist() for values in parts.values()]
        return tuple(
            Offer(
                target=index.ids[end],
                score=score,
                parts=tuple(map(Part, parts, values)),
                tie=tie,
                label=label,
                notes=notes(self._words[brought], self._asked_words(text)),
                backwards=backwards,
                why=why,
                margin=margin,
            )
            for end, score, values, tie, label, brought, text, backwards, (why, margin) in zip(
                at.ends[order].tolist(),
                sum_in_order(parts.values())[order].tolist(),
                zip(*addends, strict=True),
                graph.edge_ids(edges),
                graph.edge_questions(edges),
                new[order],
                graph.raised_questions(edges),
                at.backwards[order].tolist(),
                refused,
                strict=True,
            )
        )

    def _asked_words(self, text: str) -> tuple[str, ...]:
        covered = set(self._asked.findall(text.casefold()))
        return tuple(word for word in self._words if word in covered)

    def _parts(self, vertex: int) -> tuple[Part, ...]:
        entry, evidence = self._entered[vertex], self._evidence.get(vertex)
        return entry if evidence is None else (*entry, Part("evidence", evidence))
