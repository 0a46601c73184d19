"""Passages and edges as plain rows for exports: no numpy number, no edge with a missing end."""

from collections.abc import Iterable
from dataclasses import asdict

from core.types import Edge, Passage

Cell = str | int | float

NODE_COLUMNS = ("id", "title", "text", "document_id", "position")
EDGE_COLUMNS = (
    "id", "source", "target", "question", "keywords", "jaccard", "cosine", "similarity",
    "out_query_id", "in_query_id",
)  # fmt: skip


def inside(nodes: Iterable[Passage], edges: Iterable[Edge]) -> list[Edge]:
    """The edges whose both ends are among `nodes`."""
    ids = {node.id for node in nodes}
    return [edge for edge in edges if edge.source in ids and edge.target in ids]


def edge_row(edge: Edge) -> dict[str, Cell]:
    """An edge as plain values under `EDGE_COLUMNS`, its keywords joined by a semicolon."""
    scores = {name: float(getattr(edge, name)) for name in ("jaccard", "cosine", "similarity")}
    row = {**asdict(edge), "keywords": "; ".join(edge.keywords), **scores}
    return {column: row[column] for column in EDGE_COLUMNS}


def node_row(node: Passage) -> dict[str, Cell]:
    """A passage as plain values under `NODE_COLUMNS`."""
    row = {**asdict(node), "position": int(node.position)}
    return {column: row[column] for column in NODE_COLUMNS}
