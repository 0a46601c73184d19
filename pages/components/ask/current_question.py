"""The current question with its retriever and settings, shared by all pages.

Trace and Compare write it into their addresses and record it here. A page that is opened without a
question in its address continues with it.
"""

import streamlit as st

from pages.components.ask.request import Ask

_NOW, _INDEX = "asked_now", "asked_index"


def now(index: str) -> Ask:
    """Return the last request to `index` in this session, if any."""
    known: Ask | None = st.session_state.get(_NOW)
    return known if known and was_asked(index) else Ask()


def was_asked(index: str) -> bool:
    """Return whether a question of this index was run in this session, even an empty one."""
    return _NOW in st.session_state and st.session_state.get(_INDEX) == index


def note(wanted: Ask, index: str) -> None:
    """Record `wanted` as the current request to the index."""
    st.session_state[_NOW], st.session_state[_INDEX] = wanted, index
