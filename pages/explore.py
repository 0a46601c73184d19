"""Explore: the map of the whole corpus, and the graph around a passage."""

import shlex
from html import escape

import streamlit as st

from core.explore.view import View
from pages.components.ask import current_question
from pages.components.corpus_map import state as map_state
from pages.components.corpus_map.page import show_map
from pages.components.explore import state as explore_state
from pages.components.explore.graph_component import show_picture
from pages.components.explore.neighbourhood import Shown, exports, pair_of, view_data
from pages.components.explore.panels import edge_panel, passage_panel
from pages.components.explore.passage_pair import pair_panel, show_held_note
from pages.components.explore.search import results, search_box
from pages.components.explore.start_points import show_starts
from pages.components.explore.state import Picked
from pages.components.explore.tables import tables
from pages.components.indexes import index_menu
from pages.components.passages.gold import GoldMarks
from pages.components.shell import address, layout, nav

nav.guard()
layout.heading("Explore", "The whole corpus as a map, and the neighbourhood of a passage.")
bench = index_menu.need_workbench()
index = bench.index


def gold_marks() -> GoldMarks | None:
    """Return the gold marks of the question in the address, or else of the last question."""
    question = st.query_params.get("q") or current_question.now(index.name).question
    return GoldMarks(question, index) if question else None


def panel(now: Shown, chosen: Picked | None) -> None:
    """Draw details of the selected item, or of the centre, or else the starting points."""
    if chosen and chosen.kind == "edge":
        edge_panel(index, index.graph.edge(chosen.id))
        return
    if not chosen and not wish.chosen:
        show_starts(index, now.view.centre)
        return
    name = chosen.id if chosen else now.view.centre
    smaller = view_data(index, now.view.collapse(name), marks, held, None)
    passage_panel(index, now, len(smaller.seen.drawn), name, marks, held)


def no_edges() -> None:
    """Explain what to do with an index without edges."""
    layout.empty(
        "No passage in this index has edges",
        "There is no graph to explore. The Build page explains why, and what to do. You "
        "can still search for passages above.",
        "Go to Build",
        "build",
    )


def graph(view: View) -> None:
    """Draw the graph, the panel beside it, and the tables below."""
    chosen = explore_state.picked(index)
    pair = pair_of(index, held, chosen)
    now = view_data(index, view, marks, held, pair)
    explore_state.controls(view)
    st.html(f"<p class='hop-caption' dir='auto'>{escape(now.data['note'])}</p>")
    if held and not pair and not st.query_params.get("find"):
        show_held_note(index, held)
    left, right = st.columns([2, 1], gap="small")
    with left:
        show_picture(
            now.data,
            chosen,
            pick=explore_state.pick,
            expand=lambda name: explore_state.look_at(view.expand(name)),
        )
    with right, st.container(border=True, key="explore_panel"):
        if pair:
            pair_panel(index, pair)
        else:
            panel(now, chosen)
    with export:
        exports(index, now)
    tables(index, now)


def neighbourhood() -> None:
    """Draw the search, the graph around a passage, and its tables."""
    results(bench, wish.view)
    if wish.view:
        graph(wish.view)
    else:
        no_edges()
    layout.show_equivalent_command(
        f"python -m core export --index {shlex.quote(str(index.path))} --format html graph.html"
    )


if nav.has_arrived():
    first = map_state.VIEW if map_state.VIEW in st.query_params else "passage"
    others = (map_state.VIEW, map_state.REGION, "passage", *explore_state.PARAMS)
    address.go_on("explore", index.name, first, others)
wish = explore_state.wish(index)
held = explore_state.held(index)
marks = gold_marks()
if wish.problems:
    st.warning(layout.literal(" ".join(wish.problems)))
if map_state.view() == "map":
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        map_state.view_switch(index)
        export = st.container(width="content")
    show_map(bench, marks, export)
    layout.show_equivalent_command(
        f"python -m core make corpus-map --index {shlex.quote(str(index.path))}"
    )
else:
    with st.container(horizontal=True, gap="small"):
        map_state.view_switch(index)
        with st.container(width="stretch"):
            search_box()
        if wish.chosen or explore_state.picked(index):
            st.button("Start elsewhere", on_click=explore_state.start_again)
        export = st.container(width="content")
    neighbourhood()
