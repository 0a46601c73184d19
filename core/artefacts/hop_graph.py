"""The graph of an index, and the similarity of its vertices and edges to a question."""

from dataclasses import dataclass

import numpy as np

from core.artefacts.base import Artefact, Bench, Tables
from core.artefacts.scoring.nearest_passages import NEARNESS, Nearness, searched_cosines
from core.artefacts.scoring.scores import AllScored, First, Scored
from core.artefacts.scoring.similarity import Keyworded, KeywordSets, Likeness, StoredSets
from core.ranking import Scores
from core.store.adjacency import Numbers
from core.store.graph.paged import PagedGraph
from core.store.graph.stored_graph import StoredGraph
from core.store.index import Index
from core.vectors import Vectors

_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class EncodedQuery:
    """A question with its keywords NER(q) and embedding EMB(q), (d,) unit-norm."""

    text: str
    keywords: tuple[str, ...]
    vector: Vectors


class Graph:
    """The graph of `index`. Vertices are passage numbers, edges are edge numbers."""

    def __init__(self, index: Index, nearness: Nearness) -> None:
        self.index = index
        self._adjacency = index.graph.adjacency
        self.source = self._adjacency.source
        self.target = self._adjacency.target
        self._near = nearness
        self._edge_keywords, self._passage_keywords = _keywords(index)

    def leaving(self, vertex: int) -> Numbers:
        """Return the edges that start in `vertex`, ordered by number."""
        return self._adjacency.leaving(vertex)

    def arriving(self, vertex: int) -> Numbers:
        """Return the edges that end in `vertex`, ordered by number."""
        return self._adjacency.arriving(vertex)

    def edges_like(self, query: EncodedQuery) -> Likeness:
        """Return SIM(e, q) of every edge, by its keywords and the vector of its in-question."""
        jaccard = self._edge_keywords.jaccard(query.keywords)
        return Likeness(jaccard, _carried_near(self.index.graph, query.vector))

    def passages_like(self, query: EncodedQuery) -> Likeness:
        """Return SIM(v, q) of every vertex, by keywords and vector of its title and text."""
        jaccard = self._passage_keywords.jaccard(query.keywords)
        return Likeness(jaccard, self._near.to(query.vector))


def _keywords(index: Index) -> tuple[Keyworded, Keyworded]:
    """Return the keyword sets of edges, and those of passages."""
    if isinstance(index.graph, PagedGraph):
        return StoredSets(index.graph.with_keywords), StoredSets(index.with_keywords)
    return KeywordSets(index.graph.all_edge_keywords), KeywordSets(index.passage_keywords)


def _carried_near(graph: StoredGraph, vector: Vectors) -> Scored:
    """Return the cosine of `vector` and the in-question of each edge."""
    if isinstance(graph, PagedGraph):
        return _EdgesNear(graph, vector)
    carried = graph.all_carried
    return AllScored((carried.vectors @ vector)[carried.row].astype(np.float64))


class _EdgesNear:
    """Cosines of edges in a large index, by a search for the nearest in-questions."""

    def __init__(self, graph: PagedGraph, vector: Vectors) -> None:
        self._graph = graph
        self._asked = searched_cosines(graph.nearest_carried, graph.carried_at, vector)

    @property
    def low(self) -> float:
        return self._asked.low

    @property
    def high(self) -> float:
        return self._asked.high

    def first(self, count: int) -> First:
        numbers, rest = self._asked.first(count)
        edges = [self._graph.carrying.of(number) for number in numbers.tolist()]
        return First(np.sort(np.concatenate([_NONE, *edges])), rest)

    def of(self, numbers: Numbers) -> Scores:
        return self._asked.of(self._graph.carried_rows(numbers))

    def prefetch(self, numbers: Numbers) -> None:
        self.of(numbers)


def _with_question_texts(bench: Bench, _: Tables) -> StoredGraph:
    """Open the graph, and load the question texts that a walk shows."""
    graph = bench.index.graph
    graph.raised(np.zeros(0, np.int64))
    graph.raised_questions([])
    return graph


GRAPH = Artefact(
    "hop-graph",
    "Passages and edges of the HopRAG graph, with their keywords.",
    lambda bench, _: Graph(bench.index, bench.get(NEARNESS)),
    needs=(NEARNESS,),
)
RAISED = Artefact("raised", "The embedding of each edge's out-question.", _with_question_texts)
