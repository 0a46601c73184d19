"""The graph of a large index, whose rows are read on first access."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from core.store import derived_tables, schema
from core.store.adjacency import Adjacency, EdgeGroups, Ints, Numbers
from core.store.graph.stored_graph import Carried, StoredGraph
from core.store.paged_rows import PagedRows, PagedVectors
from core.store.tables import Tables
from core.store.vector_search import Found, nearest
from core.store.version_cache import mapped
from core.types import Edge, PseudoQuery
from core.vectors import Vectors

_EDGE = [field.name for field in fields(Edge)]
_QUERY = [field.name for field in fields(PseudoQuery)]

_NUMBERS = 200_000  # of edges by their ids that are remembered, at most
_AT_ONCE = 1_000  # ids that are looked up


class PagedGraph(StoredGraph):
    """A graph with memory-mapped adjacency; other rows are read in batches and cached."""

    def __init__(
        self, tables: Tables, number: Mapping[str, int], called: Callable[[str], str]
    ) -> None:
        super().__init__(number, called)
        self._tables = tables
        counts = tables.meta.counts
        queries = counts.in_coming + counts.out_coming
        # What a walk asks of each edge that it meets, apart: each column more costs a read of it.
        labels = ["id", "question", "number"]
        self._labels = PagedRows(tables, "edges", counts.edges, labels, self._label)
        self._texts = PagedRows(
            tables, "pseudo_queries", queries, ["text"], lambda row: str(row["text"])
        )
        self._edges = PagedRows(tables, "edges", counts.edges, _EDGE, schema.to_edge)
        self._queries = PagedRows(tables, "pseudo_queries", queries, _QUERY, schema.to_pseudo_query)
        self._edge_numbers: dict[str, int] = {}
        self._query_vectors = PagedVectors(tables, "pseudo_queries")
        self._carried_vectors = PagedVectors(tables, derived_tables.CARRIED)

    @cached_property
    def _columns(self) -> Mapping[str, Ints]:
        with self._tables.reading():
            return mapped(self._tables, derived_tables.ADJACENCY)

    @cached_property
    def adjacency(self) -> Adjacency:
        with self._tables.reading():
            return Adjacency.stored(self._columns, len(self._number))

    @cached_property
    def carrying(self) -> EdgeGroups:
        """The edges of each in-question, by its row in the table `carried`."""
        with self._tables.reading():
            row = self._columns["carried"]
            questions = int(row.max()) + 1 if len(row) else 0
            return EdgeGroups.ordered(self._columns["by_carried"], row, questions)

    def nearest_carried(self, vector: Vectors, count: int) -> Found:
        """Return the `count` nearest in-questions: rows of `carried` and cosines, best first."""
        with self._tables.reading():
            return nearest(self._tables.table(derived_tables.CARRIED), vector, count)

    def carried_at(self, rows: Numbers) -> Vectors:
        """Return the vectors of these rows of the table `carried`, (len(rows), d)."""
        return self._carried_vectors.take(rows)

    def carried_rows(self, numbers: Numbers) -> Numbers:
        """Return the row in the table `carried` of the in-question of each edge."""
        return self._columns["carried"][numbers].astype(np.int64)

    def with_keywords(self, keywords: Sequence[str]) -> tuple[Numbers, Numbers, Numbers]:
        """Return the edges with any of `keywords`: numbers, shared counts, sizes.

        Numbers ascend and are distinct; `keywords` must be distinct.
        """
        return shared(self._tables, derived_tables.EDGE_KEYWORDS, keywords)

    def prefetch(self, numbers: Numbers) -> None:
        """Read ids, questions and vectors of these edges into the caches."""
        self._labels.take(numbers)
        raised = self._columns["raised"][numbers]
        self._texts.take(raised)
        self._query_vectors.take(raised)

    def edges(self, numbers: Sequence[int]) -> list[Edge]:
        return self._edges.take(numbers)

    def edges_of(self, edge_ids: Iterable[str]) -> list[Edge]:
        wanted = list(edge_ids)
        numbers = self._numbers(wanted)
        return self._edges.take(numbers[edge_id] for edge_id in wanted)

    def edge_number(self, edge_id: str) -> int | None:
        return self._numbers([edge_id]).get(edge_id)

    def _numbers(self, edge_ids: Sequence[str]) -> dict[str, int]:
        """Return the numbers of these edges, without ids that do not exist."""
        seen = self._edge_numbers
        number_of = {one: number for one in edge_ids if (number := seen.get(one)) is not None}
        missing = [edge_id for edge_id in edge_ids if edge_id not in number_of]
        for start in range(0, len(missing), _AT_ONCE):
            some = missing[start : start + _AT_ONCE]
            rows = self._tables.find("edges", "id", some, ["id", "number"])
            ids, numbers = (rows[name].to_pylist() for name in ("id", "number"))
            number_of.update(zip(ids, numbers, strict=True))
        return number_of

    def _label(self, row: dict[str, Any]) -> tuple[str, str]:
        """Return id and question of an edge, and cache its number: walks soon ask by id."""
        if len(self._edge_numbers) > _NUMBERS:
            self._edge_numbers.clear()
        self._edge_numbers[row["id"]] = row["number"]
        return row["id"], row["question"]

    def edge_ids(self, numbers: Iterable[int]) -> list[str]:
        return [edge_id for edge_id, _ in self._labels.take(numbers)]

    def edge_questions(self, numbers: Iterable[int]) -> list[str]:
        return [question for _, question in self._labels.take(numbers)]

    def edge_keywords(self, numbers: Iterable[int]) -> list[Sequence[str]]:
        return [edge.keywords for edge in self._edges.take(numbers)]

    def carried(self, numbers: Numbers) -> Vectors:
        return self.carried_at(self.carried_rows(numbers))

    def raised(self, numbers: Numbers) -> Vectors:
        return self._query_vectors.take(self._columns["raised"][numbers])

    def raised_questions(self, numbers: Sequence[int] | Numbers) -> list[str]:
        rows = self._columns["raised"][np.asarray(numbers, np.int64)]
        return self._texts.take(rows)

    @property
    def all_carried(self) -> Carried:
        with self._tables.reading():
            table = self._tables.read(derived_tables.CARRIED)
            return Carried(schema.vector_matrix(table["vector"]), self._columns["carried"])

    @property
    def all_edge_keywords(self) -> list[Sequence[str]]:
        return [edge.keywords for edge in self._edges]

    @property
    def all_pseudo_queries(self) -> list[PseudoQuery]:
        return list(self._queries)

    def questions(self, query_ids: Sequence[str]) -> list[PseudoQuery]:
        """Read the pseudo-questions with these ids, in this order, without unknown ids."""
        with self._tables.reading():
            rows = self._tables.find("pseudo_queries", "id", query_ids, _QUERY)
            by_id = {query.id: query for query in map(schema.to_pseudo_query, rows.to_pylist())}
        return [by_id[name] for name in query_ids if name in by_id]

    def pseudo_queries(self, passage_id: str) -> list[PseudoQuery]:
        """Read the pseudo-questions of a passage, in the order of creation."""
        columns = [*_QUERY, "number"]
        with self._tables.reading():
            rows = self._tables.find("pseudo_queries", "passage_id", [passage_id], columns)
            ordered = rows.sort_by("number").drop_columns("number")
            return [schema.to_pseudo_query(row) for row in ordered.to_pylist()]


def shared(tables: Tables, name: str, keywords: Sequence[str]) -> tuple[Numbers, Numbers, Numbers]:
    """Return the rows with any of `keywords`: numbers, shared counts, and keyword counts.

    Parameters
    ----------
    name : the table of keywords.
    """
    with tables.reading():
        rows = tables.find(name, "key", keywords, ["numbers", "sizes"])
        numbers, sizes = (_flat(rows[column]) for column in ("numbers", "sizes"))
        distinct, first, counts = np.unique(numbers, return_index=True, return_counts=True)
        return distinct, counts, sizes[first]


def _flat(lists: pa.ChunkedArray) -> Numbers:
    return np.asarray(lists.combine_chunks().flatten().to_numpy(), np.int64)
