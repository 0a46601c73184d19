"""Explore's view of the whole corpus: the map, details of the selection, and tables."""

from functools import partial
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.api.showing import map_page
from core.artefacts.workbench import Workbench
from core.maps.messages import Said
from core.store.index import Index
from core.text.display import plurals
from pages.components.corpus_map import state
from pages.components.corpus_map.component import mount, send
from pages.components.corpus_map.filters import filters
from pages.components.corpus_map.lost_gold import ShownHeat, heat, show_outcomes
from pages.components.corpus_map.passage_edges import edges_html
from pages.components.corpus_map.retrieval import walk
from pages.components.corpus_map.stored_map import OpenMap, open_map
from pages.components.corpus_map.tables import tables
from pages.components.passages.gold import GoldMarks
from pages.components.passages.passage import show_passage
from pages.components.shell.widgets.card import card

_TYPICAL = 8  # passages that stand for a region
_LARGEST = 4  # regions listed beside the whole map


def show_map(bench: Workbench, marks: GoldMarks | None, export: DeltaGenerator) -> None:
    """Draw the map; the Export button goes into `export`."""
    index = bench.index
    opened = open_map(bench)
    left, right = st.columns([2.6, 1], gap="small")
    with left:
        mount(index.name, opened.version, opened.drawn)
    said: Said = {"focus": _focus(index, opened)}
    found: ShownHeat | None = None
    with right:
        controls = st.container(horizontal=True, gap="xsmall", key="map_controls")
        with controls:
            if opened.openable:
                filtered = filters(index)
                said |= {"hidden": filtered.hidden, "field": filtered.field}
                said["walk"] = walk(bench)
                found = heat(index)
                # Both say with green what is retrieved, by different retrievers.
                said["heat"] = found.data if found and not said["walk"] else None
        if found and said.get("walk"):
            st.caption("Lost gold is not shown on the map while it shows a retrieval.")
        with st.container(border=True, key="map_panel"):
            _panel(index, opened, marks, found)
        send(index.name, said, partial(state.choose, index))
    with export:
        _export(index, opened, said)
    region = _region(index, opened)
    tables(index, opened, found.data if found else None, region)


def _focus(index: Index, opened: OpenMap) -> int | None:
    """Return the map's number of the selected passage or region, or None if it is not drawn."""
    if opened.openable and (passage := state.chosen_passage(index)):
        return index.number[passage]
    region, drawn = _region(index, opened), opened.data["regions"]["number"]
    return -drawn.index(region) - 1 if region and region in drawn else None


def _region(index: Index, opened: OpenMap) -> int:
    """Return the chosen region, or that of the chosen passage; 0 if neither is chosen."""
    if passage := state.chosen_passage(index):
        return int(opened.made.leaf[index.number[passage]])
    return state.chosen_region(opened.made)


def _panel(index: Index, opened: OpenMap, marks: GoldMarks | None, found: ShownHeat | None) -> None:
    """Draw the details of the chosen passage or region, or else those of the whole corpus."""
    if passage := state.chosen_passage(index):
        _passage(index, opened, passage, marks)
        if found:
            show_outcomes(found, passage)
    elif region := state.chosen_region(opened.made):
        _region_panel(index, opened, region)
    else:
        _hint(index, opened)


def _hint(index: Index, opened: OpenMap) -> None:
    """Explain how to read the map, and list the largest regions."""
    made = opened.made
    tops = len(made.regions[0].children) or 1
    drawn = "" if opened.openable else " For a corpus this large, only regions are drawn."
    st.html(
        "<h3 class='hop-panel-title'>The whole corpus</h3>"
        f"<p>{plurals.number(len(made), 'passage')} in {plurals.number(tops, 'region')}. "
        "Passages that share many edges are placed close "
        f"together and form a region.{drawn}</p><p>Click a region to open it and a passage "
        "to read it, or search on the map. A region is named after the terms that "
        "distinguish it from the others.</p><p class='hop-caption'>A larger dot has more "
        "neighbours. A passage with fewer than two neighbours is placed beside "
        "its two most similar passages.</p>"
    )
    _largest(index, opened)


def _largest(index: Index, opened: OpenMap) -> None:
    """Show the largest regions as cards that select them."""
    regions = opened.made.regions
    tops = sorted(regions[0].children, key=lambda one: (-regions[one].size, one))[:_LARGEST]
    if not tops:
        return
    st.html("<h4 class='hop-small-title'>Largest regions</h4>")
    with st.container(key="map_largest"):
        for place, one in enumerate(tops):
            name, many = regions[one].name, plurals.number(regions[one].size, "passage")
            card(
                f"<div class='hop-found'><span><b dir='auto'>{escape(name)}</b> "
                f"<span class='hop-quiet'>{many}</span></span></div>",
                f"{name}, {many}",
                key=f"map_region_{place}",
                on_click=state.choose,
                args=(index, "region", one),
            )


def _passage(index: Index, opened: OpenMap, passage: str, marks: GoldMarks | None) -> None:
    """Draw a passage with its gold marks, the path of its regions, and its edges."""
    show_passage(index, passage, key="map_passage", marks=marks, height=150)
    made = opened.made
    path = " › ".join(
        made.regions[one].name for one in made.path(int(_leaf_region(index, opened, passage)))
    )
    st.html(f"<p class='hop-caption' dir='auto'>{escape(path)}</p>")
    st.button(
        "Show its neighbourhood",
        key="map_neighbourhood",
        on_click=state.show_neighbourhood,
        args=(passage,),
        width="stretch",
    )
    st.html(edges_html(index, passage))


def _leaf_region(index: Index, opened: OpenMap, passage: str) -> int:
    return int(opened.made.leaf[index.number[passage]])


def _region_panel(index: Index, opened: OpenMap, number: int) -> None:
    """Show a region: its name, its contents, and its passages with most edges."""
    region = opened.made.regions[number]
    inside = opened.made.inside(number)
    within = (
        f" in {plurals.number(len(region.children), 'smaller region')}" if region.children else ""
    )
    st.html(
        f"<h3 class='hop-panel-title' dir='auto'>{escape(region.name)}</h3><p "
        f"class='hop-caption'>{plurals.number(region.size, 'passage')}{within}</p><h4 "
        "class='hop-small-title'>Passages with the most edges</h4>"
    )
    leaving, arriving = index.graph.adjacency.degrees()
    edges = (leaving + arriving)[inside]
    first = inside[(-edges).argsort(kind="stable")[:_TYPICAL]].tolist()
    with st.container(key="map_members"):
        for place, passage in enumerate(first):
            title = index.names[passage] or index.ids[passage]
            many = plurals.number(int((leaving + arriving)[passage]), "edge")
            card(
                f"<div class='hop-found'><span><b dir='auto'>{escape(title)}</b> "
                f"<span class='hop-quiet'>{many}</span></span></div>",
                title,
                key=f"map_member_{place}",
                on_click=state.choose,
                args=(index, "passage", passage),
            )


def _export(index: Index, opened: OpenMap, said: Said) -> None:
    """Draw the button that saves the map as an offline web page."""

    def page() -> bytes:
        return map_page(index, opened.data, {**said, "focus": None})

    st.download_button(
        "Export",
        page,
        file_name=f"{index.name}-map.html",
        mime="text/html",
        key="map_export",
        on_click="ignore",
        help="The map as a web page that works offline.",
        width="stretch",
    )
