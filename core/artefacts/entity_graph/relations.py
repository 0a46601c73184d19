"""Entities with the facts about them, and relations between entities of the same fact."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from core.artefacts.base import Artefact
from core.artefacts.entity_graph.graph import FACTS, Fact, Facts, Numbers, is_linkable
from core.vectors import Vectors, unit_norm

if TYPE_CHECKING:
    import networkx as nx

_MOST = 12  # names of a fact that are joined to one another; a list of more joins everything


@dataclass(frozen=True, slots=True, eq=False)
class Relations:
    """Entities that facts name (`named`), sorted, and the pairs that share a fact.

    `facts` are the numbers of the facts that name each entity; `vectors` is (entities, d), the
    unit-norm mean of their vectors, in place of a description. `pairs` are the relations: two
    numbers of entities, the smaller first, with the facts that name both. `graph` joins the pairs,
    with the number of shared facts as `weight`.
    """

    names: tuple[str, ...]
    number: Mapping[str, int]
    facts: tuple[tuple[int, ...], ...]
    vectors: Vectors
    pairs: Mapping[tuple[int, int], tuple[int, ...]]
    graph: "nx.Graph"
    told: Facts

    def between(self, one: int, other: int) -> tuple[int, ...]:
        """Return the facts that name both of two entities; none if they are not related."""
        return self.pairs.get((min(one, other), max(one, other)), ())

    def passages(self, entity: int) -> tuple[int, ...]:
        """Return the passages whose facts mention an entity, each passage once."""
        return tuple(dict.fromkeys(self.told.facts[fact].passage for fact in self.facts[entity]))


def relations(facts_table: Facts) -> Relations:
    """Return all relations of the facts `facts_table`."""
    import networkx as nx  # only here, as every list of retrievers would wait for it

    facts_by_name = named(facts_table.facts)
    names = tuple(sorted(facts_by_name))
    number_of = {name: number for number, name in enumerate(names)}
    facts = tuple(tuple(facts_by_name[name]) for name in names)
    pairs = _pairs(facts_table.facts, number_of)
    graph = nx.Graph()
    graph.add_nodes_from(range(len(names)))
    graph.add_weighted_edges_from((a, b, len(numbers)) for (a, b), numbers in pairs.items())
    return Relations(
        names, number_of, facts, mean_vectors(facts, facts_table.vectors), pairs, graph, facts_table
    )


def named(facts: Sequence[Fact]) -> dict[str, list[int]]:
    """Group the facts by the entities that they name.

    A date or a number counts as an entity only as a subject.
    """
    subjects = {fact.subject for fact in facts}
    facts_by_name: defaultdict[str, list[int]] = defaultdict(list)
    for number, fact in enumerate(facts):
        for name in dict.fromkeys(fact.names):
            if name in subjects or is_linkable(name):
                facts_by_name[name].append(number)
    return facts_by_name


def _pairs(
    facts: Sequence[Fact], number: Mapping[str, int]
) -> dict[tuple[int, int], tuple[int, ...]]:
    """Group the facts by pairs of entities that they name, the smaller number first.

    Only the first `_MOST` entities of a fact are paired, because pairs grow with the square.
    """
    facts_by_pair: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for place, fact in enumerate(facts):
        entities = [number[name] for name in fact.names if name in number]
        for pair in combinations(sorted(set(entities[:_MOST])), 2):
            facts_by_pair[pair].append(place)
    return {pair: tuple(facts_by_pair[pair]) for pair in sorted(facts_by_pair)}


def mean_vectors(rows: Sequence[Sequence[int]], vectors: Vectors) -> Vectors:
    """Return the unit-norm mean of the `vectors` of each row's numbers, (rows, d)."""
    starts = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    columns: Numbers = np.array([number for row in rows for number in row], np.int64)
    ones = np.ones(len(columns), np.float32)
    holds = sparse.csr_matrix((ones, columns, starts), shape=(len(rows), len(vectors)))
    return unit_norm(holds @ vectors)


RELATIONS = Artefact(
    "relations",
    "Entities, and how often they are mentioned together.",
    lambda bench, _: relations(bench.get(FACTS)),
    needs=(FACTS,),
)
