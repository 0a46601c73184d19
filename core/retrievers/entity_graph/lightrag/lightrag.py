"""LightRAG (arXiv 2410.05779): search for entities by names, and for relations by topics."""

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar

from core.artefacts.entity_graph.relations import RELATIONS, Relations
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.models.token_counts import tokens_of
from core.ranking import Scores
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.entity_graph.bridges import SIMILARITY
from core.retrievers.entity_graph.lightrag.joining import (
    Ways,
    similarity_line,
    ties_to_entities,
    ways_to_entities,
    ways_to_relations,
)
from core.retrievers.entity_graph.lightrag.levels import HIGH, LOW, Levels, levels_of, levels_said
from core.retrievers.entity_graph.lightrag.lists import brought, like_keywords
from core.retrievers.entity_graph.lightrag.passages import (
    TELLS,
    mention_lines,
    passages_by_entity,
    passages_by_relation,
    passages_mentioning,
    similar_passages,
)
from core.retrievers.entity_graph.lightrag.searching import (
    edges_of,
    entities_like,
    relations_like,
)
from core.retrievers.entity_graph.related import (
    Pair,
    entity_thing,
    relation_thing,
    with_room,
)
from core.retrievers.entity_graph.spreading import by_cosine
from core.retrievers.first_step import first_step_and_query
from core.retrievers.list_merging import IN_TURN, by_turns
from core.retrievers.searched_lists import Searched, query_in
from core.retrievers.settings import Setting
from core.steps import (
    LEFT_OUT,
    ROOT,
    Began,
    Cost,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Step,
    Thing,
    Told,
)
from core.types import Part

K = TypeVar("K")
LOCAL, GLOBAL = "local", "global"
"""The two searches: by the names in the query, and by its other keywords."""
OWN, ENTITIES, STATED = "question", "entities", "relations"
"""The passage lists to merge: similar to the query, of entities, and of relations."""
MERGED = {
    ENTITIES: (
        "Entities that were found directly, and the entities that the found relations connect."
    ),
    STATED: "Relations that were found directly, and relations between the found entities.",
}
"""The origin of the merged entities and relations."""
LISTS = {
    OWN: "passages similar to the query",
    ENTITIES: "passages of entities",
    STATED: "passages of relations",
}
"""The display names of the passage lists."""
BROUGHT = "All relations found were already reached through the entities."
_EDGES = 200  # relations of the entities found that are considered; fewer fit the limit
_REFUSED = 5  # entities or relations over the token limit that are listed too


@dataclass(frozen=True, slots=True)
class LightRag:
    """Passages of entities similar to the names in the query, and of relations similar to the rest.

    Entities add their relations, and relations their entities; each two lists are merged in turns,
    within the token limit. The passages of the kept entities and relations, and those similar to
    the query itself, are merged in turns.

    Parameters
    ----------
    entities, relations : number to search for (40 each in the paper's code).
    least : minimum cosine of a match (0.2 in the paper's code).
    room : tokens of the entities kept, and of the relations (6,000 and 8,000 in the paper's code).
    each : passages per two kept entities or relations (5 in the paper's code).
    passages : passages by their own vectors (20 in the paper's code); 0 is the paper's hybrid mode.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    entities: Annotated[int, Setting("entities to search for", least=1, most=100)] = 40
    relations: Annotated[int, Setting("relations to search for", least=1, most=100)] = 40
    least: Annotated[float, Setting("minimum cosine of a match", least=0, most=1)] = 0.2
    room: Annotated[
        int,
        Setting(
            "tokens per list (entities, relations)",
            least=100,
            most=9_000,
            title="token limit",
        ),
    ] = 2_000
    each: Annotated[
        int, Setting("passages per two kept entities or relations", least=1, most=20)
    ] = 5
    passages: Annotated[int, Setting("passages from plain embedding search", least=0, most=100)] = (
        20
    )

    card = Card(
        key="lightrag",
        title="LightRAG",
        badge="LG",
        family="entity graph",
        place=3,
        summary=(
            "Searches for entities named in the query and for the relations that it asks about."
        ),
        paper="Guo et al. 2024, arXiv 2410.05779",
        asks_model=True,
        substitute="Without a model, names in the query are the low-level keywords (for "
        "entities), and the other words are the high-level ones (for relations).",
        needs=(KEYWORDS, RELATIONS),
        parts={
            SIMILARITY: ("b", "cosine of the keywords and the description"),
            TELLS: ("d", "sum of 1 / rank over the kept entities or relations that it mentions"),
            LOCAL: ("a", "from the names: similar entities and their relations"),
            GLOBAL: ("c", "from the other keywords: similar relations and their entities"),
            OWN: ("b", "from the passages similar to the query"),
            ENTITIES: ("a", "from the passages that mention a kept entity"),
            STATED: ("c", "from the passages that state a kept relation"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the keywords, both searches, their merged lists, and last the ranking."""
        asked, encoded = first_step_and_query(self, query)
        yield asked
        started, bench, index = time.perf_counter(), self.workbench, self.workbench.index
        relations = bench.get(RELATIONS)
        own = self.workbench.cosines(encoded.vector)
        mentions = bench.get(KEYWORDS).mentions(query)
        levels, told = levels_of(bench.oracle, query, mentions, self.card.substitute)
        yield Began("keywords", 0)
        yield levels_said(levels, told)
        yield Began("search", 0)
        near, apt = yield from self._search_keywords(levels, relations)
        if not near and not apt:
            why = "No entity or relation is similar to a keyword"
            yield by_cosine(index, self.top_k, started, own, why)
            return
        named = dict.fromkeys(n for pair in apt for n in pair)
        yield Began("merging", 0)
        edges = edges_of(near, relations, _EDGES)
        to_entities = ways_to_entities(near, apt, relations)
        to_relations = ways_to_relations(near, apt, edges, relations)
        listed, kept = self._merge_lists(
            ENTITIES, near, named, lambda n: entity_thing(n, relations), to_entities
        )
        yield listed
        listed, pairs = self._merge_lists(
            STATED, edges, apt, lambda p: relation_thing(p, relations), to_relations
        )
        ways = (*to_entities.values(), *to_relations.values())
        yield replace(listed, ties=(*listed.ties, *ties_to_entities(pairs, kept, relations, ways)))
        yield Began("passages", 0)
        lists = yield from self._lists(kept, pairs, relations, own)
        hits = by_turns(lists)
        ties = mention_lines(kept, hits[: self.top_k], index, relations)
        of = tuple(LISTS[name] for name, found in lists.items() if found)
        yield Pooled(of, hits[: self.top_k], ties=ties, told=Told(reason=IN_TURN))
        end = Told(Cost(time.perf_counter() - started))
        yield Ranked(hits[: self.top_k], hits[self.top_k :], told=end)

    def searched(self, steps: Sequence[Step]) -> Iterator[Searched]:
        """Yield entities and relations by the keywords, and passages."""
        bench, relations = self.workbench, self.workbench.get(RELATIONS)
        most = {LOW: self.entities, HIGH: self.relations}
        yield from like_keywords(bench, relations, steps, most, self.least)
        yield from brought(bench, relations, steps)
        own = bench.cosines(bench.encode(query_in(steps)).vector)
        yield Searched.from_scores(
            "passage", own, min(self.passages, len(own)), where="by its own embedding"
        )

    def _search_keywords(
        self, levels: Levels, relations: Relations
    ) -> Generator[Step, None, tuple[dict[int, float], dict[Pair, float]]]:
        """Search entities by the low keywords and relations by the high ones, by cosine."""
        lines = [", ".join(levels.low), ", ".join(levels.high)]
        named, asks = self.workbench.embedder.encode(lines)
        near: dict[int, float] = {}
        apt: dict[Pair, float] = {}
        if levels.low:
            near = entities_like(named, relations, self.entities, self.least)
            shown = [entity_thing(n, relations) for n in near]
            yield _similarity_step(LOW, ENTITIES, shown, near.values(), len(relations.names))
        if levels.high:
            apt = relations_like(asks, relations, self.relations, self.least)
            shown = [relation_thing(p, relations) for p in apt]
            yield _similarity_step(HIGH, STATED, shown, apt.values(), len(relations.pairs))
        return near, apt

    def _merge_lists(
        self,
        of: str,
        local: Iterable[K],
        wide: Iterable[K],
        thing_of: Callable[[K], Thing],
        ways: Ways,
    ) -> tuple[Offered, list[K]]:
        """Merge the results of both searches in turns, within the token limit.

        Returns the step that shows them, and the keys of those kept.
        """
        keys = {LOCAL: list(local), GLOBAL: list(wide)}
        things = {key: thing_of(key) for merged_things in keys.values() for key in merged_things}
        key_of = {thing.id: key for key, thing in things.items()}
        merged = by_turns({name: [things[key].id for key in keys[name]] for name in keys})
        merged_things = [things[key_of[hit.passage_id]] for hit in merged]
        sizes = [tokens_of(f"{thing.label} {thing.detail}") for thing in merged_things]
        fit = with_room(sizes, self.room)
        offers = tuple(
            Offer(
                hit.passage_id,
                hit.score,
                hit.parts,
                taken=place < fit,
                tie=ways[hit.passage_id].id,
                notes=() if place < fit else ((LEFT_OUT, "over the token limit"),),
                size=size,
            )
            for place, (hit, size) in enumerate(zip(merged, sizes, strict=True))
        )[: fit + _REFUSED]
        listed = Offered(
            ROOT,
            f"merged {of}",
            offers,
            considered=len(merged),
            room=self.room,
            things=tuple(merged_things[: len(offers)]),
            ties=tuple(ways[offer.target] for offer in offers),
            told=Told(reason=MERGED[of]),
        )
        return listed, [key_of[offer.target] for offer in offers[:fit]]

    def _lists(
        self, kept: Sequence[int], pairs: Sequence[Pair], relations: Relations, own: Scores
    ) -> Generator[Step, None, dict[str, list[str]]]:
        """Yield the steps of three passage lists; return their ids, best first.

        A passage in the list of the entities is left out of the list of the relations.
        """
        index = self.workbench.index
        like = similar_passages(index, own, self.passages)
        if like.offers:
            yield like
        facts_by_key, most = passages_by_entity(kept, relations), self.each * len(kept) // 2
        of_entities = passages_mentioning(
            "entity passages", "entities", facts_by_key, (), index, own, most
        )
        yield of_entities
        brought = [offer.target for offer in of_entities.offers]
        facts_by_key, most = passages_by_relation(pairs, relations), self.each * len(pairs) // 2
        of_pairs = passages_mentioning(
            "relation passages", "relations", facts_by_key, brought, index, own, most
        )
        yield of_pairs if of_pairs.taken else replace(of_pairs, told=Told(reason=BROUGHT))
        return {
            OWN: [offer.target for offer in like.offers],
            ENTITIES: brought,
            STATED: [offer.target for offer in of_pairs.taken],
        }


def _similarity_step(
    level: str, kind: str, things: Sequence[Thing], scores: Iterable[float], considered: int
) -> Offered:
    """Return the step with the nodes similar to the keywords of a level, best first."""
    ties = tuple(similarity_line(level, thing.id) for thing in things)
    offers = tuple(
        Offer(tie.target, score, (Part(SIMILARITY, score),), taken=True, tie=tie.id)
        for tie, score in zip(ties, scores, strict=True)
    )
    return Offered(level, kind, offers, considered=considered, things=tuple(things), ties=ties)
