"""The graph of an index as it is stored: pseudo-queries, and the edges made from them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from core.store.adjacency import Adjacency, EdgeGroups, Numbers
from core.text.display.question_wording import spoken
from core.types import Edge, PseudoQuery
from core.vectors import Vectors


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """The in-coming questions that edges carry, each once; `row[e]` is that of edge e, (m,)."""

    vectors: Vectors
    row: NDArray[np.int32]


class StoredGraph(ABC):
    """Pseudo-queries and edges of one version. Edges have numbers, from 0 in the order they lie.

    Of ids and numbers it is true that KeyError or IndexError is raised where there is none.

    Parameters
    ----------
    number : the vertex number of each passage by its id, in order of these numbers.
    called : what the passage of an id is called.
    """

    def __init__(self, number: Mapping[str, int], called: Callable[[str], str]) -> None:
        self._number = number
        self._called = called

    @property
    @abstractmethod
    def adjacency(self) -> Adjacency:
        """Which vertices the edges join."""

    @abstractmethod
    def prefetch(self, numbers: Numbers) -> None:
        """Have at hand what a walk asks of these edges: one read for all, where there is any."""

    @abstractmethod
    def edges(self, numbers: Sequence[int]) -> list[Edge]:
        """The edges of these numbers, in this order."""

    @abstractmethod
    def edges_of(self, edge_ids: Iterable[str]) -> list[Edge]:
        """The edges of these ids, in this order."""

    @abstractmethod
    def edge_number(self, edge_id: str) -> int | None:
        """The number of an edge; None if there is none of that id."""

    @abstractmethod
    def edge_ids(self, numbers: Iterable[int]) -> list[str]:
        """The ids of the edges of these numbers."""

    @abstractmethod
    def edge_questions(self, numbers: Iterable[int]) -> list[str]:
        """The in-coming question that each of these edges carries, as it is shown."""

    @abstractmethod
    def edge_keywords(self, numbers: Iterable[int]) -> list[Sequence[str]]:
        """The keywords of the edges of these numbers."""

    @abstractmethod
    def carried(self, numbers: Numbers) -> Vectors:
        """(len(numbers), d): the vector of each edge's in-coming question."""

    @abstractmethod
    def raised(self, numbers: Numbers) -> Vectors:
        """(len(numbers), d): the vector of each edge's out-coming question."""

    @abstractmethod
    def raised_questions(self, numbers: Sequence[int] | Numbers) -> list[str]:
        """The out-coming questions that the edges of these numbers were made from, as matched."""

    @property
    @abstractmethod
    def all_carried(self) -> Carried:
        """The vectors of the in-coming questions of all edges; all are read."""

    @property
    @abstractmethod
    def all_edge_keywords(self) -> list[Sequence[str]]:
        """The keywords of each edge, in order of edge numbers; all are read."""

    @property
    @abstractmethod
    def all_pseudo_queries(self) -> list[PseudoQuery]:
        """In the order in which they lie; all are read."""

    @abstractmethod
    def questions(self, query_ids: Sequence[str]) -> list[PseudoQuery]:
        """The pseudo-queries of these ids that there are."""

    @abstractmethod
    def pseudo_queries(self, passage_id: str) -> list[PseudoQuery]:
        """In-coming and out-coming questions of a passage, in the order they were made."""

    def pseudo_query(self, query_id: str) -> PseudoQuery:
        """The pseudo-query of that id."""
        for query in self.questions([query_id]):
            return query
        raise KeyError(query_id)

    def spoken(self, query: PseudoQuery) -> str:
        """A question as it is shown."""
        return spoken(query)

    def edge(self, edge_id: str) -> Edge:
        """The edge of that id."""
        return self.edges_of([edge_id])[0]

    def out_edges(self, passage_id: str) -> list[Edge]:
        """Edges that leave the passage, the most similar first."""
        return self.leaving([passage_id])[0]

    def in_edges(self, passage_id: str) -> list[Edge]:
        """Edges that end in the passage, the most similar first."""
        return self.arriving([passage_id])[0]

    def leaving(self, passages: Sequence[str]) -> list[list[Edge]]:
        """`out_edges` of each of `passages`, read in one go."""
        return self._incident_to(passages, self.adjacency.by_source)

    def arriving(self, passages: Sequence[str]) -> list[list[Edge]]:
        """`in_edges` of each of `passages`, read in one go."""
        return self._incident_to(passages, self.adjacency.by_target)

    def _incident_to(self, passages: Sequence[str], incident: EdgeGroups) -> list[list[Edge]]:
        numbers = [incident.of(self._number[name]).tolist() for name in passages]
        read = iter(self.edges([number for each in numbers for number in each]))
        return [
            sorted(islice(read, len(each)), key=lambda edge: (-edge.similarity, edge.id))
            for each in numbers
        ]
