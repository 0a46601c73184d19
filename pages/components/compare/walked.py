"""Columns of cards that the arrow keys go through; what the browser does is in `assets/compare`."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.settings import ASSETS

_SCRIPTS = ("film/elements.js", "compare/columns.js")


def walk_columns() -> None:
    """Mount the script; it is seen nowhere."""
    with st.container(key="hop_columns"):
        _component()(key="compare_walked", height=1)


@cache
def _component() -> Callable[..., Any]:
    script = "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in _SCRIPTS)
    return st.components.v2.component("hop_columns", js=script)
