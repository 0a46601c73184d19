"""Two passages side by side: the edges between them, or the shortest path between them."""

from html import escape

import streamlit as st

from core.explore.between import Way
from core.store.index import Index
from core.text.display import plurals
from core.types import Edge
from pages.components.explore import state as explore_state
from pages.components.explore.neighbourhood import Pair
from pages.components.explore.panels import show_edge
from pages.components.explore.state import Picked


def show_held_note(index: Index, held: str) -> None:
    """Show that the next picked passage is compared with this one, and how to cancel."""
    passage = index.titled(held)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(
            "<p class='hop-caption'>Comparing <b dir='auto'>"
            f"{escape(passage.title or held)}</b> with another passage: select one in the "
            "graph or a table, or search for it, to see how the two are connected.</p>"
        )
        st.button("Stop comparing", key="explore_let_go", on_click=explore_state.hold, args=("",))


def pair_panel(index: Index, pair: Pair) -> None:
    """Draw how two passages are connected."""
    one, other = (index.titled(name).title or name for name in (pair.held, pair.picked))
    st.html(
        "<p class='hop-caption'>Two passages</p>"
        f"<h3 dir='auto'>{escape(one)} <span aria-label='and'>·</span> {escape(other)}</h3>"
        f"<p>{escape(_connection_in_words(pair))}</p>"
    )
    row = st.container(horizontal=True, gap="xsmall")
    row.button("Stop comparing", key="explore_pair_let_go", on_click=explore_state.hold, args=("",))
    row.button(
        "Swap the two",
        key="explore_swap",
        on_click=explore_state.swap,
        args=(pair.held, pair.picked),
    )
    if pair.edges:
        for edge in pair.edges:
            show_edge(index, edge)
    elif pair.way:
        _steps(index, pair.way)


def _connection_in_words(pair: Pair) -> str:
    """Describe how two passages are connected: by edges, by a path, or not at all."""
    if pair.edges:
        there = sum(edge.source == pair.held for edge in pair.edges)
        back = len(pair.edges) - there
        if there and back:
            return "There is an edge in each direction."
        return (
            "There is an edge from the first to the second."
            if there
            else ("There is an edge from the second to the first.")
        )
    if pair.way:
        edges = plurals.number(len(pair.way.edges), "edge")
        return f"There is no edge between them. {_PATHS[pair.way.direction].format(edges=edges)}"
    return "There is no edge between them and no path from one to the other in this graph."


_PATHS = {
    "forward": "The shortest path from the first to the second has {edges}; it is highlighted in "
    "the graph.",
    "backward": "No path leads from the first to the second, only back: the shortest path from "
    "the second to the first has {edges}; it is highlighted in the graph.",
    "either": "No path leads from one to the other along the edges. The shortest path that "
    "follows edges in either direction has {edges}; it is highlighted in the graph.",
}


def _steps(index: Index, way: Way) -> None:
    """Draw the path between two passages edge by edge, with the direction of each edge."""
    for number, (here, edge) in enumerate(zip(way.passages, way.edges, strict=False)):
        there = way.passages[number + 1]
        forth = edge.source == here
        title = index.titled(there).title or there
        st.html(
            f"<div class='hop-step'><span class='hop-quiet'>{number + 1}.</span> "
            f"<span aria-label='{'to' if forth else 'from'}'>{'→' if forth else '←'}</span> "
            f"<b dir='auto'>{escape(title)}</b>{_question(edge)}</div>"
        )
        st.button(
            f"Read edge {number + 1}",
            key=f"explore_step_{number}",
            on_click=explore_state.pick,
            args=(Picked("edge", edge.id),),
        )


def _question(edge: Edge) -> str:
    """Return the question and the similarity of an edge as HTML."""
    return (
        f"<br><span class='hop-quiet' dir='auto'>{escape(edge.question)}</span> "
        f"<span class='hop-quiet'>similarity {edge.similarity:.3f}</span>"
    )
