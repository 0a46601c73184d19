"""The edges of a passage in brief, beside the map."""

from collections.abc import Sequence
from html import escape

from core.store.index import Index
from core.types import Edge

_MOST = 3
"""Edges of a direction that are listed."""


def edges_html(index: Index, passage_id: str) -> str:
    """Return the most similar edges out of and into a passage, with their questions, as HTML."""
    leaving = index.graph.out_edges(passage_id)
    arriving = index.graph.in_edges(passage_id)
    return _edges(index, "Edges out", "→", leaving, [edge.target for edge in leaving]) + _edges(
        index, "Edges in", "←", arriving, [edge.source for edge in arriving]
    )


def _edges(
    index: Index, heading: str, arrow: str, edges: Sequence[Edge], ends: Sequence[str]
) -> str:
    """Return the most similar edges of a passage as an HTML list.

    `ends` are the passages at their other end.
    """
    title = f"<h4 class='hop-small-title'>{heading} ({len(edges):,})</h4>"
    if not edges:
        return f"{title}<p class='hop-quiet'>None.</p>"
    order = sorted(zip(edges, ends, strict=True), key=lambda one: -one[0].similarity)
    items = "".join(
        f"<li><q dir='auto'>{escape(edge.question)}</q> <span class='hop-quiet' dir='auto'>"
        f"{arrow} {escape(index.titled(end).title or end)}</span></li>"
        for edge, end in order[:_MOST]
    )
    left = len(edges) - _MOST
    more = f"<p class='hop-caption'>and {left:,} more</p>" if left > 0 else ""
    return f"{title}<ul class='hop-edges'>{items}</ul>{more}"
