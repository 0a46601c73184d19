"""How often each passage mentions each entity, and graphs of entities and facts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from core.artefacts.base import Artefact
from core.artefacts.entity_graph.graph import ENTITIES, FACTS, Entities, EntityGraph, Fact, Numbers
from core.artefacts.entity_graph.imported_facts import extracted, passage_entities


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """How often passages mention entities.

    `counts` is (passages, entities): the number of facts of a passage that name an entity, at
    least 1 if the passage names it outside facts. `bearers` is (entities,): how many passages name
    each.
    """

    counts: sparse.csr_matrix
    bearers: Numbers


def mentions(
    passages: Sequence[Sequence[str]], entities: Entities, facts: Sequence[Fact]
) -> Mentions:
    """Count mentions from the names of each passage and the facts that passages state."""
    number = entities.number
    cells = [(fact.passage, number[name]) for fact in facts for name in fact.names]
    named = [(n, entity) for n, names in enumerate(passages) for entity in entities.numbers(names)]
    shape = (len(passages), max(1, len(entities.names)))
    counts = _count_matrix(cells, shape).maximum(_count_matrix(named, shape)).tocsr()
    return Mentions(counts, np.bincount(counts.indices, minlength=shape[1]))


def _count_matrix(pairs: Sequence[tuple[int, int]], shape: tuple[int, int]) -> sparse.csr_matrix:
    rows, columns = np.array(pairs, np.int64).reshape(-1, 2).T
    return sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), shape=shape)


MENTIONS = Artefact(
    "mentions",
    "How often each passage mentions each entity.",
    lambda bench, _: mentions(
        passage_entities(bench.index, extracted(bench.index)),
        bench.get(ENTITIES),
        bench.get(FACTS).facts,
    ),
    needs=(ENTITIES, FACTS),
)
NAMES_GRAPH = Artefact(
    "names-graph",
    "Entities, linked by co-occurrence or similarity.",
    lambda bench, _: EntityGraph((), bench.get(ENTITIES), bench.get(FACTS).facts),
    needs=(ENTITIES, FACTS),
)


def fact_links(entities: Entities, facts: Sequence[Fact]) -> sparse.csr_matrix:
    """Build the graph of facts, followed by entities: 1 where a fact names an entity.

    Returns a (nodes, nodes) matrix. Unlike a triple, a fact joins all entities that it names.
    """
    cells = [(n, entities.number[name]) for n, fact in enumerate(facts) for name in fact.names]
    rows, columns = np.array(cells, np.int64).reshape(-1, 2).T
    size = len(facts) + len(entities.names)
    ones = np.ones(len(rows), np.float32)
    half = sparse.csr_matrix((ones, (rows, columns + len(facts))), shape=(size, size))
    return (half + half.T).tocsr()


FACT_LINKS = Artefact(
    "fact-links",
    "Facts and entities, linked where a fact mentions an entity.",
    lambda bench, _: fact_links(bench.get(ENTITIES), bench.get(FACTS).facts),
    needs=(ENTITIES, FACTS),
)
