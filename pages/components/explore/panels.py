"""The panel beside the graph: a passage with its questions and edges, or the X-ray of an edge."""

from collections.abc import Sequence
from html import escape

import pandas as pd
import streamlit as st

from core.drawing.exploration import View, hidden_neighbours, sibling_rank
from core.drawing.neighbourhood import Neighbourhood
from core.store.index import Index
from core.types import Edge, PseudoQuery
from pages.components.explore import state as explore_state
from pages.components.graph.graph_view import Selection
from pages.components.passages.gold import GoldMarks
from pages.components.passages.passage import show_passage
from pages.components.shell.words import count

TEXT_HEIGHT = 170
SCORES = {
    "Jaccard": "keywords in common, from 0 to 1",
    "Cosine": "likeness in meaning, from -1 to 1",
    "Similarity": "the mean of both; edges are made and ranked by it",
}


def passage_panel(
    index: Index,
    view: View,
    found: Neighbourhood,
    smaller: Neighbourhood,
    passage_id: str,
    marks: GoldMarks | None,
) -> None:
    """Text, actions, questions and edges of a passage; `smaller` is the view with it closed."""
    show_passage(index, passage_id, key="explore_passage", marks=marks, height=TEXT_HEIGHT)
    _actions(index, view, found, smaller, passage_id)
    leaving, arriving = index.graph.out_edges(passage_id), index.graph.in_edges(passage_id)
    made = index.graph.pseudo_queries(passage_id)
    questions, edges = st.tabs(
        [f"Questions ({len(made)})", f"Edges ({len(leaving) + len(arriving)})"]
    )
    with questions:
        answered = [query for query in made if query.direction == "in"]
        raised = [query for query in made if query.direction == "out"]
        st.html(
            _questions("In-coming: the passage answers them", answered)
            + _questions("Out-coming: the passage raises them", raised)
        )
    with edges:
        _edges(index, leaving, arriving)


def edge_panel(index: Index, edge: Edge) -> None:
    """X-ray of an edge: both questions with their sentences, its scores, its rank."""
    source, target = index.passage(edge.source), index.passage(edge.target)
    raised, answered = (
        index.graph.pseudo_query(edge.out_query_id),
        index.graph.pseudo_query(edge.in_query_id),
    )
    shared = set(raised.keywords) & set(answered.keywords)
    st.html(
        "<article class='hop-xray'><p class='hop-caption'>Edge</p>"
        f"<h3 dir='auto'>{escape(source.title)} <span aria-label='to'>→</span> "
        f"{escape(target.title)}</h3>{_scores(edge)}"
        f"<p class='hop-caption'>{_ranks(index, edge)}</p>"
        + _side("Raised by", source.title, raised, shared)
        + _side("Answered by", target.title, answered, shared)
        + "</article>"
    )
    row = st.container(horizontal=True, gap="xsmall")
    row.button(
        "Show its start",
        key="explore_to_source",
        on_click=explore_state.pick,
        args=(Selection("node", edge.source),),
    )
    row.button(
        "Show its end",
        key="explore_to_target",
        on_click=explore_state.pick,
        args=(Selection("node", edge.target),),
    )


def _actions(
    index: Index, view: View, found: Neighbourhood, smaller: Neighbourhood, passage_id: str
) -> None:
    hidden = hidden_neighbours(
        view, found.nodes, passage_id, index.graph.out_edges, index.graph.in_edges
    )
    full = len(found.nodes) >= view.cap
    row = st.container(horizontal=True, gap="xsmall")
    if row.button(
        f"Expand (+{hidden})" if hidden else "Expand",
        key="explore_expand",
        disabled=full or not hidden,
        help=_expand_hint(hidden, full, view.cap),
    ):
        _show(view.expanded(passage_id))
    fewer = len(found.nodes) - len(smaller.nodes)
    if row.button(
        f"Collapse (−{fewer})" if fewer > 0 else "Collapse",
        key="explore_collapse",
        disabled=fewer <= 0,
        help="Hide what is reached through this passage only.",
    ):
        _show(view.collapsed(passage_id))
    if row.button("Centre here", key="explore_centre", disabled=passage_id == view.centre):
        explore_state.centre_on(view, passage_id)
        st.rerun()


def _expand_hint(hidden: int, full: bool, cap: int) -> str:
    if not hidden:
        return "All its neighbours are shown."
    if full:
        return f"The view is full at {cap} passages; raise the limit above."
    return f"Show {count(hidden, 'more neighbour')}; the others keep their places."


def _show(view: View) -> None:
    explore_state.look_at(view)
    st.rerun()


def _questions(heading: str, queries: Sequence[PseudoQuery]) -> str:
    items = "".join(
        f"<li><span dir='auto'>{escape(query.text)}</span>{_evidence(query)}</li>"
        for query in queries
    )
    body = f"<ol class='hop-questions'>{items}</ol>" if items else "<p class='hop-quiet'>None.</p>"
    return f"<h4 class='hop-small-title'>{escape(heading)} ({len(queries)})</h4>{body}"


def _evidence(query: PseudoQuery) -> str:
    return (
        f"<blockquote dir='auto'>{escape(query.evidence)}"
        f"<cite>made by {escape(query.maker)}</cite></blockquote>"
    )


def _side(verb: str, title: str, query: PseudoQuery, shared: set[str]) -> str:
    words = "".join(
        f"<span class='hop-word' dir='auto'>{'= ' if word in shared else ''}{escape(word)}</span>"
        for word in query.keywords
    )
    return (
        f"<section><h4 class='hop-small-title' dir='auto'>{verb} {escape(title)}</h4>"
        f"<p class='hop-question' dir='auto'>{escape(query.text)}</p>{_evidence(query)}"
        f"<p class='hop-words'>{words or 'no keywords'}</p></section>"
    )


def _scores(edge: Edge) -> str:
    values = zip(SCORES.items(), (edge.jaccard, edge.cosine, edge.similarity), strict=True)
    return (
        "<div class='hop-scores'>"
        + "".join(
            f"<div title='{hint}'><span>{name}</span><span class='hop-bar'>"
            f"<i style='width:{100 * max(value, 0):.1f}%'></i></span><b>{value:.3f}</b></div>"
            for (name, hint), value in values
        )
        + "</div>"
    )


def _ranks(index: Index, edge: Edge) -> str:
    leaving, arriving = index.graph.out_edges(edge.source), index.graph.in_edges(edge.target)
    return (
        f"By similarity number {sibling_rank(edge, leaving)} of the {count(len(leaving), 'edge')} "
        f"that leave its start, and number {sibling_rank(edge, arriving)} of the "
        f"{count(len(arriving), 'edge')} that come to its end."
    )


def _edges(index: Index, leaving: Sequence[Edge], arriving: Sequence[Edge]) -> None:
    edges = [*leaving, *arriving]
    if not edges:
        st.html("<p class='hop-quiet'>No edge leaves or reaches this passage.</p>")
        return
    table = pd.DataFrame(
        {
            "Way": ["out"] * len(leaving) + ["in"] * len(arriving),
            "Similarity": [edge.similarity for edge in edges],
            "Passage": [
                *(index.passage(edge.target).title for edge in leaving),
                *(index.passage(edge.source).title for edge in arriving),
            ],
            "Jaccard": [edge.jaccard for edge in edges],
            "Cosine": [edge.cosine for edge in edges],
            "Question": [edge.question for edge in edges],
        }
    )
    edge_table(table, edges, key="explore_passage_edges", height=280)


def edge_table(table: pd.DataFrame, edges: Sequence[Edge], *, key: str, height: int) -> None:
    """A table of edges, a row each; a click on a row picks the edge."""

    def follow() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            explore_state.pick(Selection("edge", edges[rows[0]].id))

    st.dataframe(
        table,
        hide_index=True,
        height=height,
        key=key,
        on_select=follow,
        selection_mode="single-row",
        column_config={
            "Way": st.column_config.TextColumn(width=45),
            "From": st.column_config.TextColumn(width=190),
            "To": st.column_config.TextColumn(width=190),
            "Passage": st.column_config.TextColumn(width=190),
            "Similarity": st.column_config.NumberColumn(format="%.3f", width=75),
            "Jaccard": st.column_config.NumberColumn(format="%.3f", width=70),
            "Cosine": st.column_config.NumberColumn(format="%.3f", width=70),
        },
    )
