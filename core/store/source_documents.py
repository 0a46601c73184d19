"""The documents as each file provided them, as a table with a row per document and file.

The documents of the index are made of these rows, whatever was put in or taken out meanwhile.
"""

import json
from collections.abc import Iterable

import pyarrow as pa

from core.corpus.layout import layout_from_json, layout_to_json
from core.corpus.types import Brought
from core.store.index import Index
from core.types import PLAIN, Document

TABLE = "brought"
_ROWS = pa.schema(
    [
        *((name, pa.string()) for name in ("source", "id", "title", "text", "metadata", "layout")),
        ("number", pa.int32()),
        ("quiet", pa.bool_()),
        ("added_at", pa.string()),
        ("vector", pa.binary()),
    ]
)


def brought_table(brought: Iterable[Brought]) -> pa.Table:
    return pa.Table.from_pylist(list(map(_to_row, brought)), schema=_ROWS)


def read_brought(index: Index) -> list[Brought]:
    """Return the files added to `index`, in order. Raises StoreError if the table is damaged."""
    return index.tables.rows(TABLE, _from_row)


def _to_row(each: Brought) -> dict[str, object]:
    """Convert a document of a file to a row; layout and vector are empty if it has none."""
    made = each.document
    return {
        "source": made.source,
        "id": made.id,
        "title": made.title,
        "text": made.text,
        "metadata": json.dumps(dict(made.metadata)),
        "layout": json.dumps(layout_to_json(made.layout)) if made.layout != PLAIN else None,
        "number": each.number,
        "quiet": each.quiet,
        "added_at": each.added_at,
        "vector": made.vector or None,
    }


def _from_row(row: dict[str, object]) -> Brought:
    """Convert a row to a document; rows of earlier versions lack layout and vector."""
    made = Document(
        str(row["id"]),
        str(row["title"]),
        str(row["text"]),
        str(row["source"]),
        json.loads(str(row["metadata"])),
        layout_from_json(json.loads(str(row.get("layout") or "{}"))),
        vector if isinstance(vector := row.get("vector"), bytes) else b"",
    )
    return Brought(made, int(str(row["number"])), bool(row["quiet"]), str(row["added_at"]))
