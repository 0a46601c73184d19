"""Passages and edges as plain rows for exports: no numpy number, no edge with a missing end."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict

from core.types import Edge, Passage

Cell = str | int | float

NODE_COLUMNS = ("id", "title", "text", "document_id", "position")
EDGE_COLUMNS = (
    "id", "source", "target", "raised", "question", "keywords", "jaccard", "cosine", "similarity",
    "out_query_id", "in_query_id",
)  # fmt: skip


def inside(nodes: Iterable[Passage], edges: Iterable[Edge]) -> list[Edge]:
    """Return the edges whose both ends are among `nodes`."""
    ids = {node.id for node in nodes}
    return [edge for edge in edges if edge.source in ids and edge.target in ids]


def edge_row(edge: Edge, raised: Mapping[str, str]) -> dict[str, Cell]:
    """Return an edge as plain values under `EDGE_COLUMNS`, its keywords joined by a semicolon.

    `raised` has the texts of out-coming questions by id; `question` is the in-coming one.
    """
    scores = {name: float(getattr(edge, name)) for name in ("jaccard", "cosine", "similarity")}
    asked = {"raised": raised.get(edge.out_query_id, ""), "keywords": "; ".join(edge.keywords)}
    row = {**asdict(edge), **asked, **scores}
    return {column: row[column] for column in EDGE_COLUMNS}


def node_row(node: Passage) -> dict[str, Cell]:
    """Return a passage as plain values under `NODE_COLUMNS`."""
    row = {**asdict(node), "position": int(node.position)}
    return {column: row[column] for column in NODE_COLUMNS}
