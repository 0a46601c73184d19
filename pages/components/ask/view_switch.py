"""One question in three views: a walkthrough, columns of several retrievers, a difference of two.

The walkthrough is the Trace page. The others are on the Compare page, whose address names the view.
"""

from collections.abc import Mapping
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.ask import current_question
from pages.components.ask.request import Ask
from pages.components.shell import nav

View = Literal["walkthrough", "columns", "difference"]
TITLES: dict[View, str] = {
    "walkthrough": "Walkthrough",
    "columns": "Columns",
    "difference": "Difference",
}
SHOW = "show"
"""Of the address of the Compare page: which of its two views."""
PLACE = ("step", "every", "stop", "t", "grain", "view")
"""Parts of its address that the browser keeps: what is shown of the retrieval."""
_KEY, _WANTED, _TRACED = "view_switch", "view_wanted", "traced_place"


def shown() -> View:
    """Return the view that the address of the Compare page names."""
    return "difference" if st.query_params.get(SHOW) == "difference" else "columns"


def view_switch(now: View, index: str, of: str = "") -> None:
    """Draw the switch between views; a view on another page is opened with the same question.

    Parameters
    ----------
    now : the current view.
    of : the retriever of the walkthrough, if there are several.
    """
    state = st.session_state
    wanted: View | None = state.pop(_WANTED, None)
    if wanted and "walkthrough" in (wanted, now) and wanted != now:
        _open_view(wanted, now, index)
    state[_KEY] = now
    _choose({**TITLES, "walkthrough": f"Walkthrough of {of}"} if of else TITLES)


def views_line() -> DeltaGenerator:
    """Return the box on the line of the page's title, for the view switch and other controls."""
    return st.container(horizontal=True, gap="small", key="views")  # laid out in assets/style.css


def _choose(titles: Mapping[View, str]) -> None:
    """Draw the segmented control that selects the view."""
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
    """Record the selected view, and write it to the address if that names a view."""
    wanted = st.session_state[_KEY]
    st.session_state[_WANTED] = wanted
    if SHOW in st.query_params or wanted == "difference":
        st.query_params[SHOW] = wanted


def _open_view(wanted: View, now: View, index: str) -> None:
    """Open a view on another page, and keep the walkthrough's request and position for the way
    back.
    """
    ask = current_question.now(index)
    kept: tuple[Ask, dict[str, str]] | None = st.session_state.get(_TRACED)
    if now == "walkthrough":
        params = st.query_params
        place = {name: params[name] for name in PLACE if name in params}
        st.session_state[_TRACED] = ask, place
        nav.go("compare", index=index, **{SHOW: wanted})
    nav.go("trace", index=index, **(kept[1] if kept and kept[0] == ask else {}))
