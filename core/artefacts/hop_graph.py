"""The graph of one index in memory, and how similar its vertices and edges are to a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.artefacts.base import Artefact, Bench, Tables
from core.artefacts.near import near
from core.artefacts.scored import AllScored, Scored, listed
from core.ranking import best
from core.store.adjacency import Numbers
from core.store.edges import StoredGraph
from core.store.index import Index
from core.vectors import Vectors

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class EncodedQuery:
    """A question as the graph compares it: NER(q) and EMB(q); `vector` is (d,) unit-norm."""

    text: str
    keywords: tuple[str, ...]
    vector: Vectors


@dataclass(frozen=True, slots=True, eq=False)
class Similarity:
    """SIM (Eq. 1) of many things to one question, with both of its halves; arrays of one length."""

    jaccard: Floats
    cosine: Floats

    @property
    def score(self) -> Floats:
        return (self.jaccard + self.cosine) / 2


class Likeness:
    """SIM of all passages, or of all edges, to one question, by what is known of its halves."""

    def __init__(self, jaccard: Scored, cosine: Scored) -> None:
        self._jaccard = jaccard
        self._cosine = cosine

    @cached_property
    def listed(self) -> Numbers:
        """Where the most similar ones are looked for, ascending."""
        return listed((self._jaccard, self._cosine))

    @cached_property
    def _scores(self) -> Floats:
        return self.of(self.listed).score

    def ahead(self, numbers: Numbers) -> None:
        self._jaccard.ahead(numbers)
        self._cosine.ahead(numbers)

    def of(self, numbers: Numbers) -> Similarity:
        return Similarity(self._jaccard.of(numbers), self._cosine.of(numbers))

    def best(self, count: int) -> Numbers:
        """The `count` most similar ones, best first; equal ones in order of number."""
        return self.listed[best(self._scores, count)]


class Graph:
    """Vertices are passage numbers, edges are edge numbers of `index`."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._adjacency = index.graph.adjacency
        self.source = self._adjacency.source
        self.target = self._adjacency.target
        self._edge_keywords = KeywordSets(index.graph.all_edge_keywords)
        self._passage_keywords = KeywordSets(index.passage_keywords)

    def leaving(self, vertex: int) -> Numbers:
        """Edges that start in `vertex`, in order of their numbers."""
        return self._adjacency.leaving(vertex)

    def arriving(self, vertex: int) -> Numbers:
        """Edges that end in `vertex`, in order of their numbers."""
        return self._adjacency.arriving(vertex)

    def edges_like(self, query: EncodedQuery) -> Likeness:
        """SIM(e, q) of every edge: its keywords, and its in-coming question's vector."""
        carried = self.index.graph.all_carried
        cosine = (carried.vectors @ query.vector)[carried.row].astype(np.float64)
        jaccard = self._edge_keywords.jaccard(query.keywords)
        return Likeness(AllScored(jaccard), AllScored(cosine))

    def passages_like(self, query: EncodedQuery) -> Likeness:
        """SIM(v, q) of every vertex: keywords and vector of its title and text."""
        jaccard = self._passage_keywords.jaccard(query.keywords)
        return Likeness(AllScored(jaccard), near(self.index, query.vector))


class KeywordSets:
    """Many sets of keywords, each to be compared with one other set at a time."""

    def __init__(self, sets: Sequence[Sequence[str]]) -> None:
        self._column: dict[str, int] = {}
        known = self._column
        columns = [known.setdefault(word, len(known)) for words in sets for word in words]
        self._sizes = np.array([len(words) for words in sets], np.float64)
        starts = np.concatenate(([0], np.cumsum(self._sizes))).astype(np.int64)
        ones = np.ones(len(columns), np.float32)
        shape = (len(sets), max(1, len(known)))
        self._holds = sparse.csr_matrix((ones, columns, starts), shape=shape).tocsc()

    def jaccard(self, keywords: Sequence[str]) -> Floats:
        """Shared over all, in [0, 1], of each set with `keywords`; 0 where both are empty."""
        columns = [self._column[word] for word in keywords if word in self._column]
        shared = np.asarray(self._holds[:, columns].sum(axis=1), np.float64).ravel()
        union = self._sizes + len(keywords) - shared
        return np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)


def _raised(bench: Bench, _: Tables) -> StoredGraph:
    """With what a walk shows beside the vectors, the texts."""
    graph = bench.index.graph
    graph.raised(np.zeros(0, np.int64))
    graph.raised_questions([])
    return graph


GRAPH = Artefact(
    "hop-graph", "Passages and edges as arrays, with their keywords.", lambda b, _: Graph(b.index)
)
RAISED = Artefact("raised", "The vector of the out-coming question of each edge.", _raised)
