"""What an act did, told on the page that it leads to."""

import streamlit as st

from pages.components.errors.component import component
from pages.components.shell import frame

_TOLD, _HERE = "errors_told", "errors_told_last"
_TALL = 32  # pixels, of two lines


def tell_then(told: str) -> None:
    """Have what comes show what an act did: what a fragment's own callback shows would replace the
    page."""
    st.session_state[_TOLD] = told


def tell() -> None:
    """Show it for a moment, above what the page shows."""
    if told := st.session_state.pop(_TOLD, ""):
        st.toast(frame.literal(told))


def tell_here() -> None:
    """Show it in a line of its own until the next act, over nothing that one would press."""
    told = st.session_state[_HERE] = st.session_state.pop(_TOLD, "")
    component("told", "<p class='hop-told' role='status' dir='auto'></p>")(
        key="errors_told_here", data={"told": told}, height=_TALL
    )


def tell_on() -> None:
    """Leave the line as it is where nothing else is to be told: what comes is nobody's act."""
    st.session_state.setdefault(_TOLD, st.session_state.get(_HERE, ""))
