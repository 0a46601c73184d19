"""The graph of an index as it is stored: pseudo-queries, and the edges made from them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.store import schema
from core.store.adjacency import Adjacency, Grouped, Numbers
from core.store.tables import Tables
from core.text.spoken import spoken
from core.types import Edge, PseudoQuery
from core.vectors import Vectors


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """The in-coming questions that edges carry, each once; `row[e]` is that of edge e, (m,)."""

    vectors: Vectors
    row: NDArray[np.int32]


class StoredGraph:
    """Pseudo-queries and edges of one version, each table read when it is first asked for.

    Parameters
    ----------
    number : the vertex number of each passage by its id, in order of these numbers.
    """

    def __init__(self, tables: Tables, number: Mapping[str, int]) -> None:
        self._tables = tables
        self._number = number

    @cached_property
    def _query_table(self) -> pa.Table:
        """All but the vectors, which are most of it."""
        return self._tables.select("pseudo_queries", [field.name for field in fields(PseudoQuery)])

    @cached_property
    def _query_number(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self._query_table["id"].to_pylist())}

    @cached_property
    def _queries_of(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, passage_id in enumerate(self._query_table["passage_id"].to_pylist()):
            found.setdefault(passage_id, []).append(number)
        return found

    def pseudo_query(self, query_id: str) -> PseudoQuery:
        return self._pseudo_queries([self._query_number[query_id]])[0]

    def questions(self, query_ids: Sequence[str]) -> list[PseudoQuery]:
        """The pseudo-queries of these ids that there are."""
        known = self._query_number
        return self._pseudo_queries([known[one] for one in query_ids if one in known])

    def pseudo_queries(self, passage_id: str) -> list[PseudoQuery]:
        """In-coming and out-coming questions of a passage, in the order they were made."""
        return self._pseudo_queries(self._queries_of.get(passage_id, []))

    @property
    def all_pseudo_queries(self) -> list[PseudoQuery]:
        return self._pseudo_queries(range(self._query_table.num_rows))

    def _pseudo_queries(self, rows: Sequence[int]) -> list[PseudoQuery]:
        table = self._query_table.take(pa.array(list(rows), pa.int64()))
        return [schema.to_pseudo_query(row) for row in table.to_pylist()]

    @cached_property
    def _edge_table(self) -> pa.Table:
        return self._tables.read("edges")

    @cached_property
    def adjacency(self) -> Adjacency:
        """Which vertices the edges join."""
        ids = pa.array(self._number)
        ends = (self._edge_table[name].combine_chunks() for name in ("source", "target"))
        source, target = (pc.index_in(end, ids).to_numpy() for end in ends)
        return Adjacency.of(source, target, len(ids))

    @cached_property
    def all_carried(self) -> Carried:
        """The vectors of the in-coming questions of all edges."""
        carried = self._edge_table["in_query_id"].combine_chunks().dictionary_encode()
        asked = self._tables.select("pseudo_queries", ("id", "vector"), "direction = 'in'")
        rows = pc.index_in(carried.dictionary, asked["id"].combine_chunks())
        return Carried(schema.vector_matrix(asked["vector"].take(rows)), carried.indices.to_numpy())

    def carried(self, numbers: Numbers) -> Vectors:
        """(len(numbers), d): the vector of each edge's in-coming question."""
        return self.all_carried.vectors[self.all_carried.row[numbers]]

    @cached_property
    def _raised(self) -> NDArray[np.int32]:
        """The row in `_query_table` of each edge's out-coming question."""
        ids = self._query_table["id"].combine_chunks()
        rows = pc.index_in(self._edge_table["out_query_id"].combine_chunks(), ids)
        return np.asarray(rows.to_numpy(), np.int32)

    @cached_property
    def _raised_vectors(self) -> Vectors:
        """(m, d)"""
        asked = self._tables.select("pseudo_queries", ("id", "vector"), "direction = 'out'")
        wanted = self._edge_table["out_query_id"].combine_chunks()
        rows = pc.index_in(wanted, asked["id"].combine_chunks())
        return schema.vector_matrix(asked["vector"].take(rows))

    def raised(self, numbers: Numbers) -> Vectors:
        """(len(numbers), d): the vector of each edge's out-coming question."""
        return self._raised_vectors[numbers]

    def raised_questions(self, numbers: Sequence[int] | Numbers) -> list[str]:
        """The out-coming questions that the edges of these numbers were made from, as matched."""
        made = self._pseudo_queries(self._raised[list(numbers)].tolist())
        return [query.text for query in made]

    def spoken(self, query: PseudoQuery) -> str:
        """A question as it is shown."""
        return spoken(query, self._names.get(query.passage_id, ""))

    @cached_property
    def _names(self) -> dict[str, str]:
        table = self._tables.select("passages", ["id", "name"])
        return dict(zip(table["id"].to_pylist(), table["name"].to_pylist(), strict=True))

    @cached_property
    def _edge_ids(self) -> list[str]:
        ids: list[str] = self._edge_table["id"].to_pylist()
        return ids

    def edge_ids(self, numbers: Iterable[int]) -> list[str]:
        """The ids of the edges of these numbers, in this order."""
        return [self._edge_ids[number] for number in numbers]

    @cached_property
    def _edge_number(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self._edge_ids)}

    def edge_number(self, edge_id: str) -> int | None:
        """The number of an edge; None if there is none of that id."""
        return self._edge_number.get(edge_id)

    @cached_property
    def all_edge_keywords(self) -> list[list[str]]:
        """The keywords of each edge, in order of edge numbers."""
        keywords: list[list[str]] = self._edge_table["keywords"].to_pylist()
        return keywords

    def edge_keywords(self, numbers: Iterable[int]) -> list[list[str]]:
        """The keywords of the edges of these numbers."""
        return [self.all_edge_keywords[number] for number in numbers]

    @cached_property
    def _edge_questions(self) -> list[str]:
        questions: list[str] = self._edge_table["question"].to_pylist()
        return questions

    def edge_questions(self, numbers: Iterable[int]) -> list[str]:
        """The in-coming question that each of these edges carries, as it is shown."""
        return [self._edge_questions[number] for number in numbers]

    def edge(self, edge_id: str) -> Edge:
        """The edge of that id; KeyError if there is none."""
        return self.edges_of([edge_id])[0]

    def edges_of(self, edge_ids: Iterable[str]) -> list[Edge]:
        """The edges of these ids, in this order. KeyError if there is none of one."""
        return self.edges([self._edge_number[name] for name in edge_ids])

    def edges(self, numbers: Sequence[int]) -> list[Edge]:
        """The edges of these numbers, in this order."""
        rows = self._edge_table.take(pa.array(list(numbers), pa.int64())).to_pylist()
        return [schema.to_edge(row) for row in rows]

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

    def _incident_to(self, passages: Sequence[str], incident: Grouped) -> list[list[Edge]]:
        numbers = [incident.of(self._number[name]).tolist() for name in passages]
        read = iter(self.edges([number for each in numbers for number in each]))
        return [
            sorted(islice(read, len(each)), key=lambda edge: (-edge.similarity, edge.id))
            for each in numbers
        ]
