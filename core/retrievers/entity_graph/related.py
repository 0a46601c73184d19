"""Trace nodes of entities and relations, and the number of them within a token limit."""

from collections.abc import Sequence
from itertools import accumulate

from core.artefacts.entity_graph.graph import Facts
from core.artefacts.entity_graph.relations import Relations
from core.retrievers.entity_graph.bridges import cropped
from core.retrievers.entity_graph.spreading import entity_id
from core.steps import Thing

Pair = tuple[int, int]
"""Two related entities by their numbers, the smaller first."""


def entity_thing(number: int, relations: Relations) -> Thing:
    """Return the trace node of an entity, with its most central sentence."""
    name = relations.names[number]
    return Thing(entity_id(name), "entity", name, described(number, relations))


def described(number: int, relations: Relations) -> str:
    """Return the fact nearest to the mean of an entity's facts, as its description."""
    facts, graph_facts = relations.facts[number], relations.told
    nearest = int((graph_facts.vectors[list(facts)] @ relations.vectors[number]).argmax())
    return graph_facts.facts[facts[nearest]].text


def relation_id(pair: Pair, relations: Relations) -> str:
    """Return the id of a relation in a trace."""
    one, other = (relations.names[number] for number in pair)
    return f"relation:{one}|{other}"


def relation_thing(pair: Pair, relations: Relations) -> Thing:
    """Return a relation as a node of the trace, with the first sentence that names both
    entities.
    """
    one, other = (relations.names[number] for number in pair)
    return Thing(
        relation_id(pair, relations),
        "relation",
        cropped(f"{one} – {other}"),
        stated(pair, relations),
    )


def stated(pair: Pair, relations: Relations) -> str:
    """Return the first sentence that names both entities of a relation."""
    return relations.told.facts[relations.between(*pair)[0]].text


def with_room(sizes: Sequence[int], room: int) -> int:
    """Count the first items whose `sizes` add up to at most `room`.

    >>> with_room([3, 3, 3, 1], 7)
    2
    """
    return sum(total <= room for total in accumulate(sizes))


def facts_stated(facts: Facts, passage: int) -> list[int]:
    """Return the numbers of the facts that a passage states."""
    return [number for number, fact in enumerate(facts.facts) if fact.passage == passage]


def entities_mentioned(relations: Relations, passage: int) -> set[int]:
    """Return the numbers of the entities that a passage mentions."""
    graph_facts = relations.told
    names = (
        name
        for fact in facts_stated(graph_facts, passage)
        for name in graph_facts.facts[fact].names
    )
    return {relations.number[name] for name in names if name in relations.number}
