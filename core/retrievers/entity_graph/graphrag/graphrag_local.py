"""GraphRAG, local search (arXiv 2404.16130): entities, their reports, relations and passages."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from core.artefacts.entity_graph.relations import RELATIONS, Relations
from core.artefacts.graph_summaries.communities import COMMUNITIES
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.models.token_counts import tokens_of
from core.ranking import Scores, best
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.entity_graph.bridges import SIMILARITY
from core.retrievers.entity_graph.graphrag.around import (
    DEGREE,
    ENTITY,
    INSIDE,
    LINKS,
    OWN,
    STATES,
    passages_of_entities,
    relations_beside,
)
from core.retrievers.entity_graph.related import (
    entities_mentioned,
    entity_thing,
    relation_thing,
    stated,
    with_room,
)
from core.retrievers.entity_graph.reports import rank_communities, reports_by
from core.retrievers.entity_graph.spreading import by_cosine, entity_id
from core.retrievers.first_step import first_step_and_query
from core.retrievers.searched_lists import Searched, query_in
from core.retrievers.settings import Setting
from core.steps import LEFT_OUT, ROOT, Cost, Offer, Offered, Pooled, Ranked, Step, Tie, Told
from core.types import Part

REPORTS, GRAPH = 0.15, 0.35
"""Shares of the token limit for reports and relations; the rest is for the passages."""
_REFUSED = 5  # relations over the token limit that are listed too


@dataclass(frozen=True, slots=True)
class GraphRagLocal:
    """Passages that mention the entities most similar to the query, in the order of the entities.

    The reports of their communities and their relations are collected too, within the token limit;
    in the paper, a reader gets them beside the passages.

    Parameters
    ----------
    entities : entities selected (10 in the paper's code, which searches for twice as many and keeps
        all).
    communities : maximum number of community reports.
    each : relations per entity that lead to other entities (10 in the paper's code).
    room : tokens that a reader gets in total (12,000 in the paper's code).
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    entities: Annotated[int, Setting("entities selected", least=1, most=100)] = 10
    communities: Annotated[int, Setting("communities selected", least=1, most=20)] = 5
    each: Annotated[int, Setting("relations per entity", least=1, most=50)] = 10
    room: Annotated[
        int,
        Setting(
            "tokens read in total",
            least=100,
            most=50_000,
            title="token limit",
        ),
    ] = 12_000

    card = Card(
        key="graphrag-local",
        title="GraphRAG (local)",
        badge="GL",
        family="entity graph",
        place=3,
        summary="Finds entities similar to the query, then the passages that describe them.",
        paper="Edge et al. 2024, arXiv 2404.16130",
        needs=(KEYWORDS, RELATIONS, COMMUNITIES),
        parts={
            SIMILARITY: ("b", "cosine of the query and the entity's description"),
            INSIDE: ("a", "connects two of the selected entities"),
            LINKS: ("c", "entities related to its other end"),
            DEGREE: ("b", "relations of both ends, as a share of the maximum"),
            ENTITY: ("a", "rank of the first selected entity that it mentions"),
            STATES: ("c", "relations of that entity that it states"),
            OWN: ("b", "half the cosine of query and passage"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the entities, reports, relations and passages selected, and last the ranking."""
        asked, encoded = first_step_and_query(self, query)
        yield asked
        started, index = time.perf_counter(), self.workbench.index
        relations, groups = self.workbench.get(RELATIONS), self.workbench.get(COMMUNITIES)
        own = self.workbench.cosines(encoded.vector)
        if not relations.names:
            yield by_cosine(index, self.top_k, started, own, "No passage names an entity")
            return
        cosine = (relations.vectors @ encoded.vector).astype(np.float64)
        taken = best(cosine, self.entities).tolist()
        yield _entity_step(taken, cosine, relations)
        reports = (groups.vectors @ encoded.vector).astype(np.float64)
        room = int(REPORTS * self.room)
        said = reports_by(self.workbench)
        listed, _ = rank_communities(
            taken, relations, groups, reports, self.communities, room, said
        )
        if listed.offers:
            yield listed
        beside = self._relation_step(taken, relations)
        if beside.offers:
            yield beside
        hits, first = passages_of_entities(taken, relations, index, own)
        ties = tuple(
            Tie(f"{entity}>{hit.passage_id}", entity, hit.passage_id, "mentioned in")
            for hit in hits[: self.top_k]
            for entity in [entity_id(relations.names[first[hit.passage_id]])]
        )
        yield Pooled(("the texts about these entities",), hits[: self.top_k], ties=ties)
        end = Told(Cost(time.perf_counter() - started), reason=said)
        yield Ranked(hits[: self.top_k], hits[self.top_k :], told=end)

    def searched(self, steps: Sequence[Step]) -> Iterator[Searched]:
        """Yield one list: all entities by cosine similarity to the query, the best
        `self.entities` selected.
        """
        relations = self.workbench.get(RELATIONS)
        query_vector = self.workbench.encode(query_in(steps)).vector
        cosine = (relations.vectors @ query_vector).astype(np.float64)
        leads = partial(entities_mentioned, relations)
        taken = min(self.entities, len(cosine))
        yield Searched.from_scores("entity", cosine, taken, leads, relations.names.__getitem__)

    def _relation_step(self, taken: Sequence[int], relations: Relations) -> Offered:
        """Return the step with the relations of the entities, selected within the token limit."""
        room = int(GRAPH * self.room)
        beside, all_ = relations_beside(taken, relations, self.each)
        sizes = [tokens_of(stated(one.pair, relations)) for one in beside]
        fit = with_room(sizes, room)
        shown = beside[: fit + _REFUSED]
        things = tuple(relation_thing(one.pair, relations) for one in shown)
        offers = tuple(
            Offer(
                thing.id,
                one.score,
                one.parts,
                taken=place < fit,
                notes=() if place < fit else ((LEFT_OUT, "over the token limit"),),
                size=size,
            )
            for place, (one, thing, size) in enumerate(zip(shown, things, sizes, strict=False))
        )
        ties = tuple(
            Tie(f"{entity}>{thing.id}", entity, thing.id, "relation")
            for one, thing in zip(shown, things, strict=True)
            for n in one.pair
            if n in taken
            for entity in [entity_id(relations.names[n])]
        )
        return Offered(
            ROOT, "relations", offers, considered=all_, room=room, things=things, ties=ties
        )


def _entity_step(taken: Sequence[int], cosine: Scores, relations: Relations) -> Offered:
    """Return the step that selects the entities `taken` by their cosine with the question."""
    things = tuple(entity_thing(n, relations) for n in taken)
    offers = tuple(
        Offer(thing.id, float(cosine[n]), (Part(SIMILARITY, float(cosine[n])),), taken=True)
        for n, thing in zip(taken, things, strict=True)
    )
    return Offered(ROOT, "entities", offers, considered=len(cosine), things=things)
