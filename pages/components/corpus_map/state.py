"""The selection on the map. The address is the state, as elsewhere on Explore."""

import streamlit as st

from core.maps.regions import CorpusMap
from core.store.index import Index
from pages.components.explore import state as explore_state

VIEW, REGION = "view", "region"
VIEWS = {"map": "Map", "neighbourhood": "Neighbourhood"}
_OF_A_NEIGHBOURHOOD = ("passage", "find", explore_state.HELD, *explore_state.KINDS)
_SWITCH = "explore_view"


def view() -> str:
    """Return `map`, unless the address names a neighbourhood."""
    wanted = st.query_params.get(VIEW, "")
    if wanted in VIEWS:
        return wanted
    around = any(name in st.query_params for name in _OF_A_NEIGHBOURHOOD)
    return "neighbourhood" if around else "map"


def view_switch(index: Index) -> None:
    """Draw the switch between the two views of Explore."""
    st.session_state[_SWITCH] = view()
    st.segmented_control(
        "View",
        list(VIEWS),
        key=_SWITCH,
        format_func=VIEWS.__getitem__,
        required=True,
        label_visibility="collapsed",
        on_change=_switch,
        args=(index,),
    )


def _switch(index: Index) -> None:
    """Show the other view; the passage selected on the map is the centre of its neighbourhood."""
    wanted, passage = st.session_state[_SWITCH], chosen_passage(index)
    if wanted == "neighbourhood" and passage:
        show_neighbourhood(passage)
    else:
        explore_state.write({VIEW: [wanted]})


def show_neighbourhood(passage_id: str) -> None:
    """Open the neighbourhood of a passage."""
    changes = {VIEW: ["neighbourhood"], REGION: [], "node": []}
    explore_state.write({**changes, "passage": [passage_id]})


def chosen_passage(index: Index) -> str:
    """Return the id of the passage chosen on the map; empty if none is."""
    name = st.query_params.get("node", "")
    return name if name in index.number else ""


def chosen_region(made: CorpusMap) -> int:
    """Return the number of the chosen region; 0, the whole corpus, if none is."""
    text = st.query_params.get(REGION, "")
    number = int(text) if text.isdecimal() and len(text) < 10 else 0
    return number if number < len(made.regions) else 0


def choose(index: Index, kind: str, number: int) -> None:
    """Choose a passage by its vertex number, or a region, or nothing."""
    changes = {VIEW: ["map"], "node": [], REGION: []}
    if kind == "passage" and 0 <= number < len(index.ids):
        changes["node"] = [index.ids[number]]
    elif kind == "region" and number > 0:
        changes[REGION] = [str(number)]
    explore_state.write(changes)
