"""Communities of entities that share facts, in levels, each with a report."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from core.artefacts.base import Artefact, Bench, ExpectedPrompts, Tables
from core.artefacts.entity_graph.relations import RELATIONS, Relations, mean_vectors
from core.artefacts.making import embed_texts
from core.artefacts.stored_artefacts import is_foreseeable
from core.artefacts.tree.summaries import (
    Sentences,
    nearest,
    prompt_of,
    prompts_by_names,
    write_summaries,
)
from core.progress import Progress, Report
from core.ranking import best
from core.store import schema
from core.vectors import Vectors

RESOLUTION = 1.0
SEED = 0
LEVELS = 3
_LEAST = 2  # entities of a community; one alone has nothing to report
_READ = 40  # facts of a community that a model reads, those nearest to its centre
_NAMES_EACH, _PASSAGES_EACH = 5, 2  # names and passages per report, in a forecast
_NAME = "communities"


@dataclass(frozen=True, slots=True)
class Community:
    """A community: numbers of entities in `Relations`, and a report on them.

    `level` counts from 1, the finest; `parent` is the number of the community of the next level
    that holds it, None at the last. `maker` is the model that wrote the report, empty for facts
    nearest to the centre.
    """

    level: int
    members: tuple[int, ...]
    parent: int | None
    report: str
    maker: str


@dataclass(frozen=True, slots=True, eq=False)
class Communities:
    """All communities, level by level; `vectors` is (communities, d), of the reports.

    `of` maps each entity to its community of level 1, if it has one.
    """

    communities: tuple[Community, ...]
    vectors: Vectors
    of: dict[int, int]

    def above(self, entity: int) -> Iterator[int]:
        """Yield the communities of an entity, the finest first."""
        number = self.of.get(entity)
        while number is not None:
            yield number
            number = self.communities[number].parent


def partitions(relations: Relations) -> list[list[tuple[int, ...]]]:
    """Return levels of communities by Louvain's method (Blondel et al. 2008), finest first.

    Each level merges communities of the level before. Entities without a relation are left out.
    """
    import networkx as nx  # only here, as every list of retrievers would wait for it

    graph = relations.graph.subgraph(sorted(n for n, degree in relations.graph.degree if degree))
    if not graph.number_of_edges():
        return []
    ordered = nx.Graph()  # of a subgraph the order is another one in another process
    ordered.add_nodes_from(sorted(graph))
    ordered.add_weighted_edges_from(sorted(graph.edges(data="weight")))
    louvain = nx.community.louvain_partitions(
        ordered, weight="weight", resolution=RESOLUTION, seed=SEED
    )
    levels = [sorted(tuple(sorted(part)) for part in level) for level in louvain]
    return [[part for part in level if len(part) >= _LEAST] for level in levels[:LEVELS]]


def _make(bench: Bench, report: Report) -> Tables:
    """Partition the entities, and write and embed a report on each community."""
    relations = bench.get(RELATIONS)
    levels = partitions(relations)
    members = [part for level in levels for part in level]
    level_of = [number for number, level in enumerate(levels, start=1) for _ in level]
    graph_facts = relations.told
    sentences = Sentences([fact.text for fact in graph_facts.facts], graph_facts.vectors)
    facts = [_facts_inside(relations, part) for part in members]
    centres = mean_vectors(facts, graph_facts.vectors)
    instead = []
    for number, (rows, centre) in enumerate(zip(facts, centres, strict=True)):
        if number % 500 == 0:
            report(Progress(_NAME, number, len(members)))
        instead.append(" ".join(sentences.texts[row] for row in nearest(rows, sentences, centre)))
    read = (
        nearest_rows(rows, graph_facts.vectors, centre)
        for rows, centre in zip(facts, centres, strict=True)
    )
    texts_to_read = [[sentences.texts[row] for row in rows] for rows in read]
    texts, makers = write_summaries(bench, texts_to_read, instead, report, _NAME)
    table = schema.vectors_table(texts, embed_texts(bench, texts, report, _NAME))
    for column, values in (
        ("level", pa.array(level_of, pa.int32())),
        ("maker", pa.array(makers, pa.string())),
        ("members", pa.array([list(part) for part in members], pa.list_(pa.int64()))),
    ):
        table = table.append_column(column, values)
    return {"communities": table}


def nearest_rows(rows: Sequence[int], vectors: Vectors, centre: Vectors) -> Sequence[int]:
    """Choose the facts of a community that the model reads: those nearest to its centre.

    Parameters
    ----------
    rows : the facts of the community, by their rows in `vectors`.
    vectors : (facts, d), unit-norm.
    centre : (d,), of the community.

    Returns
    -------
    All of them, or the `_READ` nearest, in their own order.
    """
    if len(rows) <= _READ:
        return rows
    cosine = (vectors[list(rows)] @ centre).astype(np.float64)
    return [rows[place] for place in sorted(best(cosine, _READ).tolist())]


def _facts_inside(relations: Relations, members: Sequence[int]) -> list[int]:
    """Return the facts that join two of `members`, or all facts of members if none does."""
    inside = relations.graph.subgraph(members)
    joined = {fact for one, other in inside.edges for fact in relations.between(one, other)}
    return sorted(joined or {fact for member in members for fact in relations.facts[member]})


def _open(_: Bench, tables: Tables) -> Communities:
    """Build the communities, with their parents, from the table."""
    table = tables["communities"]
    columns = (table[name].to_pylist() for name in ("level", "members", "text", "maker"))
    rows = list(zip(*columns, strict=True))
    place = {(level, entity): n for n, (level, part, *_) in enumerate(rows) for entity in part}
    communities = tuple(
        Community(level, tuple(part), place.get((level + 1, part[0])), text, maker)
        for level, part, text, maker in rows
    )
    of = {entity: number for (level, entity), number in place.items() if level == 1}
    return Communities(communities, schema.vector_matrix(table["vector"]), of)


def _expected_prompts(bench: Bench) -> ExpectedPrompts:
    """Return the prompts, or an estimate of their number and length if there are no facts yet."""
    if not is_foreseeable([RELATIONS], bench):
        return prompts_by_names(bench, _NAMES_EACH, _PASSAGES_EACH)
    relations = bench.get(RELATIONS)
    graph_facts = relations.told
    facts = [_facts_inside(relations, part) for level in partitions(relations) for part in level]
    prompts = []
    for rows, centre in zip(facts, mean_vectors(facts, graph_facts.vectors), strict=True):
        read = nearest_rows(rows, graph_facts.vectors, centre)
        prompts.append(prompt_of([graph_facts.facts[row].text for row in read]))
    return ExpectedPrompts(prompts)


COMMUNITIES = Artefact(
    _NAME,
    "Groups of entities mentioned together, on several levels, each with a report.",
    _open,
    _make,
    needs=(RELATIONS,),
    params={"resolution": RESOLUTION, "levels": LEVELS},
    asks_model=True,
    parts="reports",
    substitute=(
        "Without a model, a report consists of the sentences closest to the centre of the "
        "community."
    ),
    expected_prompts=_expected_prompts,
    version=2,
)
