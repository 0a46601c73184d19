"""The lists behind LightRAG's steps, whole: what both levels searched, and the passages."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from core.artefacts.entity_graph.relations import Relations
from core.artefacts.workbench import Workbench
from core.retrievers.entity_graph.lightrag.levels import HIGH, LOW
from core.retrievers.entity_graph.lightrag.passages import passages_by_entity, passages_mentioning
from core.retrievers.entity_graph.lightrag.searching import relations_like, stated_by
from core.retrievers.entity_graph.related import Pair, entities_mentioned, facts_stated, relation_id
from core.retrievers.entity_graph.spreading import entity_id
from core.retrievers.searched_lists import Searched, lists_in, query_in
from core.steps import Offered, Said, Step
from core.vectors import Vectors

NO_ROOM = "but it exceeds the token limit"

Merged = Mapping[str, Offered]
"""The lists of the outermost question, by what they list."""


def like_keywords(
    bench: Workbench,
    relations: Relations,
    steps: Sequence[Step],
    most: Mapping[str, int],
    least: float,
) -> Iterator[Searched]:
    """Yield all entities by the low keywords, and all relations by the high ones.

    Parameters
    ----------
    most : maximum number of results per level.
    least : minimum cosine of a result.
    """
    merged = {step.of: step for _, step in lists_in(steps)}
    things = [thing for step in steps if isinstance(step, Said) for thing in step.things]
    for level, whole in ((LOW, _entity_list), (HIGH, _relation_list)):
        for line in (thing.label for thing in things if thing.id == level):
            recorded = next((step for _, step in lists_in(steps) if step.at == level), None)
            taken = len(recorded.offers) if recorded else 0
            bar = least if taken < most[level] else None
            yield whole(relations, bench.embedder.encode([line])[0], taken, bar, merged)


def _entity_list(
    relations: Relations, asked: Vectors, taken: int, least: float | None, merged: Merged
) -> Searched:
    """Return the complete ranking of entities, to find out where a passage was lost."""
    cosine = (relations.vectors @ asked).astype(np.float64)
    one = Searched.from_scores(
        *("entity", cosine, taken, partial(entities_mentioned, relations)),
        name=relations.names.__getitem__,
        least=least,
    )
    kept = _kept_ids(merged, "merged entities")
    first = one.order[:taken]
    out = [n for n in first if entity_id(relations.names[n]) not in kept]
    return one.with_after(dict.fromkeys(out, NO_ROOM))


def _relation_list(
    relations: Relations, asked: Vectors, taken: int, least: float | None, merged: Merged
) -> Searched:
    """Return the complete ranking of relations, to find out where a passage was lost."""
    cosines = relations_like(asked, relations, len(relations.pairs), -np.inf)
    pairs, scores = list(cosines), list(cosines.values())
    number = {pair: place for place, pair in enumerate(pairs)}
    facts_graph = relations.told

    def leads(passage: int) -> set[int]:
        facts = (facts_graph.facts[fact] for fact in facts_stated(facts_graph, passage))
        return {number[pair] for fact in facts for pair in stated_by(fact, relations)}

    kept = _kept_ids(merged, "merged relations")
    out = [n for n in range(taken) if relation_id(pairs[n], relations) not in kept]
    return Searched(
        *("relation", range(len(pairs)), dict(enumerate(scores)), taken, leads),
        name=lambda n: _called(pairs[n], relations),
        least=least,
        after=dict.fromkeys(out, NO_ROOM),
    )


def _called(pair: Pair, relations: Relations) -> str:
    return " – ".join(relations.names[number] for number in pair)


def _kept_ids(merged: Merged, of: str) -> set[str]:
    """Return the ids that the merge `of` kept; empty if it did not take place."""
    return {offer.target for offer in merged[of].taken} if of in merged else set()


def brought(bench: Workbench, relations: Relations, steps: Sequence[Step]) -> Iterator[Searched]:
    """Yield all passages that mention a kept entity, including those cut off."""
    merged = {step.of: step for _, step in lists_in(steps)}
    if "entity passages" not in merged:
        return
    numbers = {entity_id(name): number for name, number in relations.number.items()}
    kept = [numbers[offer.target] for offer in merged["merged entities"].taken]
    index = bench.index
    own = bench.cosines(bench.encode(query_in(steps)).vector)
    every = passages_mentioning(
        "", "", passages_by_entity(kept, relations), (), index, own, len(index.ids)
    ).offers
    order = [index.number[offer.target] for offer in every]
    scores = dict(zip(order, (offer.score for offer in every), strict=True))
    taken, where = len(merged["entity passages"].offers), "among the passages of the kept entities"
    yield Searched("brought", order, scores, taken, where=where)
