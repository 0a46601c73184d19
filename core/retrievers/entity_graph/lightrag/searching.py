"""Search entities and relations by a vector, and list the relations of entities."""

from collections.abc import Iterable, Iterator
from heapq import nsmallest
from itertools import combinations

import numpy as np

from core.artefacts.entity_graph.graph import Fact
from core.artefacts.entity_graph.relations import Relations
from core.ranking import best
from core.retrievers.entity_graph.related import Pair
from core.vectors import Vectors

_FACTS = 20  # facts read per relation to find


def entities_like(
    vector: Vectors, relations: Relations, most: int, least: float
) -> dict[int, float]:
    """Return entities with a cosine above `least`, best first."""
    cosine = (relations.vectors @ vector).astype(np.float64)
    return {n: float(cosine[n]) for n in best(cosine, most).tolist() if cosine[n] > least}


def relations_like(
    vector: Vectors, relations: Relations, most: int, least: float
) -> dict[Pair, float]:
    """Return relations by the cosine of their nearest fact above `least`, best first."""
    cosine = (relations.told.vectors @ vector).astype(np.float64)
    best_pairs: dict[Pair, float] = {}
    for number in best(cosine, _FACTS * most).tolist():
        for pair in stated_by(relations.told.facts[number], relations):
            if len(best_pairs) == most or cosine[number] <= least:
                return best_pairs
            best_pairs.setdefault(pair, float(cosine[number]))
    return best_pairs


def stated_by(fact: Fact, relations: Relations) -> Iterator[Pair]:
    """Yield the subject with each object, or all pairs of names if there is no subject."""
    number = relations.number
    pairs = [(fact.subject, name) for name in fact.objects] if fact.subject else None
    for names in pairs or combinations(fact.objects, 2):
        one, other = sorted(number.get(name, -1) for name in names)
        if (one, other) in relations.pairs:
            yield one, other


def edges_of(entities: Iterable[int], relations: Relations, most: int) -> list[Pair]:
    """Return the relations of `entities`, by their entities' degrees, then by number of facts."""
    graph = relations.graph
    pairs = {(min(one, n), max(one, n)) for one in entities for n in graph[one]}
    degree = dict(graph.degree({n for pair in pairs for n in pair}))

    def order(pair: Pair) -> tuple[int, int, Pair]:
        one, other = pair
        return -degree[one] - degree[other], -len(relations.pairs[pair]), pair

    return nsmallest(most, pairs, key=order)
