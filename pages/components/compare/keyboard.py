"""Keys of the Compare page: arrows move through the columns, and a link skips the row above.

The script is built from `assets/scripts/src/compare/page_keys.js`.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.bundles import bundle
from core.settings import ASSETS
from core.walkthroughs.assets import PAGE_KEYS
from pages.components.ask.view_switch import View

_PAST = {"columns": "Skip to the columns", "difference": "Skip to the graph"}


def skip_link(view: View) -> None:
    """Draw the skip link, which is visible only while it has the focus."""
    st.html(ASSETS / "compare" / "page.css")
    with st.container(key="compare_past"):
        st.html(f"<a class='hop-skip' href='#'>{_PAST[view]}</a>")


def mount_keys() -> None:
    """Mount the script that handles the keys; it shows nothing."""
    with st.container(key="hop_columns"):
        _component()(key="compare_walked", height=1)


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component("hop_columns", js=bundle(PAGE_KEYS))
