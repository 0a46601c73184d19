"""The graph of a small index, with its tables in memory."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.store import schema
from core.store.adjacency import Adjacency, Numbers
from core.store.graph.stored_graph import Carried, StoredGraph
from core.store.tables import Tables
from core.types import Edge, PseudoQuery
from core.vectors import Vectors


class WholeGraph(StoredGraph):
    """A graph whose tables are read completely on first access."""

    def __init__(
        self, tables: Tables, number: Mapping[str, int], called: Callable[[str], str]
    ) -> None:
        super().__init__(number, called)
        self._tables = tables

    def prefetch(self, numbers: Numbers) -> None:
        """Do nothing: everything is in memory."""

    @cached_property
    def _query_table(self) -> pa.Table:
        """The pseudo-questions without their vectors, which are most of the table."""
        return self._tables.select("pseudo_queries", [field.name for field in fields(PseudoQuery)])

    @cached_property
    def _query_number(self) -> dict[str, int]:
        with self._tables.reading():
            return {name: i for i, name in enumerate(self._query_table["id"].to_pylist())}

    @cached_property
    def _queries_of(self) -> dict[str, list[int]]:
        """The row numbers of the pseudo-questions of each passage, by passage id."""
        by_passage: dict[str, list[int]] = {}
        with self._tables.reading():
            for number, passage_id in enumerate(self._query_table["passage_id"].to_pylist()):
                by_passage.setdefault(passage_id, []).append(number)
        return by_passage

    def questions(self, query_ids: Sequence[str]) -> list[PseudoQuery]:
        known = self._query_number
        return self._pseudo_queries([known[one] for one in query_ids if one in known])

    def pseudo_queries(self, passage_id: str) -> list[PseudoQuery]:
        return self._pseudo_queries(self._queries_of.get(passage_id, []))

    @property
    def all_pseudo_queries(self) -> list[PseudoQuery]:
        return self._pseudo_queries(range(self._query_table.num_rows))

    def _pseudo_queries(self, rows: Sequence[int]) -> list[PseudoQuery]:
        with self._tables.reading():
            table = self._query_table.take(pa.array(list(rows), pa.int64()))
            return [schema.to_pseudo_query(row) for row in table.to_pylist()]

    @cached_property
    def _edge_table(self) -> pa.Table:
        return self._tables.read("edges")

    @cached_property
    def adjacency(self) -> Adjacency:
        """The edges as arrays of vertex numbers, built from passage ids."""
        ids = pa.array(self._number)
        with self._tables.reading():
            ends = (self._edge_table[name].combine_chunks() for name in ("source", "target"))
            source, target = (pc.index_in(end, ids).to_numpy() for end in ends)
            return Adjacency.of(source, target, len(ids))

    @cached_property
    def all_carried(self) -> Carried:
        """The vectors of the in-questions of all edges, each distinct question once."""
        in_questions = self._tables.select("pseudo_queries", ("id", "vector"), "direction = 'in'")
        with self._tables.reading():
            carried = self._edge_table["in_query_id"].combine_chunks().dictionary_encode()
            rows = pc.index_in(carried.dictionary, in_questions["id"].combine_chunks())
            vectors = schema.vector_matrix(in_questions["vector"].take(rows))
            return Carried(vectors, carried.indices.to_numpy())

    def carried(self, numbers: Numbers) -> Vectors:
        return self.all_carried.vectors[self.all_carried.row[numbers]]

    @cached_property
    def _raised(self) -> NDArray[np.int32]:
        """The row in `_query_table` of the out-question of each edge, (m,)."""
        with self._tables.reading():
            ids = self._query_table["id"].combine_chunks()
            rows = pc.index_in(self._edge_table["out_query_id"].combine_chunks(), ids)
            return np.asarray(rows.to_numpy(), np.int32)

    @cached_property
    def _raised_vectors(self) -> Vectors:
        """The vector of the out-question of each edge, (m, d)."""
        out_questions = self._tables.select("pseudo_queries", ("id", "vector"), "direction = 'out'")
        with self._tables.reading():
            wanted = self._edge_table["out_query_id"].combine_chunks()
            rows = pc.index_in(wanted, out_questions["id"].combine_chunks())
            return schema.vector_matrix(out_questions["vector"].take(rows))

    def raised(self, numbers: Numbers) -> Vectors:
        return self._raised_vectors[numbers]

    def raised_questions(self, numbers: Sequence[int] | Numbers) -> list[str]:
        texts: list[str] = self._query_table["text"].take(self._raised[list(numbers)]).to_pylist()
        return texts

    @cached_property
    def _edge_ids(self) -> list[str]:
        with self._tables.reading():
            ids: list[str] = self._edge_table["id"].to_pylist()
            return ids

    def edge_ids(self, numbers: Iterable[int]) -> list[str]:
        return [self._edge_ids[number] for number in numbers]

    @cached_property
    def _edge_number(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self._edge_ids)}

    def edge_number(self, edge_id: str) -> int | None:
        return self._edge_number.get(edge_id)

    @cached_property
    def all_edge_keywords(self) -> list[Sequence[str]]:
        with self._tables.reading():
            keywords: list[Sequence[str]] = self._edge_table["keywords"].to_pylist()
            return keywords

    def edge_keywords(self, numbers: Iterable[int]) -> list[Sequence[str]]:
        return [self.all_edge_keywords[number] for number in numbers]

    @cached_property
    def _edge_questions(self) -> list[str]:
        with self._tables.reading():
            questions: list[str] = self._edge_table["question"].to_pylist()
            return questions

    def edge_questions(self, numbers: Iterable[int]) -> list[str]:
        return [self._edge_questions[number] for number in numbers]

    def edges(self, numbers: Sequence[int]) -> list[Edge]:
        with self._tables.reading():
            rows = self._edge_table.take(pa.array(list(numbers), pa.int64())).to_pylist()
            return [schema.to_edge(row) for row in rows]

    def edges_of(self, edge_ids: Iterable[str]) -> list[Edge]:
        return self.edges([self._edge_number[name] for name in edge_ids])
