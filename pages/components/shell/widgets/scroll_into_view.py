"""What a press leads to elsewhere on the page is brought into sight."""

from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import streamlit as st

from core.settings import ASSETS


def press(name: str) -> None:
    """Bring the element with the key `name` into sight, in the run of the page that comes."""
    st.session_state[_presses(name)] = st.session_state.get(_presses(name), 0) + 1


def in_sight(name: str, block: Literal["start", "nearest"] = "nearest") -> None:
    """Where the page follows what `press` says of `name`; it takes no room."""
    with st.container(key=f"in_sight_{name}"):
        told = {
            "name": name,
            "presses": st.session_state.get(_presses(name), 0),
            "block": block,
        }
        _component()(key=f"sight_of_{name}", data=told, height=1)


@cache
def _component() -> Callable[..., Any]:
    script = (ASSETS / "in_sight.js").read_text(encoding="utf-8")
    return st.components.v2.component("hop_in_sight", js=script)


def _presses(name: str) -> str:
    return f"presses_{name}"
