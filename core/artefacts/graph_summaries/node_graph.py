"""One graph of texts, sentences, entities, relationships and their summaries (NodeRAG)."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

from core.artefacts.base import Artefact, Bench, ExpectedPrompts, Tables
from core.artefacts.entity_graph.graph import FACTS, Numbers, synonyms
from core.artefacts.entity_graph.relations import RELATIONS, Relations
from core.artefacts.graph_summaries.communities import COMMUNITIES, Communities
from core.artefacts.making import embed_texts
from core.artefacts.stored_artefacts import is_foreseeable
from core.artefacts.tree.summaries import prompt_of, write_summaries
from core.progress import Progress, Report
from core.ranking import Scores
from core.store import schema
from core.vectors import Vectors

Kind = Literal["text", "unit", "entity", "relationship", "attribute", "element", "title"]
"""Kinds of nodes, in the order of their numbers: a passage, a sentence, an entity, two entities
of one fact, the description of an important entity, the report of a community, its title."""
KINDS: tuple[Kind, ...] = get_args(Kind)

ALIKE = 0.8
"""Cosine of units from which on they are joined (the paper's nearest neighbours of an index)."""
_READ = 40  # facts of an important entity that a model reads
_PIVOTS = 10  # nodes from which betweenness is estimated
_TITLE = 3  # entities in the title of a community
_NAMED = 10  # passages of an important entity, in a forecast
_UNCERTAIN = 4  # times the number of prompts that was estimated, at most
_NAME = "node-graph"


@dataclass(frozen=True, slots=True, eq=False)
class NodeGraph:
    """Nodes by number, kind by kind; `starts` has the first of each kind and, last, how many.

    `edges` is (nodes, nodes), 1 where two are joined, `step` the same with columns that sum to 1,
    or to 0. `pairs` are the two entities of each relationship and `titles` the entities in each
    title, by their numbers in `Relations`. `attributes` are (entity, text), with their `vectors`;
    `maker` is the model that wrote them.
    """

    starts: tuple[int, ...]
    edges: sparse.csr_matrix
    step: sparse.csr_matrix
    pairs: tuple[tuple[int, int], ...]
    titles: tuple[tuple[int, ...], ...]
    attributes: tuple[tuple[int, str], ...]
    vectors: Vectors
    maker: str

    @property
    def size(self) -> int:
        return self.starts[-1]

    def first(self, kind: Kind) -> int:
        """Return the number of the first node of a kind."""
        return self.starts[KINDS.index(kind)]

    def kind(self, node: int) -> Kind:
        return KINDS[int(np.searchsorted(self.starts[:-1], node, side="right")) - 1]

    def nodes(self, kind: Kind) -> Numbers:
        """Return the numbers of all nodes of a kind."""
        place = KINDS.index(kind)
        return np.arange(self.starts[place], self.starts[place + 1])

    def walk(self, start: Scores, share: float, rounds: int) -> Iterator[Scores]:
        """Yield a lazy walk: of each node `share` goes on in each round, the rest stays.

        That is p = a M p + (1 - a) p, without a return to the start.
        """
        now = start
        for _ in range(rounds):
            now = share * (self.step @ now) + (1 - share) * now
            yield now

    def pagerank(self, start: Scores, share: float, enough: float = 1e-3) -> Scores:
        """Return the fixed point of p = share M p + (1 - share) start, where M is the step matrix.

        Iteration stops once the L1 change is below `enough`.
        """
        now, moved = start, 1.0
        while moved >= enough:
            then = share * (self.step @ now) + (1 - share) * start
            moved = float(np.abs(then - now).sum())
            now = then
        return now


def important_entities(relations: Relations) -> list[int]:
    """Return the entities in the k-core, with k = round(ln n * sqrt(mean degree)), or of high
    betweenness.

    High is above the mean times round(log10 n); betweenness is estimated from a few pivot nodes.
    """
    import networkx as nx  # only here, as every list of retrievers would wait for it

    graph = relations.graph
    nodes = graph.number_of_nodes()
    if nodes < 2 or not graph.number_of_edges():
        return []
    k = round(math.log(nodes) * math.sqrt(2 * graph.number_of_edges() / nodes))
    central = {node for node, core in nx.core_number(graph).items() if core >= k}
    between = nx.betweenness_centrality(graph, k=min(_PIVOTS, nodes), seed=0)
    much = sum(between.values()) / nodes * round(math.log10(nodes))
    return sorted(central | {node for node, value in between.items() if value > much})


def _make(bench: Bench, report: Report) -> Tables:
    """Find similar facts and communities, and describe important entities with the model.

    Only texts that the model wrote become attributes; without a model there are none.
    """
    relations, groups = bench.get(RELATIONS), bench.get(COMMUNITIES)
    graph_facts = relations.told
    report(Progress(_NAME, 0, 1))
    vectors = np.concatenate((graph_facts.vectors, groups.vectors))
    one, other, _ = synonyms(vectors, _compared(report, len(vectors)), alike=ALIKE)
    entities = important_entities(relations) if bench.oracle else []
    fact_texts = [[graph_facts.facts[n].text for n in relations.facts[e][:_READ]] for e in entities]
    texts, makers = write_summaries(bench, fact_texts, [""] * len(entities), report, _NAME)
    rows = [row for row in zip(entities, texts, makers, strict=True) if row[2]]
    vectors = embed_texts(bench, [text for _, text, _ in rows], report, _NAME)
    table = schema.vectors_table([text for _, text, _ in rows], vectors)
    table = table.append_column("entity", pa.array([row[0] for row in rows], pa.int64()))
    return {
        "near": pa.table({"one": one, "other": other}),
        "attributes": table.append_column("maker", pa.array([r[2] for r in rows], pa.string())),
    }


def _compared(report: Report, total: int) -> Callable[[int], None]:
    return lambda done: report(Progress(_NAME, done, total))


def _open(bench: Bench, tables: Tables) -> NodeGraph:
    """Number the nodes kind by kind, and join them as in NodeRAG."""
    relations, groups = bench.get(RELATIONS), bench.get(COMMUNITIES)
    table, near = tables["attributes"], tables["near"]
    described = table["entity"].to_pylist()
    pairs, titles = tuple(relations.pairs), tuple(_titles(relations, groups))
    facts = relations.told.facts
    sizes = (
        *(len(bench.index.passages), len(facts), len(relations.names), len(pairs), len(described)),
        *(len(titles), len(titles)),
    )
    starts = tuple(np.cumsum((0, *sizes)).tolist())
    text, unit, entity, relationship, attribute, element, title = starts[:-1]
    joined = [(text + fact.passage, unit + n) for n, fact in enumerate(facts)]
    joined += [
        (unit + n, entity + e)
        for e, fact_numbers in enumerate(relations.facts)
        for n in fact_numbers
    ]
    joined += [(entity + e, relationship + n) for n, pair in enumerate(pairs) for e in pair]
    joined += [(entity + e, attribute + n) for n, e in enumerate(described)]
    for n, community in enumerate(groups.communities):
        joined += [(entity + e, element + n) for e in community.members]
        joined.append((element + n, title + n))
    behind = element - unit - len(facts)  # units and elements were compared in one row
    ends = (near[name].to_numpy().astype(np.int64) for name in ("one", "other"))
    one, other = (unit + e + behind * (e >= len(facts)) for e in ends)
    maker = next(iter(table["maker"].to_pylist()), "")
    edges = _edges(joined, one, other, starts[-1])
    degree = np.asarray(edges.sum(axis=0)).ravel()
    return NodeGraph(
        starts,
        edges,
        edges @ sparse.diags(np.divide(1, degree, out=np.zeros_like(degree), where=degree > 0)),
        pairs,
        titles,
        tuple(zip(described, table["text"].to_pylist(), strict=True)),
        schema.vector_matrix(table["vector"]),
        maker,
    )


def _edges(
    joined: Sequence[tuple[int, int]], one: Numbers, other: Numbers, size: int
) -> sparse.csr_matrix:
    """Return the (size, size) symmetric 0/1 adjacency matrix of the edges in `joined`, and
    `one`–`other`.
    """
    first, second = np.array(joined, np.int64).reshape(-1, 2).T
    rows, columns = np.concatenate((first, one)), np.concatenate((second, other))
    ones: NDArray[np.float64] = np.ones(len(rows))
    half = sparse.csr_matrix((ones, (rows, columns)), shape=(size, size))
    both = (half + half.T).tocsr()
    both.data[:] = 1
    return both


def _titles(relations: Relations, groups: Communities) -> Iterator[tuple[int, ...]]:
    """Yield the title of each community: its members with the most facts."""
    for community in groups.communities:
        order = sorted(community.members, key=lambda e: (-len(relations.facts[e]), e))
        yield tuple(order[:_TITLE])


def _expected_prompts(bench: Bench) -> ExpectedPrompts:
    """Return the prompts, or one for each name that many passages have if facts are missing."""
    if is_foreseeable([RELATIONS], bench):
        relations = bench.get(RELATIONS)
        facts = [relations.facts[entity][:_READ] for entity in important_entities(relations)]
        return ExpectedPrompts(
            [prompt_of([relations.told.facts[row].text for row in rows]) for rows in facts]
        )
    often = Counter(name for names in bench.index.passage_keywords for name in names)
    texts = [passage.text for passage in bench.index.passages]
    many = [name for name, count in sorted(often.items()) if count >= _NAMED]
    starts = (place * len(texts) // len(many) for place in range(len(many)))
    prompts = [prompt_of(texts[start : start + _NAMED]) for start in starts]
    return ExpectedPrompts(prompts, _UNCERTAIN * len(prompts))


NODE_GRAPH = Artefact(
    _NAME,
    "Texts, sentences, entities, relationships and their summaries as nodes of one graph.",
    _open,
    _make,
    needs=(FACTS, RELATIONS, COMMUNITIES),
    params={"alike": ALIKE},
    asks_model=True,
    parts="attributes",
    otherwise="left out",
    substitute="Without a model, important entities have no attributes.",
    expected_prompts=_expected_prompts,
)
