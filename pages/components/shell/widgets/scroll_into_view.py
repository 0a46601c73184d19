"""Scrolling to the part of the page that a press changes."""

from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import streamlit as st

from core.bundles import bundle


def press(name: str) -> None:
    """Scroll the element with the key `name` into view in the next run of the page."""
    st.session_state[_presses(name)] = st.session_state.get(_presses(name), 0) + 1


def in_sight(name: str, block: Literal["start", "nearest"] = "nearest") -> None:
    """Mount the script that scrolls to the element which `press` names; it takes no room."""
    with st.container(key=f"in_sight_{name}"):
        told = {
            "name": name,
            "presses": st.session_state.get(_presses(name), 0),
            "block": block,
        }
        _component()(key=f"sight_of_{name}", data=told, height=1)


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component("hop_in_sight", js=bundle("page/scroll_into_view"))


def _presses(name: str) -> str:
    return f"presses_{name}"
