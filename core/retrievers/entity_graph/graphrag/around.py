"""What lies round some entities: relations in the order in which they count, and texts."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from core.artefacts.entity_graph.relations import Relations
from core.ranking import Scores
from core.retrievers.entity_graph.related import Pair
from core.store.index import Index
from core.types import Hit, Part

INSIDE, LINKS, DEGREE = "inside", "links", "degree"
"""Parts of the score of a relation."""
ENTITY, STATES, OWN = "entity", "relations", "passage"
"""Parts of the score of a passage."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A relation of an entity that was taken, and what speaks for it."""

    pair: Pair
    parts: tuple[Part, ...]

    @property
    def score(self) -> float:
        return sum(part.value for part in self.parts)


def relations_beside(
    taken: Sequence[int], relations: Relations, each: int
) -> tuple[list[Beside], int]:
    """Rank the relations of the entities `taken`, and count them before the limit.

    Relations between two of them come first, then those that lead to an entity related to most of
    them; ties go to entities with more relations. At most `each` per entity lead out.
    """
    graph, inner = relations.graph, set(taken)
    pairs = {(min(one, n), max(one, n)) for one in taken for n in graph[one]}
    links = Counter(n for pair in pairs if not inner.issuperset(pair) for n in pair)
    degree = {pair: graph.degree[pair[0]] + graph.degree[pair[1]] for pair in pairs}
    highest = max(degree.values(), default=0) + 1
    inside, outside = [], []
    for pair in pairs:
        share = Part(DEGREE, degree[pair] / highest)
        if inner.issuperset(pair):
            inside.append(Beside(pair, (Part(INSIDE, float(len(taken) + 1)), share)))
        else:
            (out,) = set(pair) - inner
            outside.append(Beside(pair, (Part(LINKS, float(links[out])), share)))
    best = [sorted(group, key=lambda one: (-one.score, one.pair)) for group in (inside, outside)]
    return [*best[0], *best[1][: each * len(taken)]], len(pairs)


def passages_of_entities(
    entities: Sequence[int], relations: Relations, index: Index, own: Scores
) -> tuple[tuple[Hit, ...], dict[str, int]]:
    """Return the passages that mention the selected entities, ranked, and each one's first entity.

    Passages are ranked by their first entity, then by the number of its relations that they state,
    then by cosine. The score encodes this order: one place among entities outweighs all relations,
    and one relation outweighs half the cosine.

    Parameters
    ----------
    taken : the numbers of the selected entities, best first.
    own : the cosine of each passage and the question, (n,).
    """
    first: dict[int, int] = {}
    states: dict[int, int] = {}
    for entity in entities:
        for passage, others in _stated(entity, relations).items():
            if passage not in first:
                first[passage], states[passage] = entity, len(others)
    step = max(states.values(), default=0) + 1
    worth = {entity: float((len(entities) - place) * step) for place, entity in enumerate(entities)}
    hits = [
        Hit(
            index.ids[passage],
            worth[entity] + states[passage] + float(own[passage]) / 2,
            (
                Part(ENTITY, worth[entity]),
                Part(STATES, float(states[passage])),
                Part(OWN, float(own[passage]) / 2),
            ),
        )
        for passage, entity in first.items()
    ]
    hits.sort(key=lambda hit: (-hit.score, index.number[hit.passage_id]))
    return tuple(hits), {index.ids[passage]: entity for passage, entity in first.items()}


def _stated(entity: int, relations: Relations) -> dict[int, set[int]]:
    """Return the related entities of `entity` by passage number."""
    neighbours: defaultdict[int, set[int]] = defaultdict(set)
    for number in relations.facts[entity]:
        fact = relations.told.facts[number]
        others = {relations.number.get(name, entity) for name in fact.names} - {entity}
        neighbours[fact.passage] |= {n for n in others if relations.between(entity, n)}
    return neighbours
