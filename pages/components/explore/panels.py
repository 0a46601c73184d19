"""The panel beside the graph: a passage with questions and edges, or details of an edge."""

from collections.abc import Sequence
from html import escape
from pathlib import PurePath

import pandas as pd
import streamlit as st

from core.explore.focus import BATCH
from core.explore.view import hidden_neighbours, sibling_rank
from core.store.index import Index
from core.text.display.plurals import number
from core.text.import_sources import is_made_elsewhere
from core.types import Edge, PseudoQuery
from pages.components.explore import state as explore_state
from pages.components.explore.neighbourhood import Shown
from pages.components.explore.state import Picked
from pages.components.explore.tables import edge_table
from pages.components.passages.gold import GoldMarks
from pages.components.passages.passage import show_passage
from pages.components.shell.glossary import term

TEXT_HEIGHT = 170
SCORES = {
    "Jaccard": "keywords in common, from 0 to 1",
    "Cosine": "similarity in meaning, from -1 to 1",
    "Similarity": "the mean of both; it decides which edges exist and how they rank",
}


def passage_panel(
    index: Index, now: Shown, smaller: int, passage_id: str, marks: GoldMarks | None, held: str
) -> None:
    """Draw a passage with its actions, questions and edges.

    `smaller` is the number of passages drawn once it is collapsed.
    """
    show_passage(index, passage_id, key="explore_passage", marks=marks, height=TEXT_HEIGHT)
    _actions(index, now, smaller, passage_id, held)
    leaving, arriving = index.graph.out_edges(passage_id), index.graph.in_edges(passage_id)
    made = index.graph.pseudo_queries(passage_id)
    questions, edges = st.tabs(
        [f"Pseudo-queries ({len(made)})", f"Edges ({len(leaving) + len(arriving)})"]
    )
    with questions:
        answered = [query for query in made if query.direction == "in"]
        raised = [query for query in made if query.direction == "out"]
        st.html(
            _questions(index, "In-questions (answered here)", answered)
            + _questions(index, "Out-questions (raised here)", raised)
        )
    with edges:
        _edges(index, leaving, arriving)


def edge_panel(index: Index, edge: Edge) -> None:
    """Draw the details of an edge, with a button for each of its two passages."""
    show_edge(index, edge)
    row = st.container(horizontal=True, gap="xsmall")
    ends = (("Show its source", "source", edge.source), ("Show its target", "target", edge.target))
    for label, end, passage_id in ends:
        row.button(
            label,
            key=f"explore_to_{end}",
            on_click=explore_state.pick,
            args=(Picked("node", passage_id),),
        )


def show_edge(index: Index, edge: Edge) -> None:
    """Show both questions of an edge with their evidence, its scores and its ranks."""
    source, target = index.titled(edge.source), index.titled(edge.target)
    raised, answered = (
        index.graph.pseudo_query(edge.out_query_id),
        index.graph.pseudo_query(edge.in_query_id),
    )
    shared = set(raised.keywords) & set(answered.keywords)
    st.html(
        f"<article class='hop-xray'><p class='hop-caption'>{term('edge')}</p>"
        f"<h3 dir='auto'>{escape(source.title)} <span aria-label='to'>→</span> "
        f"{escape(target.title)}</h3>{_scores(edge)}"
        f"<p class='hop-caption'>{_ranks(index, edge)}</p>"
        + _side(index, "Raised by", source.title, raised, shared)
        + _side(index, "Answered by", target.title, answered, shared)
        + "</article>"
    )


def _actions(index: Index, now: Shown, smaller: int, passage_id: str, held: str) -> None:
    """Draw the buttons that expand, collapse, centre on, or compare a passage."""
    view, drawn = now.view, now.seen.drawn
    hidden = hidden_neighbours(view, drawn, passage_id, index.graph.leaving, index.graph.arriving)
    full = len(now.found.nodes) >= view.cap and not _inside(index, now, passage_id)
    row = st.container(horizontal=True, gap="xsmall")
    row.button(
        f"Expand (+{min(hidden, BATCH)} of {hidden})" if hidden > BATCH else f"Expand (+{hidden})",
        key="explore_expand",
        disabled=full or not hidden,
        help=_expand_hint(hidden, full, view.cap),
        on_click=explore_state.look_at,
        args=(view.expand(passage_id),),
    )
    fewer = len(drawn) - smaller
    row.button(
        f"Collapse (−{fewer})" if fewer > 0 else "Collapse",
        key="explore_collapse",
        disabled=fewer <= 0,
        help="Hide passages that are connected only through this one.",
        on_click=explore_state.look_at,
        args=(view.collapse(passage_id),),
    )
    row.button(
        "Centre here",
        key="explore_centre",
        disabled=passage_id == view.centre,
        on_click=explore_state.centre_on,
        args=(view, passage_id),
    )
    row.button(
        "Stop comparing" if passage_id == held else "Compare with …",
        key="explore_hold",
        help="Then select another passage to see how the two are connected.",
        on_click=explore_state.hold,
        args=("" if passage_id == held else passage_id,),
    )


def _inside(index: Index, now: Shown, passage_id: str) -> bool:
    """Return whether a neighbour is in the view but not drawn, so that expanding needs no room."""
    around = {edge.target for edge in index.graph.out_edges(passage_id)}
    around |= {edge.source for edge in index.graph.in_edges(passage_id)}
    return bool(around & set(now.found.nodes) - set(now.seen.drawn))


def _expand_hint(hidden: int, full: bool, cap: int) -> str:
    """Explain what Expand draws, or why it is disabled."""
    if not hidden:
        return "All its neighbours are drawn."
    if full:
        return f"The view is limited to {cap} passages. Increase the maximum."
    return f"Draw {number(min(hidden, BATCH), 'more neighbour')}; the others keep their places."


def _questions(index: Index, heading: str, queries: Sequence[PseudoQuery]) -> str:
    """Return a list of pseudo-queries with their evidence, as HTML."""
    items = "".join(
        f"<li><span dir='auto'>{escape(index.graph.spoken(query))}</span>{_evidence(query)}</li>"
        for query in queries
    )
    body = f"<ol class='hop-questions'>{items}</ol>" if items else "<p class='hop-quiet'>None.</p>"
    return f"<h4 class='hop-small-title'>{escape(heading)} ({len(queries)})</h4>{body}"


def _evidence(query: PseudoQuery) -> str:
    """Return the evidence of a pseudo-query and its author, as HTML."""
    return (
        f"<blockquote dir='auto'>{escape(query.evidence)}"
        f"<cite>{escape(_origin(query.maker))}</cite></blockquote>"
    )


def _origin(maker: str) -> str:
    """Return the author of a pseudo-query, or the file that it was read from."""
    file = PurePath(maker.partition(":")[2]).name
    return f"from {file}" if is_made_elsewhere(maker) else f"made by {maker}"


def _side(index: Index, verb: str, title: str, query: PseudoQuery, shared: set[str]) -> str:
    """Return one pseudo-query of an edge as HTML, with its keywords; shared ones have a `=`."""
    words = "".join(
        f"<span class='hop-word' dir='auto'>{'= ' if word in shared else ''}{escape(word)}</span>"
        for word in query.keywords
    )
    asked = index.graph.spoken(query)
    # The scores are of these words.
    matched = (
        f"<p class='hop-quiet' dir='auto'>Matched as: {escape(query.text)}</p>"
        if asked != query.text
        else ""
    )
    return (
        f"<section><h4 class='hop-small-title' dir='auto'>{verb} {escape(title)}</h4>"
        f"<p class='hop-question' dir='auto'>{escape(asked)}</p>{_evidence(query)}{matched}"
        f"<p class='hop-words'>{words or 'no keywords'}</p></section>"
    )


def _scores(edge: Edge) -> str:
    """Return the Jaccard, cosine and combined similarity of an edge as labelled bars, as HTML."""
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
    """Describe the edge's rank by similarity among the edges of its source and of its target."""
    leaving, arriving = index.graph.out_edges(edge.source), index.graph.in_edges(edge.target)
    return (
        f"By similarity {sibling_rank(edge, leaving)} of {number(len(leaving), 'edge')} out "
        f"of its source, and {sibling_rank(edge, arriving)} of "
        f"{number(len(arriving), 'edge')} into its target."
    )


def _edges(index: Index, leaving: Sequence[Edge], arriving: Sequence[Edge]) -> None:
    """Draw the table of a passage's edges, outgoing ones first; a click on a row picks the edge."""
    edges = [*leaving, *arriving]
    if not edges:
        st.html("<p class='hop-quiet'>No edge leaves or reaches this passage.</p>")
        return
    table = pd.DataFrame(
        {
            "Way": ["out"] * len(leaving) + ["in"] * len(arriving),
            "Similarity": [edge.similarity for edge in edges],
            "Passage": [
                *(index.titled(edge.target).title for edge in leaving),
                *(index.titled(edge.source).title for edge in arriving),
            ],
            "Jaccard": [edge.jaccard for edge in edges],
            "Cosine": [edge.cosine for edge in edges],
            "Question": [edge.question for edge in edges],
        }
    )
    edge_table(table, edges, key="explore_passage_edges", height=280)
