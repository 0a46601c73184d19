"""Explore: the graph around a passage."""

import shlex
from html import escape

import streamlit as st

from core.drawing.exploration import View
from core.drawing.neighbourhood import Neighbourhood
from core.store.index import Index
from pages.components.explore import state as explore_state
from pages.components.explore import view as explore_view
from pages.components.explore.panels import edge_panel, passage_panel
from pages.components.explore.search import results, search_box
from pages.components.graph.graph_view import paint_graph
from pages.components.indexes import index_menu
from pages.components.passages.gold import GoldMarks
from pages.components.shell import address, frame, nav
from pages.components.shell.words import count, cropped

nav.guard()
frame.heading("Explore", "The passages around one, and the questions that join them.")
bench = index_menu.need_workbench()
index = bench.index


def gold_marks() -> GoldMarks | None:
    """The gold of the question in the address, if there is one."""
    asked = st.query_params.get("q")
    if not asked:
        return None
    known = next((query.gold for query in index.questions if query.text == asked), ())
    return GoldMarks(index.name, asked, frozenset(known))


def said(index: Index, view: View, found: Neighbourhood) -> str:
    """How much of what there is the graph shows, as HTML."""
    centre = index.passage(view.centre)
    title = escape(cropped(centre.title or centre.id, 80))
    reach = count(view.hops, "hop")
    opened = sum(passage_id in found.nodes for passage_id in view.opened)
    more = f" and next to {count(opened, 'expanded passage')}" if opened else ""
    edges = count(len(found.edges), "edge")
    if len(found.nodes) < found.found:
        shown = f"<b>{len(found.nodes):,} of {found.found:,}</b> passages, the nearest first"
    else:
        shown = f"<b>{count(found.found, 'passage')}</b>, all of them"
    return (
        f"<p class='hop-caption'>Within {reach} of <b dir='auto'>{title}</b>{more}: {shown}, "
        f"and {edges} between them. The index has {len(index.passages):,}.</p>"
    )


address.go_on("explore", index.name, "passage", explore_state.PARAMS)
wish = explore_state.wish(index)
view = wish.view
explore_state.arrive(index, view)
if wish.problems:
    st.warning(frame.literal(" ".join(wish.problems)))
search, export = st.columns([6, 1])
with search:
    search_box()
results(index, view)
explore_state.controls(view)
found = explore_view.neighbours(index, view)
marks = gold_marks()
gold = marks.among(map(index.passage, found.nodes)) if marks else frozenset()
at = explore_view.places(index, view, found)
with export:
    explore_view.exports(index, view, found, at, gold)
st.html(said(index, view, found))


@st.fragment
def panel() -> None:
    """The looks of the graph and what is selected in it."""
    chosen = explore_state.picked(view)
    with st.container(height=explore_view.HEIGHT, border=True, key="explore_panel"):
        if chosen.kind == "edge":
            edge_panel(index, index.graph.edge(chosen.id))
        else:
            smaller = explore_view.neighbours(index, view.collapsed(chosen.id))
            passage_panel(index, view, found, smaller, chosen.id, marks)
    paint_graph(
        explore_state.GRAPH, explore_view.paint(view, gold), on_select=explore_state.note_pick
    )


left, right = st.columns([10, 7], gap="small")
with left:
    explore_view.draw(index, view, found, at, gold)
with right:
    panel()
explore_view.tables(index, found, gold)
frame.same_from_shell(
    f"python -m core export --index {shlex.quote(str(index.path))} --format html graph.html"
)
