"""The graph of an index as it is stored: pseudo-questions, and the edges between passages."""

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
    """The distinct in-questions of edges; `row[e]` is the row in `vectors` of edge e, (m,)."""

    vectors: Vectors
    row: NDArray[np.int32]


class StoredGraph(ABC):
    """Pseudo-questions and edges of one version. Edges are numbered from 0 in stored order.

    Unknown ids and numbers raise KeyError or IndexError.

    Parameters
    ----------
    number : the vertex number of each passage by its id, in order of these numbers.
    called : returns the display name of a passage, by its id.
    """

    def __init__(self, number: Mapping[str, int], called: Callable[[str], str]) -> None:
        self._number = number
        self._called = called

    @property
    @abstractmethod
    def adjacency(self) -> Adjacency:
        """The edges as arrays of vertex numbers."""

    @abstractmethod
    def prefetch(self, numbers: Numbers) -> None:
        """Read everything that a walk needs of these edges at once, if it is not in memory."""

    @abstractmethod
    def edges(self, numbers: Sequence[int]) -> list[Edge]:
        """Return the edges with these numbers, in this order."""

    @abstractmethod
    def edges_of(self, edge_ids: Iterable[str]) -> list[Edge]:
        """Return the edges with these ids, in this order."""

    @abstractmethod
    def edge_number(self, edge_id: str) -> int | None:
        """Return the number of an edge; None if there is no edge with that id."""

    @abstractmethod
    def edge_ids(self, numbers: Iterable[int]) -> list[str]:
        """Return the ids of the edges with these numbers."""

    @abstractmethod
    def edge_questions(self, numbers: Iterable[int]) -> list[str]:
        """Return the display text of the in-question of each of these edges."""

    @abstractmethod
    def edge_keywords(self, numbers: Iterable[int]) -> list[Sequence[str]]:
        """Return the keywords of the edges with these numbers."""

    @abstractmethod
    def carried(self, numbers: Numbers) -> Vectors:
        """Return the vector of the in-question of each edge, (len(numbers), d)."""

    @abstractmethod
    def raised(self, numbers: Numbers) -> Vectors:
        """Return the vector of the out-question of each edge, (len(numbers), d)."""

    @abstractmethod
    def raised_questions(self, numbers: Sequence[int] | Numbers) -> list[str]:
        """Return the out-questions that were matched for these edges."""

    @property
    @abstractmethod
    def all_carried(self) -> Carried:
        """Return the vectors of the in-questions of all edges, which reads all of them."""

    @property
    @abstractmethod
    def all_edge_keywords(self) -> list[Sequence[str]]:
        """Return the keywords of all edges, by edge number, which reads all of them."""

    @property
    @abstractmethod
    def all_pseudo_queries(self) -> list[PseudoQuery]:
        """Return all pseudo-questions in stored order, which reads all of them."""

    @abstractmethod
    def questions(self, query_ids: Sequence[str]) -> list[PseudoQuery]:
        """Return the pseudo-questions with these ids, without ids that do not exist."""

    @abstractmethod
    def pseudo_queries(self, passage_id: str) -> list[PseudoQuery]:
        """Return the in-questions and out-questions of a passage, in the order of creation."""

    def pseudo_query(self, query_id: str) -> PseudoQuery:
        """Return the pseudo-question with that id."""
        for query in self.questions([query_id]):
            return query
        raise KeyError(query_id)

    def spoken(self, query: PseudoQuery) -> str:
        """Return the display text of a question."""
        return spoken(query)

    def edge(self, edge_id: str) -> Edge:
        """Return the edge with that id."""
        return self.edges_of([edge_id])[0]

    def out_edges(self, passage_id: str) -> list[Edge]:
        """Return the edges that leave a passage, most similar first."""
        return self.leaving([passage_id])[0]

    def in_edges(self, passage_id: str) -> list[Edge]:
        """Return the edges that arrive at a passage, most similar first."""
        return self.arriving([passage_id])[0]

    def leaving(self, passages: Sequence[str]) -> list[list[Edge]]:
        """Return `out_edges` of each of `passages`, in one read."""
        return self._incident_to(passages, self.adjacency.by_source)

    def arriving(self, passages: Sequence[str]) -> list[list[Edge]]:
        """Return `in_edges` of each of `passages`, in one read."""
        return self._incident_to(passages, self.adjacency.by_target)

    def _incident_to(self, passages: Sequence[str], incident: EdgeGroups) -> list[list[Edge]]:
        """Return the edges of each passage, most similar first; all are read at once."""
        numbers = [incident.of(self._number[name]).tolist() for name in passages]
        read = iter(self.edges([number for each in numbers for number in each]))
        return [
            sorted(islice(read, len(each)), key=lambda edge: (-edge.similarity, edge.id))
            for each in numbers
        ]
