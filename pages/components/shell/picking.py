"""Rows of HTML that select a passage or an edge, as a click in the graph does."""

from collections.abc import Callable
from functools import cache
from html import escape
from typing import Any, Literal

import streamlit as st

from core.settings import ASSETS


def pick(
    graph: str, kind: Literal["node", "edge"], id_: str, inner: str, *, name: str, hint: str
) -> str:
    """`inner`, which is HTML, as a row to click; `hint` is text for hovering.

    The selection is `graph_view.selection(graph)`. The page has to mount `listen` once, and the
    graph's painter, which takes the click to Python.
    """
    return (
        f"<div class='tr-pick {name}' role='button' tabindex='0' data-graph='{escape(graph)}' "
        f"data-kind='{kind}' data-id='{escape(id_)}' title='{escape(hint)}'>{inner}</div>"
    )


def listen() -> None:
    """Mount what hears the clicks."""
    _component()(key="picking", height=1)


@cache
def _component() -> Callable[..., Any]:
    script = (ASSETS / "graph" / "picking.js").read_text(encoding="utf-8")
    return st.components.v2.component("hop_picking", js=script)
