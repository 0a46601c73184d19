"""One question in three views: a film of one retriever, columns of several, a difference of two.

The film is the Trace page; columns and difference are the Compare page, whose address says which.
"""

from collections.abc import Mapping
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.ask import asked
from pages.components.ask.wish import Ask
from pages.components.shell import nav

View = Literal["film", "columns", "difference"]
TITLES: dict[str, str] = {"film": "Film", "columns": "Columns", "difference": "Difference"}
SHOW = "show"
"""Of the address of the Compare page: which of its two views."""
_KEY, _WANTED, _FILM = "view_switch", "view_wanted", "film_place"
_PLACE = ("t", "grain", "view")


def shown() -> View:
    """What the address of the Compare page asks for."""
    return "difference" if st.query_params.get(SHOW) == "difference" else "columns"


def view_switch(now: View, index: str, film_of: str = "") -> None:
    """The three views; one that is another page is gone to, with the question as it is asked.

    `film_of` is whose film that is, of several.
    """
    state = st.session_state
    wanted: View | None = state.pop(_WANTED, None)
    if wanted and wanted != now and "film" in (wanted, now):
        _go(wanted, now, index)
    state[_KEY] = now
    _choose({**TITLES, "film": f"Film of {film_of}"} if film_of else TITLES)


def views_line() -> DeltaGenerator:
    """The box for the switch and what stands beside it, on the line of the page's title."""
    return st.container(horizontal=True, gap="small", key="views")  # laid out in assets/style.css


def _choose(titles: Mapping[str, str]) -> None:
    st.segmented_control(
        "View",
        list(titles),
        key=_KEY,
        format_func=titles.__getitem__,
        required=True,
        label_visibility="collapsed",
        on_change=_switch,
    )


def _switch() -> None:
    wanted = st.session_state[_KEY]
    st.session_state[_WANTED] = wanted
    if SHOW in st.query_params or wanted == "difference":
        st.query_params[SHOW] = wanted


def _go(wanted: View, now: View, index: str) -> None:
    ask = asked.now(index)
    kept: tuple[Ask, dict[str, str]] | None = st.session_state.get(_FILM)
    if now == "film":
        params = st.query_params
        place = {name: params[name] for name in _PLACE if name in params}
        st.session_state[_FILM] = ask, place
        nav.go("compare", index=index, **{SHOW: wanted})
    nav.go("trace", index=index, **(kept[1] if kept and kept[0] == ask else {}))
