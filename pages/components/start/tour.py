"""The guided tour on the first page; its scripts are in `assets/scripts`."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.bundles import bundle, style
from core.tour import shipped_tour
from pages.components.shell.client_input.component_events import expect

PAGES = ("corpus", "compare", "trace", "errors", "evaluate")
_KEY = "start_tour"
_ROOT = "<div class='walkthrough tour' role='region' aria-label='Guided tour'></div>"


def show_tour() -> str:
    """Show the tour. Returns the page that the visitor wants to open, or an empty text."""
    expect(_KEY, open=str)
    asked = _component()(
        key=_KEY, data={"tour": shipped_tour()}, on_open_change=_nothing, height="content"
    ).open
    return asked if asked in PAGES else ""


def _nothing() -> None:
    """Do nothing; the page reruns by itself."""


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "hop_tour", html=_ROOT, css=style(), js=bundle("walkthrough/tour")
    )
