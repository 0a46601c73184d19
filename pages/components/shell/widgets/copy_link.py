"""A button that copies the current address."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.bundles import bundle
from core.settings import ASSETS


def copy_link(*, key: str) -> None:
    """Draw the button, which copies the address at the moment of the click."""
    _component()(key=key, height="content", width="content")


@cache
def _component() -> Callable[..., Any]:
    """Return the component that copies the address of the page."""
    return st.components.v2.component(
        "hop_copy_link",
        html="<button type='button' class='hop-copy'>Copy link</button>",
        css=(ASSETS / "copying" / "copying.css").read_text(encoding="utf-8"),
        js=bundle("page/copy_link"),
    )
