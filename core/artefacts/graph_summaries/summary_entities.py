"""Summary entities over similar entities, as in HiRAG (arXiv 2503.10150)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from core.artefacts.base import Artefact, Bench, Tables
from core.artefacts.entity_graph.relations import RELATIONS, Relations, mean_vectors
from core.artefacts.tree.clustering import soft_clusters
from core.progress import Progress, Report
from core.text.stop_words import STOP_WORDS
from core.text.tokens import words
from core.vectors import Vectors

if TYPE_CHECKING:
    import networkx as nx

LAYERS = 4
CHANGE = 0.05
"""Of the sparsity, at which no further layer is made (the paper's 5%)."""
_ROOM = 50  # members of a summary entity
_TERMS = 3  # of its name
_BEARERS = 2  # an entity of fewer passages is like nothing else that is told
_NAME = "hierarchy"


@dataclass(frozen=True, slots=True)
class SummaryEntity:
    """A generalisation of several entities, or of summary entities of the layer below.

    A member below the number of entities is an entity; from there on it is a summary entity, offset
    by that number. `label` has the words that distinguish the facts of its members from those of
    others.
    """

    layer: int
    label: str
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Hierarchy:
    """All summary entities; `vectors` is (summary entities, d), unit-norm means of their members'.
    Behind them `parents` has those that each node is a member of; a node is an entity, or a summary
    entity by its number behind all entities.
    """

    entities: int
    summaries: tuple[SummaryEntity, ...]
    vectors: Vectors
    parents: dict[int, tuple[int, ...]]


def sparsity(groups: Sequence[int], nodes: int) -> float:
    """Return the share of pairs of nodes that no cluster joins, 1 - sum |S|(|S|-1) / (n(n-1)).

    Parameters
    ----------
    groups : how many of the `nodes` each cluster has.

    >>> sparsity([2, 2], 4)
    0.6666666666666667
    """
    if nodes < 2:
        return 0.0
    return 1 - sum(size * (size - 1) for size in groups) / (nodes * (nodes - 1))


def _make(bench: Bench, report: Report) -> Tables:
    """Cluster the entities layer by layer, and label each cluster as a summary entity.

    It ends when clusters no longer merge nodes, or sparsity changes by at most `CHANGE`.
    """
    relations = bench.get(RELATIONS)
    entities = len(relations.names)
    current = np.array(
        [n for n in range(entities) if len(relations.passages(n)) >= _BEARERS], np.int64
    )
    vectors = relations.vectors
    facts_of = {int(n): relations.facts[n] for n in current}
    layers: list[int] = []
    members: list[list[int]] = []
    before = 0.0
    for layer in range(1, LAYERS + 1):
        report(Progress(_NAME, layer - 1, LAYERS))
        if len(current) < 2:
            break
        parts = soft_clusters(vectors[current], [1] * len(current), _ROOM)
        if len(parts) >= len(current):
            break
        first = len(vectors)
        for number, part in enumerate(parts, start=first):
            cluster = current[part].tolist()
            layers.append(layer)
            members.append(cluster)
            facts_of[number] = tuple(dict.fromkeys(fact for n in cluster for fact in facts_of[n]))
        vectors = np.concatenate((vectors, mean_vectors(members[first - entities :], vectors)))
        now = sparsity([len(part) for part in parts], len(current))
        if layer > 1 and abs(now - before) <= CHANGE * before:
            break
        before, current = now, np.arange(first, len(vectors))
    labels = _labels(relations, [facts_of[entities + n] for n in range(len(members))])
    return {
        "summaries": pa.table(
            {
                "layer": pa.array(layers, pa.int32()),
                "label": pa.array(labels, pa.string()),
                "members": pa.array(members, pa.list_(pa.int64())),
            }
        )
    }


def _labels(relations: Relations, facts: Sequence[Sequence[int]]) -> list[str]:
    """Return the words with the highest tf-idf in the texts of each summary entity's members."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # as every list would wait for it

    texts = [" ".join(relations.told.facts[n].text for n in numbers) for numbers in facts]
    if not texts:
        return []
    content = TfidfVectorizer(analyzer=_content)
    try:
        weights = content.fit_transform(texts)
    except ValueError:  # nothing but stop words
        return [""] * len(texts)
    names = content.get_feature_names_out()
    labels = []
    for row in weights:
        terms = zip((-row.data).tolist(), names[row.indices].tolist(), strict=True)
        labels.append(", ".join(name for _, name in sorted(terms)[:_TERMS]))
    return labels


def _content(text: str) -> list[str]:
    return [word for word in words(text) if word not in STOP_WORDS]


def _open(bench: Bench, tables: Tables) -> Hierarchy:
    """Build the hierarchy from its table; vectors are the means of the members' vectors."""
    relations = bench.get(RELATIONS)
    rows = tables["summaries"].to_pylist()
    summaries = tuple(SummaryEntity(r["layer"], r["label"], tuple(r["members"])) for r in rows)
    entities, vectors = len(relations.names), relations.vectors
    parents: dict[int, tuple[int, ...]] = {}
    for layer in sorted({one.layer for one in summaries}):
        made = mean_vectors([one.members for one in summaries if one.layer == layer], vectors)
        vectors = np.concatenate((vectors, made))
    for number, one in enumerate(summaries, start=entities):
        for member in one.members:
            parents[member] = (*parents.get(member, ()), number)
    return Hierarchy(entities, summaries, vectors[entities:], parents)


HIERARCHY = Artefact(
    _NAME,
    "Layers of summary entities, each describing what similar entities have in common.",
    _open,
    _make,
    needs=(RELATIONS,),
    params={"layers": LAYERS, "change": CHANGE},
)


def joined(relations: Relations, hierarchy: Hierarchy) -> "nx.Graph":
    """Return the relations, and behind their entities each summary entity joined to its members."""
    graph = relations.graph.copy()
    for member, parents in sorted(hierarchy.parents.items()):
        graph.add_edges_from((member, parent) for parent in parents)
    return graph


HIERARCHY_GRAPH = Artefact(
    "hierarchy-graph",
    "Entities and summary entities, linked by relations and by membership.",
    lambda bench, _: joined(bench.get(RELATIONS), bench.get(HIERARCHY)),
    needs=(RELATIONS, HIERARCHY),
)
