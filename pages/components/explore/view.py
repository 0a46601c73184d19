"""The drawing of a view, its exports, and its twin of tables."""

from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd
import streamlit as st

from core.drawing.exploration import View, explore
from core.drawing.export import to_csv, to_graphml, to_json
from core.drawing.layout import Place, around
from core.drawing.neighbourhood import Neighbourhood
from core.drawing.webpage import to_html
from core.store.index import Index
from pages.components.explore import state as explore_state
from pages.components.explore.panels import edge_table
from pages.components.graph.graph_view import Arrow, Legend, Node, Paint, Selection, graph_structure
from pages.components.shell.words import cropped

HEIGHT = 520
SNIPPET = 160  # characters of a text in the tooltip
_PLACES = "explore_places"


def neighbours(index: Index, view: View) -> Neighbourhood:
    """The passages and edges of `view`, computed once for all sessions."""
    return _neighbours(index, f"{index.path} {index.meta.finished_at}", view)


@st.cache_resource(max_entries=100, show_spinner="Looking for neighbours…")
def _neighbours(_index: Index, version: str, view: View) -> Neighbourhood:  # noqa: ARG001
    return explore(view, _index.graph.out_edges, _index.graph.in_edges)


def places(index: Index, view: View, found: Neighbourhood) -> Mapping[str, Place]:
    """Where the passages stand. What is opened, closed or filtered moves nothing that stays."""
    kept_by = (str(index.path), index.meta.finished_at, view.centre, view.hops, view.way, view.cap)
    key, before = st.session_state.get(_PLACES, (None, {}))
    before = before if key == kept_by else {}
    if not before.keys() >= set(found.nodes):
        links = [(edge.source, edge.target) for edge in found.edges]
        before = before | around([view.centre], found.nodes, links, before)
    st.session_state[_PLACES] = (kept_by, before)
    return {passage_id: before[passage_id] for passage_id in found.nodes}


def draw(
    index: Index, view: View, found: Neighbourhood, at: Mapping[str, Place], gold: frozenset[str]
) -> None:
    """Mount the graph; `paint` gives it its looks."""
    nodes = [
        Node(p.id, p.title or p.id, *at[p.id], detail=cropped(p.text, SNIPPET))
        for p in map(index.passage, found.nodes)
    ]
    arrows = [
        Arrow(e.id, e.source, e.target, e.question, f"similarity {e.similarity:.3f}")
        for e in found.edges
    ]
    legend = Legend(
        nodes={
            "current": "Centre",
            "visited": "Expanded",
            **({"pruned": "Collapsed"} if view.closed else {}),
            "plain": "Neighbour",
            **({"gold": "Gold"} if gold else {}),
        },
        edges={"plain": "Edge: asks → answers"},
    )
    graph_structure(explore_state.GRAPH, nodes, arrows, legend=legend, height=HEIGHT)


def paint(view: View, gold: frozenset[str]) -> Paint:
    """Which passages are the centre, opened and closed."""
    return Paint(
        nodes={
            **dict.fromkeys(view.opened, "visited"),
            **dict.fromkeys(view.closed, "pruned"),
            view.centre: "current",
        },
        gold=gold,
    )


def exports(
    index: Index, view: View, found: Neighbourhood, at: Mapping[str, Place], gold: frozenset[str]
) -> None:
    """The view as a file. Each is made when it is asked for, not before."""
    nodes = [index.passage(passage_id) for passage_id in found.nodes]

    def raised() -> dict[str, str]:
        made = (query for node in nodes for query in index.graph.pseudo_queries(node.id))
        return {query.id: query.text for query in made if query.direction == "out"}

    def table(make: Callable[..., bytes]) -> bytes:
        return make(nodes, found.edges, raised())

    def webpage() -> bytes:
        title = f"{index.passage(view.centre).title} in {index.name}"
        return to_html(
            nodes,
            found.edges,
            at,
            title=title,
            total=found.found,
            centres=(view.centre,),
            gold=gold,
            raised=raised(),
        )

    files = (
        ("Web page (.html)", "html", "text/html", webpage),
        ("GraphML", "graphml", "application/xml", partial(table, to_graphml)),
        ("JSON", "json", "application/json", partial(table, to_json)),
        ("CSV (two, zipped)", "csv.zip", "application/zip", partial(table, to_csv)),
    )
    with st.popover("Export", width="stretch"):
        for label, ending, mime, made in files:
            st.download_button(
                label,
                made,
                file_name=f"{index.name}-graph.{ending}",
                mime=mime,
                key=f"explore_export_{ending.replace('.', '_')}",
                on_click="ignore",
                width="stretch",
            )
        st.caption("A picture (PNG): the arrow below the graph.")


def tables(index: Index, found: Neighbourhood, gold: frozenset[str]) -> None:
    """The same view as two tables; a click on a row picks it in the graph."""
    passages, edges = st.tabs([f"Passages ({len(found.nodes):,})", f"Edges ({len(found.edges):,})"])
    with passages:
        _passage_table(index, found, gold)
    with edges:
        titles = {passage_id: index.passage(passage_id).title for passage_id in found.nodes}
        table = pd.DataFrame(
            {
                "From": [titles[edge.source] for edge in found.edges],
                "To": [titles[edge.target] for edge in found.edges],
                "Similarity": [edge.similarity for edge in found.edges],
                "Jaccard": [edge.jaccard for edge in found.edges],
                "Cosine": [edge.cosine for edge in found.edges],
                "Question": [edge.question for edge in found.edges],
            }
        )
        edge_table(table, found.edges, key="explore_edges", height=320)


def _passage_table(index: Index, found: Neighbourhood, gold: frozenset[str]) -> None:
    def follow() -> None:
        rows = st.session_state.explore_passages.selection.rows
        if rows:
            explore_state.pick(Selection("node", found.nodes[rows[0]]))

    leaving = pd.Series([edge.source for edge in found.edges], dtype=str).value_counts()
    arriving = pd.Series([edge.target for edge in found.edges], dtype=str).value_counts()
    shown = [index.passage(passage_id) for passage_id in found.nodes]
    table = pd.DataFrame(
        {
            "Title": [f"★ {p.title}" if p.id in gold else p.title for p in shown],
            "Edges out": [int(leaving.get(p.id, 0)) for p in shown],
            "Edges in": [int(arriving.get(p.id, 0)) for p in shown],
            "Text": [p.text for p in shown],
            "Id": [p.id for p in shown],
        }
    )
    st.dataframe(
        table,
        hide_index=True,
        height=320,
        key="explore_passages",
        on_select=follow,
        selection_mode="single-row",
        column_config={
            "Edges out": st.column_config.NumberColumn(width=80),
            "Edges in": st.column_config.NumberColumn(width=80),
            "Text": st.column_config.TextColumn(width="large"),
        },
    )
