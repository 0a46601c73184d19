"""What a script of `assets/errors` does in the browser."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.settings import ASSETS


@cache
def component(name: str, html: str = "") -> Callable[..., Any]:
    """The component of the script `name`, with `html` where it is seen."""
    script = (ASSETS / "errors" / f"{name}.js").read_text(encoding="utf-8")
    return st.components.v2.component(
        f"hop_errors_{name}", html=html or None, js=script, isolate_styles=not html
    )
