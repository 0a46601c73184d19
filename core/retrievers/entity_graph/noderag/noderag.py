"""NodeRAG (arXiv 2504.11544): a short walk over nodes of many kinds, and the best of each kind."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from core.artefacts.entity_graph.graph import FACTS, Numbers
from core.artefacts.entity_graph.relations import RELATIONS
from core.artefacts.graph_summaries.communities import COMMUNITIES
from core.artefacts.graph_summaries.node_graph import NODE_GRAPH, Kind, NodeGraph
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.ranking import Scores, best
from core.retrievers.base import KEPT, TOP_K, Card, ranked_by
from core.retrievers.entity_graph.bridges import SIMILARITY
from core.retrievers.entity_graph.naming import names_in
from core.retrievers.entity_graph.noderag.drawn import Drawn
from core.retrievers.entity_graph.related import facts_stated
from core.retrievers.entity_graph.reports import reports_by
from core.retrievers.first_step import first_step_and_query
from core.retrievers.searched_lists import Searched, query_in
from core.retrievers.settings import Setting
from core.steps import Began, Pooled, Step, Told
from core.vectors import Vectors

MASS, NAMED = "probability", "named"
TEXT, UNITS, PAIRS = "passage", "sentences", "relations"
_ROUNDS = 2  # of the lazy walk
_QUOTAS: dict[str, tuple[tuple[Kind, ...], int]] = {
    "entities": (("entity",), 10),
    "relations": (("relationship",), 30),
    "titles": (("title",), 10),
    "texts and summaries": (("text", "unit", "attribute", "element"), 10),
}
"""The kinds of nodes kept, and their maximum numbers (the paper's code)."""


@dataclass(frozen=True, slots=True)
class NodeRag:
    """Passages by their probability after a short walk, and that of their kept nodes.

    The walk starts at the nodes nearest to the query, and at the entities and titles that it names.
    The nodes with the highest probability of each kind are kept.

    Parameters
    ----------
    near : start nodes by cosine (10 in the paper's code).
    walk : two rounds of a lazy walk, as in the paper's code, or PageRank, as in its text.
    share : probability of following an edge (0.5 in the paper's code).
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    near: Annotated[int, Setting("start nodes chosen by cosine", least=1, most=100)] = 10
    walk: Annotated[
        Literal["lazy", "pagerank"], Setting("two steps of a lazy random walk, or PageRank")
    ] = "lazy"
    share: Annotated[float, Setting("probability of following an edge", least=0.05, most=0.95)] = (
        0.5
    )

    card = Card(
        key="noderag",
        title="NodeRAG",
        badge="NR",
        family="entity graph",
        place=5,
        summary=(
            "Walks a few steps through a graph of several node types and keeps the best of "
            "each type."
        ),
        paper="Xu et al. 2025, arXiv 2504.11544",
        asks_model=True,
        substitute="Without a model, rules find the names in the query, sentences serve as "
        "semantic units, and there are no attributes.",
        needs=(KEYWORDS, FACTS, RELATIONS, COMMUNITIES, NODE_GRAPH),
        parts={
            TEXT: ("a", "probability of the passage itself"),
            UNITS: ("b", "probability of its kept sentences"),
            PAIRS: ("c", "its share of the kept relations"),
            SIMILARITY: ("b", "cosine of the query and the node"),
            NAMED: ("c", "named in the query"),
            MASS: ("a", "probability after the walk"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the start nodes, the walk, the kept nodes, and last the ranking of the passages."""
        asked, encoded = first_step_and_query(self, query, named=True)
        yield asked
        started, graph = time.perf_counter(), self.workbench.get(NODE_GRAPH)
        drawn = Drawn(self.workbench, graph)
        compared, cosine = self._cosines(graph, encoded.vector)
        first = best(cosine, self.near)
        near = compared[first].tolist()
        yield drawn.offered("nodes", near, cosine[first], SIMILARITY, Told(), len(compared))
        names, by = names_in(self.workbench, query, encoded.keywords, self.card.substitute)
        named = self._named_nodes(graph, names)
        yield drawn.offered("names", named, np.ones(len(named)), NAMED, by, len(named))
        start = np.zeros(graph.size)
        start[[*near, *named]] = 1 / len({*near, *named})
        walk = graph.walk(start, self.share, _ROUNDS)
        masses = walk if self.walk == "lazy" else iter([graph.pagerank(start, self.share)])
        mass = start
        for number, now in enumerate(masses, start=1):
            yield Began("step", number)
            yield drawn.spread(now, mass, MASS)
            mass = now
        kept = {
            of: self._best_nodes(graph, kinds, most, mass) for of, (kinds, most) in _QUOTAS.items()
        }
        for of, nodes in kept.items():
            if nodes:
                kinds, most = _QUOTAS[of]
                told = Told(reason=f"At most {most} nodes of this type are kept.")
                reached = sum(int((mass[graph.nodes(kind)] > 0).sum()) for kind in kinds)
                yield drawn.offered(of, nodes, mass[nodes], MASS, told, reached)
        nodes = [node for nodes in kept.values() for node in nodes]
        scores_by_part = self._score_passages(graph, nodes, mass)
        ranked = ranked_by(self.workbench.index, self.top_k, started, **scores_by_part)
        hits = tuple(hit for hit in ranked.hits if hit.score > 0)
        ties = drawn.stated(nodes, {hit.passage_id for hit in hits})
        yield Pooled(tuple(scores_by_part), hits, ties=ties)
        said = f"{self.workbench.authorship(NODE_GRAPH)} {reports_by(self.workbench)}"
        yield replace(ranked, hits=hits, told=replace(ranked.told, reason=said))

    def searched(self, steps: Sequence[Step]) -> Iterator[Searched]:
        """Yield all nodes with a vector; a passage's own and its sentences' lead to it."""
        graph, facts = self.workbench.get(NODE_GRAPH), self.workbench.get(FACTS)
        asked = self.workbench.encode(query_in(steps)).vector
        numbers, cosine = self._cosines(graph, asked)
        first, passages = graph.first("unit"), self.workbench.index.passages

        def leads(passage: int) -> list[int]:
            """Return the nodes that lead to a passage: its own and those of its sentences."""
            units = [first + fact for fact in facts_stated(facts, passage)]
            return [graph.first("text") + passage, *units]

        def name(node: int) -> str:
            if graph.kind(node) == "unit":
                return facts.facts[node - first].text
            return passages[node - graph.first("text")].title

        order = best(cosine, len(cosine))
        scores = dict(zip(numbers.tolist(), cosine.tolist(), strict=True))
        taken = min(self.near, len(order))
        yield Searched("node", numbers[order].tolist(), scores, taken, leads, name)

    def _cosines(self, graph: NodeGraph, asked: Vectors) -> tuple[Numbers, Scores]:
        """Return all nodes with a vector, and their cosines with the question's vector."""
        searched: dict[Kind, Vectors] = {
            "text": self.workbench.index.vectors,
            "unit": self.workbench.get(FACTS).vectors,
            "attribute": graph.vectors,
            "element": self.workbench.get(COMMUNITIES).vectors,
        }
        kinds = [kind for kind, vectors in searched.items() if len(vectors)]
        numbers = np.concatenate([graph.nodes(kind) for kind in kinds])
        cosine = np.concatenate([searched[kind] @ asked for kind in kinds]).astype(np.float64)
        return numbers, cosine

    def _named_nodes(self, graph: NodeGraph, names: Sequence[str]) -> list[int]:
        """Return the nodes of the entities with these names, and of the titles that contain one."""
        number = self.workbench.get(RELATIONS).number
        entities = [number[name] for name in names if name in number]
        titles = [n for n, title in enumerate(graph.titles) if set(title) & set(entities)]
        return [
            *(graph.first("entity") + n for n in entities),
            *(graph.first("title") + n for n in titles),
        ]

    def _best_nodes(
        self, graph: NodeGraph, kinds: Sequence[Kind], most: int, mass: Scores
    ) -> list[int]:
        """Return the `most` nodes of some kinds with the highest positive probability."""
        nodes = np.concatenate([graph.nodes(kind) for kind in kinds])
        first = nodes[best(mass[nodes], most)]
        return [node for node in first.tolist() if mass[node] > 0]

    def _score_passages(
        self, graph: NodeGraph, kept: Sequence[int], mass: Scores
    ) -> dict[str, Scores]:
        """Score each passage by itself, by its sentences, and by the relations that it states."""
        passages, related = len(self.workbench.index.passages), self.workbench.get(RELATIONS)
        facts = related.told.facts
        worths = {TEXT: mass[:passages], UNITS: np.zeros(passages), PAIRS: np.zeros(passages)}
        for node in kept:
            kind, worth = graph.kind(node), float(mass[node])
            if kind == "unit":
                worths[UNITS][facts[node - graph.first("unit")].passage] += worth
            if kind == "relationship":
                pair = graph.pairs[node - graph.first("relationship")]
                stated = sorted({facts[n].passage for n in related.pairs[pair]})
                worths[PAIRS][stated] += worth / len(stated)
        return worths
