"""What the browser does on every page; each script of `assets` says what it is for."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.settings import ASSETS

_SCRIPTS = ("address", "leaving", "main", "opened", "pressed", "whole")


def mount() -> None:
    """Mount the scripts; they are seen nowhere."""
    with st.container(key="hop_address"):
        for name in _SCRIPTS:
            _component(name)(key=name, height=1)


@cache
def _component(name: str) -> Callable[..., Any]:
    script = (ASSETS / f"{name}.js").read_text(encoding="utf-8")
    return st.components.v2.component(f"hop_{name}", js=script)
