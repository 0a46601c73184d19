"""A message on the last change, shown on the page after its rerun."""

from time import monotonic

import streamlit as st

from pages.components.errors.component import component
from pages.components.shell import layout

_TOLD, _HERE, _UNTIL = "errors_told", "errors_told_last", "errors_told_until"
_READ = 5.0  # seconds
_TALL = 32  # pixels, of two lines


def tell_then(message: str, *, by_itself: bool = False) -> None:
    """Show the message `message` after the page reruns, instead of inside a callback.

    With `by_itself`, it stays long enough to be read, over several reruns.
    """
    st.session_state[_TOLD] = message
    st.session_state[_UNTIL] = monotonic() + _READ if by_itself else 0.0


def tell() -> None:
    """Show the message briefly above the page."""
    if told := st.session_state.pop(_TOLD, ""):
        st.toast(layout.literal(told))


def tell_here() -> None:
    """Show the message in its own line until the next change."""
    if monotonic() < st.session_state.get(_UNTIL, 0.0):
        tell_on()
    told = st.session_state[_HERE] = st.session_state.pop(_TOLD, "")
    component("told", "status_line", "<p class='hop-told' role='status' dir='auto'></p>")(
        key="errors_told_here", data={"told": told}, height=_TALL
    )


def tell_on() -> None:
    """Keep the current message, unless another one is waiting."""
    st.session_state.setdefault(_TOLD, st.session_state.get(_HERE, ""))
