"""HiRAG (arXiv 2503.10150): entities, their communities, and the bridge between the key ones."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

import numpy as np

from core.artefacts.entity_graph.graph import FACTS
from core.artefacts.entity_graph.relations import RELATIONS, Relations
from core.artefacts.graph_summaries.communities import COMMUNITIES, Communities
from core.artefacts.graph_summaries.summary_entities import HIERARCHY, HIERARCHY_GRAPH
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.ranking import Scores, best
from core.retrievers.base import KEPT, TOP_K, Card, ranked_by
from core.retrievers.entity_graph.bridges import (
    SIMILARITY,
    Bridge,
    bridge_of,
    bridged,
    entities_taken,
)
from core.retrievers.entity_graph.related import entities_mentioned
from core.retrievers.entity_graph.reports import rank_communities, reports_by
from core.retrievers.entity_graph.spreading import entity_id
from core.retrievers.first_step import first_step_and_query
from core.retrievers.searched_lists import Searched, query_in
from core.retrievers.settings import Setting
from core.steps import Cost, Pooled, Ranked, Step, Tie, Told
from core.types import Hit, Part

OWN, LOCAL, BRIDGE = "passage", "entities", "bridge"
_NAMELESS = "No passage names an entity, so passages are ranked by their cosine alone."


@dataclass(frozen=True, slots=True)
class HiRag:
    """Passages of the entities most similar to the query, and of the bridge between key entities.

    Entities and summary entities are searched by their vectors, communities by the number of these
    entities that they contain. The bridge consists of the shortest paths between the key entities
    of these communities, in order.

    Parameters
    ----------
    entities : entities selected (20 in the paper's code).
    communities : communities selected.
    key : key entities per community (10 in the paper's code).
    room : tokens of the reports (20,000 in the paper's code).
    local, bridge : weights of the nearest entity, and of a fact on the bridge.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    entities: Annotated[int, Setting("entities selected", least=1, most=100)] = 20
    communities: Annotated[int, Setting("communities selected", least=1, most=20)] = 4
    key: Annotated[int, Setting("key entities per community", least=1, most=10)] = 3
    room: Annotated[
        int,
        Setting(
            "tokens for the reports",
            least=100,
            most=20_000,
            title="token limit",
        ),
    ] = 2_000
    local: Annotated[float, Setting("weight of the nearest entity", least=0, most=1)] = 0.3
    bridge: Annotated[float, Setting("weight of a fact on the bridge", least=0, most=1)] = 0.1

    card = Card(
        key="hirag",
        title="HiRAG",
        badge="HI",
        family="entity graph",
        place=3,
        summary=(
            "Combines entities similar to the query, their communities, and the links between them."
        ),
        paper="Huang et al. 2025, arXiv 2503.10150",
        needs=(KEYWORDS, FACTS, RELATIONS, HIERARCHY, HIERARCHY_GRAPH, COMMUNITIES),
        parts={
            SIMILARITY: ("b", "cosine of the query and the entity's description"),
            OWN: ("b", "cosine of query and passage"),
            LOCAL: ("a", "from the closest entity that it mentions (cosine)"),
            BRIDGE: ("c", "from the closest fact on the bridge that it states (cosine)"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the entities, communities and bridge selected, and last the ranking."""
        asked, encoded = first_step_and_query(self, query)
        yield asked
        started, get = time.perf_counter(), self.workbench.get
        relations, hierarchy, groups = get(RELATIONS), get(HIERARCHY), get(COMMUNITIES)
        own = self.workbench.cosines(encoded.vector)
        if not relations.names:
            ranked = ranked_by(self.workbench.index, self.top_k, started, passage=own)
            yield replace(ranked, told=replace(ranked.told, fallback=_NAMELESS))
            return
        nodes = np.concatenate((relations.vectors, hierarchy.vectors))
        cosine = (nodes @ encoded.vector).astype(np.float64)
        taken = best(cosine, self.entities).tolist()
        yield entities_taken(taken, cosine, relations, hierarchy)
        reports = (groups.vectors @ encoded.vector).astype(np.float64)
        said = reports_by(self.workbench)
        listed, held = rank_communities(
            taken, relations, groups, reports, self.communities, self.room, said
        )
        yield listed
        keys = self._key_entities(held, groups, cosine)
        bridge = bridge_of(keys, relations, get(HIERARCHY_GRAPH))
        if bridge.nodes:
            yield bridged(bridge, cosine, relations, hierarchy)
        fact_cosine = (relations.told.vectors @ encoded.vector).astype(np.float64)
        hits, ties = self._passages(taken, bridge, relations, own, cosine, fact_cosine)
        yield Pooled(("texts about the entities", "the bridge"), hits[: self.top_k], ties=ties)
        end = Told(Cost(time.perf_counter() - started), reason=said)
        yield Ranked(hits[: self.top_k], hits[self.top_k :], told=end)

    def searched(self, steps: Sequence[Step]) -> Iterator[Searched]:
        """Yield all entities and summary entities by cosine."""
        relations, hierarchy = self.workbench.get(RELATIONS), self.workbench.get(HIERARCHY)
        nodes = np.concatenate((relations.vectors, hierarchy.vectors))
        cosine = (nodes @ self.workbench.encode(query_in(steps)).vector).astype(np.float64)
        leads = partial(entities_mentioned, relations)
        taken = min(self.entities, len(cosine))
        yield Searched.from_scores("entity", cosine, taken, leads, relations.names.__getitem__)

    def _key_entities(self, held: Sequence[int], groups: Communities, cosine: Scores) -> list[int]:
        """Return the `key` entities of each community most similar to the query, each once."""
        key_entities: dict[int, None] = {}
        for number in held:
            members = np.array(groups.communities[number].members, np.int64)
            key_entities |= dict.fromkeys(members[best(cosine[members], self.key)].tolist())
        return list(key_entities)

    def _passages(
        self,
        taken: Sequence[int],
        bridge: Bridge,
        relations: Relations,
        own: Scores,
        cosine: Scores,
        fact_cosine: Scores,
    ) -> tuple[tuple[Hit, ...], tuple[Tie, ...]]:
        """Rank the passages of the entities and the bridge, with lines from the entities."""
        nearest: dict[int, int] = {}
        for node in taken:  # the nearest one comes first
            if node < len(relations.names):
                for passage in relations.passages(node):
                    nearest.setdefault(passage, node)
        stated: dict[int, float] = {}
        for fact in bridge.facts:
            passage = relations.told.facts[fact].passage
            stated[passage] = max(stated.get(passage, 0.0), float(fact_cosine[fact]))
        parts = {}
        for number in sorted({*nearest, *stated}):
            addends = [Part(OWN, float(own[number]))]
            if number in nearest:
                addends.append(Part(LOCAL, self.local * float(cosine[nearest[number]])))
            if number in stated:
                addends.append(Part(BRIDGE, self.bridge * stated[number]))
            parts[number] = tuple(addends)
        ids = self.workbench.index.ids
        scores = {number: sum(part.value for part in parts[number]) for number in parts}
        order = sorted(parts, key=lambda number: (-scores[number], number))
        ties = tuple(
            Tie(f"{entity}>{ids[number]}", entity, ids[number], "mentioned in")
            for number in order[: self.top_k]
            if number in nearest and (entity := entity_id(relations.names[nearest[number]]))
        )
        return tuple(Hit(ids[n], scores[n], parts[n]) for n in order), ties
