"""What the browser does on every page; each script of `assets` says what it is for."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.settings import ASSETS
from pages.components.shell.client_input.component_events import expect

_SCRIPTS = ("address", "focus", "leaving", "main", "opened", "pressed", "whole")


def mount() -> None:
    """Mount the scripts; they are seen nowhere."""
    with st.container(key="hop_address"):
        for name in _SCRIPTS:
            _component(name)(key=name, height=1)
        _follow_theme()


def _follow_theme() -> None:
    """Run again when another theme is chosen, so that charts have its colours."""
    expect("recolour", theme=str)
    _component("recolour", "theme/theme")(
        key="recolour",
        data={"theme": st.context.theme.type or "light"},
        on_theme_change=lambda: None,
        height=1,
    )


@cache
def _component(*names: str) -> Callable[..., Any]:
    scripts = [(ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in names]
    return st.components.v2.component(f"hop_{names[0]}", js="\n".join(scripts))
