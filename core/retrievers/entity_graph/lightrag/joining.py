"""The lines between keywords, entities and relations: how each was reached, and what it joins."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from core.artefacts.entity_graph.relations import Relations
from core.retrievers.entity_graph.lightrag.levels import HIGH, LOW
from core.retrievers.entity_graph.related import Pair, relation_id
from core.retrievers.entity_graph.spreading import entity_id
from core.steps import Tie

JOINS = "joins"

Ways = Mapping[str, Tie]
"""The line by which each node was reached, by its id."""


def similarity_line(level: str, thing: str) -> Tie:
    """Return the line from the keywords of a level to a similar entity or relation."""
    return Tie(f"{level}>{thing}", level, thing)


def ways_to_entities(near: Iterable[int], apt: Iterable[Pair], relations: Relations) -> Ways:
    """Return one tie to each entity that was found.

    An entity in `near` was found by the low-level keywords; any other is tied to the first
    relation in `apt` that it belongs to.
    """
    ways = {one: similarity_line(LOW, one) for one in (entity_id(relations.names[n]) for n in near)}
    for relation, entity in _between(apt, relations):
        ways.setdefault(entity, _joins(relation, entity))
    return ways


def ways_to_relations(
    near: Iterable[int], apt: Iterable[Pair], edges: Iterable[Pair], relations: Relations
) -> Ways:
    """Return one tie to each relation that was found.

    A relation in `apt` was found by the high-level keywords; any other in `edges` is tied to one
    of its entities that is in `near`.
    """
    known = {entity_id(relations.names[n]) for n in near}
    ways = {
        one: similarity_line(HIGH, one) for one in (relation_id(pair, relations) for pair in apt)
    }
    for relation, entity in _between(edges, relations):
        if entity in known:
            ways.setdefault(relation, _joins(entity, relation))
    return ways


def ties_to_entities(
    pairs: Iterable[Pair], kept: Collection[int], relations: Relations, ways: Iterable[Tie]
) -> list[Tie]:
    """Return ties from each relation to its kept entities, except pairs that `ways` joins."""
    entities = {entity_id(relations.names[n]) for n in kept}
    joined = {frozenset((way.source, way.target)) for way in ways}
    return [
        _joins(relation, entity)
        for relation, entity in _between(pairs, relations)
        if entity in entities and frozenset((relation, entity)) not in joined
    ]


def _between(pairs: Iterable[Pair], relations: Relations) -> Iterator[tuple[str, str]]:
    """Yield each relation with each of its two entities, as ids."""
    for pair in pairs:
        for n in pair:
            yield relation_id(pair, relations), entity_id(relations.names[n])


def _joins(one: str, other: str) -> Tie:
    return Tie(f"{one}>{other}", one, other, JOINS)
