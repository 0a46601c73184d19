"""Scripts that run in the browser on every page, from `assets/scripts/src/page`."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.bundles import bundle
from pages.components.shell.client_input.component_events import expect

_SCRIPTS = {
    "address": "history_entries",
    "focus": "page_focus",
    "leaving": "pending_input",
    "listed": "list_link",
    "main": "main_focus",
    "opened": "popover_focus",
    "pressed": "busy_buttons",
    "searched": "search_order",
    "whole": "full_question",
}
"""Scripts by the keys of their components."""


def mount() -> None:
    """Mount the scripts, which show nothing."""
    with st.container(key="hop_address"):
        for key, script in _SCRIPTS.items():
            _component(key, script)(key=key, height=1)
        _follow_theme()


def _follow_theme() -> None:
    """Run again when another theme is chosen, so that charts have its colours."""
    expect("recolour", theme=str)
    _component("recolour", "theme_change")(
        key="recolour",
        data={"theme": st.context.theme.type or "light"},
        on_theme_change=lambda: None,
        height=1,
    )


@cache
def _component(key: str, script: str) -> Callable[..., Any]:
    return st.components.v2.component(f"hop_{key}", js=bundle(f"page/{script}"))
