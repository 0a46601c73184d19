"""The view as two tables; a click on a row picks it in the graph."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.marks.gold_signs import star_sign
from core.store.index import Index
from core.types import Edge
from pages.components.explore import state as explore_state
from pages.components.explore.neighbourhood import Shown
from pages.components.explore.state import Picked
from pages.components.shell.client_input.selections import selected_rows
from pages.components.shell.glossary import hint

HEIGHT = 320


def tables(index: Index, now: Shown) -> None:
    """Draw the passages, nearest and strongest first, and the edges, most similar first."""
    edges = sorted(now.found.edges, key=lambda edge: (-edge.similarity, edge.id))
    first, second = st.tabs([f"Passages ({len(now.found.nodes):,})", f"Edges ({len(edges):,})"])
    with first:
        _passages(index, now)
    with second:
        titles = {name: index.titled(name).title for name in now.found.nodes}
        table = pd.DataFrame(
            {
                "From": [titles[edge.source] for edge in edges],
                "To": [titles[edge.target] for edge in edges],
                "Similarity": [edge.similarity for edge in edges],
                "Jaccard": [edge.jaccard for edge in edges],
                "Cosine": [edge.cosine for edge in edges],
                "Question": [edge.question for edge in edges],
            }
        )
        edge_table(table, edges, key="explore_edges", height=HEIGHT)


def _star(now: Shown, passage_id: str) -> str:
    marked = now.gold.get(passage_id)
    return f"{star_sign(marked)} " if marked else ""


def _passages(index: Index, now: Shown) -> None:
    """Draw the passages, nearest and strongest first; a click on a row picks the passage."""
    seen, drawn = now.seen, set(now.seen.drawn)
    names = sorted(now.found.nodes, key=lambda n: (seen.distance[n], -seen.strengths[n], n))

    def follow() -> None:
        if picked := selected_rows(st.session_state.explore_passages, names):
            explore_state.pick(Picked("node", picked[0]))

    leaving = pd.Series([edge.source for edge in now.found.edges], dtype=str).value_counts()
    arriving = pd.Series([edge.target for edge in now.found.edges], dtype=str).value_counts()
    shown = [index.titled(name) for name in names]
    table = pd.DataFrame(
        {
            "Title": [f"{_star(now, p.id)}{p.title}" for p in shown],
            "Hops": [seen.distance[name] for name in names],
            "Strength": [seen.strengths[name] for name in names],
            "In the graph": ["drawn" if name in drawn else "counted" for name in names],
            "Edges out": [int(leaving.get(name, 0)) for name in names],
            "Edges in": [int(arriving.get(name, 0)) for name in names],
            "Text": [p.text for p in shown],
            "Id": names,
        }
    )
    st.dataframe(
        table,
        hide_index=True,
        height=min(HEIGHT, 38 + 35 * len(names)),
        key="explore_passages",
        on_select=follow,
        selection_mode="single-row",
        column_config={
            "Hops": st.column_config.NumberColumn(width=60, help=hint("hop")),
            "Strength": st.column_config.NumberColumn(
                format="%.3f",
                width=80,
                help="Product of the similarities along the best path from the centre.",
            ),
            "In the graph": st.column_config.TextColumn(width=95),
            "Edges out": st.column_config.NumberColumn(width=80, help=hint("out_degree")),
            "Edges in": st.column_config.NumberColumn(width=80),
            "Text": st.column_config.TextColumn(width="large"),
        },
    )


def edge_table(table: pd.DataFrame, edges: Sequence[Edge], *, key: str, height: int) -> None:
    """Draw a row for each edge; a click on a row picks the edge."""

    def follow() -> None:
        if picked := selected_rows(st.session_state[key], edges):
            explore_state.pick(Picked("edge", picked[0].id))

    st.dataframe(
        table,
        hide_index=True,
        height=min(height, 38 + 35 * max(1, len(edges))),
        key=key,
        on_select=follow,
        selection_mode="single-row",
        column_config={
            "Way": st.column_config.TextColumn(width=45),
            "From": st.column_config.TextColumn(width=190),
            "To": st.column_config.TextColumn(width=190),
            "Passage": st.column_config.TextColumn(width=190),
            "Similarity": st.column_config.NumberColumn(
                format="%.3f", width=75, help=hint("similarity")
            ),
            "Jaccard": st.column_config.NumberColumn(format="%.3f", width=70),
            "Cosine": st.column_config.NumberColumn(format="%.3f", width=70),
        },
    )
