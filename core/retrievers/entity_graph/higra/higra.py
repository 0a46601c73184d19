"""HiGraRetriever (Luu et al. 2026): seeds among aligned entities, and PageRank on two layers."""

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from core.artefacts.entity_graph.graph import FACTS, EntityGraph, Mass, Numbers
from core.artefacts.lexical.bm25 import LEXICAL, Matches
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.ontology.ontology import FACT_WORDS, ONTOLOGY, UNALIGNED, Ontology
from core.artefacts.workbench import Workbench
from core.ranking import Scores, best, reciprocal_ranks
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.entity_graph.higra.seeding import (
    MEANING,
    WORDS,
    entity_node,
    hybrid,
    select_seeds,
)
from core.retrievers.entity_graph.spreading import (
    by_cosine,
    edge_label,
    entity_id,
    fact_id,
    fact_number,
    settled,
)
from core.retrievers.first_step import first_step_and_query
from core.retrievers.settings import Setting
from core.steps import ROOT, Began, Cost, Offer, Offered, Pooled, Ranked, Step, Thing, Tie, Told
from core.types import Hit, Part
from core.vectors import Vectors

GRAPH, LIKE, TOGETHER = "graph", "similarity", "mentioned together"
_ENOUGH = 1e-2  # PageRank stops when less probability than this moves: ranks no longer change
_NEIGHBOURS = 12  # neighbours of the seeds that are shown
_RANKED = 100  # passages that are ranked


@dataclass(frozen=True, slots=True)
class Higra:
    """Passages by their rank in a graph around the seeds, and by lexical and dense similarity.

    Some of the entities most similar to the query are selected as seeds. Probability spreads from
    the seeds over the neighbouring entities, which ranks relations, and then over passages too.

    Parameters
    ----------
    listed : entities from which seeds are selected (20 in the paper).
    radius : maximum distance of an entity from a seed, in relations (1 in the paper).
    damping : probability of following an edge (0.85 in the paper).
    relations : relations selected (20 in the paper); with 0, a reader gets passages only, as in the
        paper's Table 12.
    linked, similar : passages kept by both ranks, and by similarity alone (10 and 5 in the paper,
        whose reader uses no more).
    k0 : rank constant of reciprocal rank fusion (10 in the paper).
    k0_graph : rank constant of the graph ranks; 0 for `k0`.
    unaligned : whether every name is an entity of its own, as in the paper's Table 14.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    listed: Annotated[int, Setting("entities to choose seeds from", least=1, most=50)] = 20
    radius: Annotated[int, Setting("relations to follow from a seed", least=1, most=3)] = 1
    damping: Annotated[
        float, Setting("probability of following an edge", least=0.05, most=0.95)
    ] = 0.85
    relations: Annotated[int, Setting("relations selected", least=0, most=100)] = 20
    linked: Annotated[int, Setting("passages kept by both ranks", least=1, most=100)] = 20
    similar: Annotated[int, Setting("passages kept by similarity alone", least=0, most=100)] = 5
    k0: Annotated[
        float, Setting("rank constant; higher values reduce the advantage of top ranks", least=0)
    ] = 10
    k0_graph: Annotated[
        float,
        Setting("rank constant of ranks in the graph", least=0, zero="as k0", follows="k0"),
    ] = 0

    unaligned: Annotated[bool, Setting("whether every name is an entity of its own")] = False

    card = Card(
        key="higra",
        title="HiGraRetriever",
        badge="HG",
        family="entity graph",
        place=4,
        summary="Starts at entities in the query and ranks the relations and passages around them.",
        paper="Luu et al. 2026, Findings of EACL, the retriever of HiGraAgent",
        asks_model=True,
        substitute="Without a model, it starts at the entities named in the query, or else at "
        "those above the widest gap in the scores.",
        needs=(KEYWORDS, LEXICAL, FACTS, FACT_WORDS, ONTOLOGY),
        parts={
            GRAPH: ("a", "1 / (k0 + rank) by probability in the graph"),
            LIKE: ("b", "1 / (k0 + rank) by keywords and embeddings combined"),
            WORDS: ("c", "1 / (k0 + rank) by shared words"),
            MEANING: ("b", "1 / (k0 + rank by cosine similarity)"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the seeds, the ranked relations, and last the ranking by graph and similarity."""
        asked, encoded = first_step_and_query(self, query, named=True)
        yield asked
        started, get, index = time.perf_counter(), self.workbench.get, self.workbench.index
        ontology = self._ontology
        cosine = self.workbench.cosines(encoded.vector)
        seeds: list[int] = []
        if len(ontology.things.linkable):
            entities, seeds = select_seeds(
                *(self.workbench, ontology, encoded),
                *(self.listed, self.k0, self.card.substitute),
            )
            yield entities
        if not seeds:
            yield by_cosine(index, self.top_k, started, cosine, "No entity is a seed")
            return
        nodes = np.array(seeds, np.int64)
        for _ in range(self.radius):
            nodes = ontology.entities.neighbours(nodes)
        if len(nodes) > len(seeds):
            yield _neighbour_step(ontology, seeds, nodes)
        related: tuple[Offer, ...] = ()
        if self.relations:
            yield Began("layer", 1)
            probabilities = yield from self._probabilities(
                ontology.entities, nodes, np.array(seeds)
            )
            offered = self._rank_relations(query, encoded.vector, ontology.ends @ probabilities)
            yield offered
            related = offered.taken
        both = self._both_layers(ontology, nodes)
        yield Began("layer", 2 if self.relations else 1)
        probabilities = yield from self._probabilities(
            ontology.layers, both, np.array(seeds) + len(index.passages)
        )
        words = get(LEXICAL).scored(query)
        hits, alike = self._passages(probabilities[: len(index.passages)], words, cosine)
        stated = self._stating_lines(related, hits)
        names = self._naming_entities(ontology, probabilities, hits[: self.linked], stated)
        things = tuple(dict.fromkeys(thing for thing, _ in names))
        ties = (*stated, *(tie for _, tie in names))
        yield Pooled(("the graph", "similarity"), hits, things, ties)
        kept = {hit.passage_id for hit in hits[: self.linked]} | alike
        first = [hit for hit in hits if hit.passage_id in kept][: self.top_k]
        rest = tuple(hit for hit in hits if hit not in first)
        aligned_by = "" if self.unaligned else self.workbench.authorship(ONTOLOGY)
        told = Told(Cost(time.perf_counter() - started), reason=aligned_by)
        facts = get(FACTS).facts
        relations = tuple(facts[fact_number(offer.target)].text for offer in related)
        yield Ranked(tuple(first), rest, told=told, findings=relations)

    @property
    def _ontology(self) -> Ontology:
        return self.workbench.get(UNALIGNED if self.unaligned else ONTOLOGY)

    def _probabilities(
        self, graph: EntityGraph, nodes: Numbers, seeds: Numbers
    ) -> Generator[Step, None, Scores]:
        """Run PageRank from the seeds over `nodes` alone; return (graph nodes,) probabilities."""
        index, within = self.workbench.index, graph.within(nodes)
        mass = yield from settled(
            index, within, _reset(graph.size, seeds), (GRAPH,), self.damping, _ENOUGH
        )
        return mass[:, 0].astype(np.float64)

    def _rank_relations(self, query: str, query_vector: Vectors, probabilities: Scores) -> Offered:
        """Select the best relations by reciprocal rank fusion.

        It fuses `probabilities`, for each relation the mean of its two entities, with the lexical
        and the embedding similarity to the query.
        """
        facts = self.workbench.get(FACTS)
        cosine = (facts.vectors @ query_vector).astype(np.float64)
        words, meaning = hybrid(self.workbench.get(FACT_WORDS).scored(query), cosine, self.k0)
        in_graph = probabilities > 0
        graph_ranks = reciprocal_ranks(probabilities, self.k0_graph or self.k0)
        graph = np.where(in_graph, graph_ranks, 0.0)
        like = reciprocal_ranks(words + meaning, self.k0)
        numbers = [n for n in best(graph + like, self.relations).tolist() if graph[n]]
        offers = tuple(
            Offer(fact_id(n), float(graph[n] + like[n]), _parts(graph[n], like[n]), taken=True)
            for n in numbers
        )
        things, ties = [], []
        ontology = self._ontology
        for n in numbers:
            things.append(Thing(fact_id(n), "relation", facts.facts[n].text))
            for end in ontology.ends[n].indices.tolist():
                things.append(entity_node(ontology, end))
                node = entity_id(ontology.things.names[end])
                ties.append(Tie(f"{fact_id(n)}>{node}", fact_id(n), node, "involves"))
        return Offered(
            ROOT,
            "relations",
            offers,
            considered=int(in_graph.sum()),
            things=tuple(dict.fromkeys(things)),
            ties=tuple(ties),
            told=Told(reason="A relation has the mean probability of its two entities."),
        )

    def _both_layers(self, ontology: Ontology, nodes: Numbers) -> Numbers:
        """Return the nodes of the entities `nodes`, and of the passages that name them."""
        passages = len(self.workbench.index.passages)
        lower = nodes + passages
        neighbours = ontology.layers.neighbours(lower)
        return np.concatenate((neighbours[neighbours < passages], lower))

    def _passages(
        self, probabilities: Scores, words: Matches, cosine: Scores
    ) -> tuple[tuple[Hit, ...], set[str]]:
        """Rank passages by fusing their graph and similarity ranks.

        Returns the hits, and the ids of the `similar` passages with the highest similarity.
        """
        ids = self.workbench.index.ids
        graph = np.where(
            probabilities > 0, reciprocal_ranks(probabilities, self.k0_graph or self.k0), 0.0
        )
        similar = np.sum(hybrid(words, cosine, self.k0), axis=0)
        like = reciprocal_ranks(similar, self.k0)
        hits = tuple(
            Hit(ids[n], float(graph[n] + like[n]), _parts(graph[n], like[n]))
            for n in best(graph + like, max(_RANKED, self.top_k)).tolist()
        )
        return hits, {ids[n] for n in best(similar, self.similar).tolist()}

    def _stating_lines(self, related: Sequence[Offer], hits: Sequence[Hit]) -> tuple[Tie, ...]:
        """Return lines from the selected relations to the passages that state them."""
        facts, ids = self.workbench.get(FACTS).facts, self.workbench.index.ids
        ranked = {hit.passage_id for hit in hits}
        sources = ((o.target, ids[facts[fact_number(o.target)].passage]) for o in related)
        return tuple(
            Tie(f"{fact}>{name}", fact, name, "stated in")
            for fact, name in sources
            if name in ranked
        )

    def _naming_entities(
        self, ontology: Ontology, mass: Scores, hits: Sequence[Hit], stated: Sequence[Tie]
    ) -> list[tuple[Thing, Tie]]:
        """Return the most probable entity in each hit without a selected relation, and its line."""
        number, first = self.workbench.index.number, len(self.workbench.index.passages)
        done = {tie.target for tie in stated}
        found = []
        for name in (hit.passage_id for hit in hits if hit.passage_id not in done):
            beside = ontology.layers.neighbours(np.array([number[name]]))
            named = beside[(beside >= first) & (mass[beside] > 0)]
            if len(named):
                thing = entity_node(ontology, int(named[mass[named].argmax()]) - first)
                found.append((thing, Tie(f"{thing.id}>{name}", thing.id, name, "is named in")))
        return found


def _neighbour_step(ontology: Ontology, seeds: Sequence[int], nodes: Numbers) -> Offered:
    """Return the step with the seeds' neighbours, most often mentioned together first."""
    weights = np.asarray(ontology.entities.edges[list(seeds)].sum(axis=0), np.float64).ravel()
    others = np.setdiff1d(nodes, seeds)
    shown = others[best(weights[others], _NEIGHBOURS)].tolist()
    names = ontology.things.names
    offers = tuple(
        Offer(
            entity_id(names[n]), float(weights[n]), (Part(TOGETHER, float(weights[n])),), taken=True
        )
        for n in shown
    )
    ties = tuple(
        Tie(
            f"{entity_id(names[one])}>{entity_id(names[other])}",
            *_ends(names, one, other),
            edge_label(ontology.entities, one, weight),
        )
        for one, other, weight in ontology.entities.between(sorted({*seeds, *shown}))
    )
    things = tuple(entity_node(ontology, n) for n in shown)
    return Offered(ROOT, "neighbours", offers, considered=len(others), things=things, ties=ties)


def _ends(names: Sequence[str], one: int, other: int) -> tuple[str, str]:
    return entity_id(names[one]), entity_id(names[other])


def _reset(size: int, nodes: Numbers) -> Mass:
    """Return the reset vector, (size, 1): equal at each of `nodes`, summing to 1."""
    reset: Mass = np.zeros((size, 1), np.float32)
    reset[nodes] = 1 / len(nodes)
    return reset


def _parts(graph: float, like: float) -> tuple[Part, ...]:
    return tuple(Part(*one) for one in ((GRAPH, float(graph)), (LIKE, float(like))) if one[1])
