"""The tables of one index and the rows in them, as Arrow schemas.

| table | a row is |
| --- | --- |
| documents | a document as it came in; its text lives on in its passages |
| passages | a vertex of the graph, with keywords and vector |
| pseudo_queries | a question made for a passage, with keywords and vector |
| edges | a directed edge between two passages |
| questions | a question that came with the corpus, with gold where known |
| embeddings_… | a text that one model embedded and that no table holds (yet, or any more) |
| artefact_…_… | what the artefact says; named after it and the digest of what it was made from |

`core.store.records.record` says which version of each table is the published one. Older indexes
have two more tables for that: `meta`, a row for each finished version, and `shelf`, a row for each
artefact.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from core.evidence.stored import evidence_of_rows, evidence_rows
from core.types import Edge, Passage, PseudoQuery, Query
from core.vectors import Vectors

SCHEMA_VERSION = 3
EMBEDDINGS = "embeddings_"
ARTEFACTS = "artefact_"
SHELF = "shelf"
_STRINGS = pa.list_(pa.string())
_AT_ONCE = 20_000  # rows

_DOCUMENTS = pa.schema(
    [
        (name, pa.string())
        for name in ("id", "title", "source", "metadata", "content_hash", "added_at")
    ]
)
_QUESTIONS = pa.schema(
    [
        ("id", pa.string()),
        ("text", pa.string()),
        ("answers", _STRINGS),
        ("gold", _STRINGS),
        ("type", pa.string()),
        ("dataset", pa.string()),
        ("origin", pa.string()),
        ("more", pa.string()),
    ]
)
_EDGES = pa.schema(
    [
        ("id", pa.string()),
        ("source", pa.string()),
        ("target", pa.string()),
        ("out_query_id", pa.string()),
        ("in_query_id", pa.string()),
        ("question", pa.string()),
        ("keywords", _STRINGS),
        ("jaccard", pa.float64()),
        ("cosine", pa.float64()),
        ("similarity", pa.float64()),
    ]
)
META = pa.schema([("finished_at", pa.string()), ("content", pa.string())])


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document of the index, without its passages."""

    id: str
    title: str
    source: str
    metadata: dict[str, Any]
    content_hash: str
    added_at: str


def passage_text(title: str, text: str) -> str:
    """Join title and text of a passage, for embedding and keyword search."""
    return f"{title}. {text}" if title else text


def texts_in(rows: pa.Table) -> list[str]:
    """Return the embedded texts of rows, which include the title if there is one."""
    texts: list[str] = rows["text"].to_pylist()
    if "title" not in rows.column_names:
        return texts
    return list(map(passage_text, rows["title"].to_pylist(), texts))


def documents_table(documents: Iterable[StoredDocument]) -> pa.Table:
    """Build the table of documents; metadata are stored as JSON."""
    rows = [
        {**asdict(document), "metadata": json.dumps(document.metadata)} for document in documents
    ]
    return pa.Table.from_pylist(rows, schema=_DOCUMENTS)


def passages_table(
    passages: Sequence[Passage],
    names: Sequence[str],
    keywords: Sequence[tuple[str, ...]],
) -> pa.Table:
    """Build the passage rows without vectors, which `with_vectors` adds."""
    return pa.table(
        {
            "id": [p.id for p in passages],
            "document_id": [p.document_id for p in passages],
            "position": pa.array([p.position for p in passages], pa.int32()),
            "title": [p.title for p in passages],
            "name": pa.array(names, pa.string()),
            "text": [p.text for p in passages],
            "keywords": pa.array([list(words) for words in keywords], _STRINGS),
        }
    )


def pseudo_queries_table(queries: Sequence[PseudoQuery]) -> pa.Table:
    """Build the pseudo-question rows without vectors, which `with_vectors` adds."""
    return pa.table(
        {
            "id": pa.array([q.id for q in queries], pa.string()),
            "passage_id": pa.array([q.passage_id for q in queries], pa.string()),
            "direction": pa.array([q.direction for q in queries], pa.string()),
            "text": pa.array([q.text for q in queries], pa.string()),
            "keywords": pa.array([list(q.keywords) for q in queries], _STRINGS),
            "maker": pa.array([q.maker for q in queries], pa.string()),
            "evidence": pa.array([q.evidence for q in queries], pa.string()),
        }
    )


def with_vectors(rows: pa.Table, vectors: Vectors) -> pa.Table:
    """Add a column `vector` to `rows`, (len(rows), d)."""
    return rows.append_column("vector", vector_column(vectors))


def pseudo_query_batches(queries: Sequence[PseudoQuery], vectors: Vectors) -> pa.RecordBatchReader:
    """Yield pseudo-question rows with vectors in batches, to avoid a second copy in memory."""

    def parts() -> Iterator[pa.RecordBatch]:
        """Yield `_AT_ONCE` rows at a time."""
        for first in range(0, len(queries), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            rows = with_vectors(pseudo_queries_table(queries[some]), vectors[some])
            yield from rows.to_batches()

    made = with_vectors(pseudo_queries_table([]), vectors[:0]).schema
    return pa.RecordBatchReader.from_batches(made, parts())


def edges_table(edges: Sequence[Edge]) -> pa.Table:
    columns = {name: [getattr(edge, name) for edge in edges] for name in _EDGES.names}
    return pa.table(columns, schema=_EDGES)


def questions_table(questions: Iterable[Query]) -> pa.Table:
    return pa.Table.from_pylist(list(map(_question_row, questions)), schema=_QUESTIONS)


def _question_row(question: Query) -> dict[str, Any]:
    """Convert a question to a row; grades, details and evidence are JSON in `more`."""
    more = {
        "grades": dict(question.grades),
        "details": dict(question.details),
        "evidence": evidence_rows(question.evidence),
    }
    details = json.dumps(more) if any(more.values()) else None
    return {**asdict(question), "more": details}


def vectors_table(texts: Sequence[str], vectors: Vectors) -> pa.Table:
    """Build a table of texts with their vectors, as in `embeddings_…`."""
    return pa.table({"text": pa.array(texts, pa.string()), "vector": vector_column(vectors)})


def vector_column(vectors: Vectors) -> pa.FixedSizeListArray:
    """Convert an (n, d) float32 matrix to a column of fixed-size lists."""
    return pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1])


def vector_matrix(column: pa.ChunkedArray) -> Vectors:
    """Convert a column of fixed-size lists to an (n, d) float32 matrix."""
    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks)
    matrix: Vectors = array.flatten().to_numpy(zero_copy_only=False)
    return np.ascontiguousarray(matrix.reshape(len(array), array.type.list_size))


def to_document(row: dict[str, Any]) -> StoredDocument:
    return StoredDocument(**{**row, "metadata": json.loads(row["metadata"])})


def to_pseudo_query(row: dict[str, Any]) -> PseudoQuery:
    return PseudoQuery(**{**row, "keywords": tuple(row["keywords"])})


def to_edge(row: dict[str, Any]) -> Edge:
    return Edge(**{**row, "keywords": tuple(row["keywords"])})


def to_question(row: dict[str, Any]) -> Query:
    """Convert a row to a question; rows of earlier versions have no column `more`."""
    more = json.loads(row.pop("more", None) or "{}")
    return Query(
        **{**row, "answers": tuple(row["answers"]), "gold": tuple(row["gold"])},
        grades=more.get("grades", {}),
        details={name: tuple(texts) for name, texts in more.get("details", {}).items()},
        evidence=evidence_of_rows(more.get("evidence", ())),
    )
