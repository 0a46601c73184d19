"""One press of Back for one thing that was done; the browser's half is in `assets/address.js`."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.settings import ASSETS


def keep_back_short() -> None:
    """Mount what keeps a page that completes its own address from being an entry of its own."""
    with st.container(key="hop_address"):
        _component()(key="address", height=1)


@cache
def _component() -> Callable[..., Any]:
    script = (ASSETS / "address.js").read_text(encoding="utf-8")
    return st.components.v2.component("hop_address", js=script)
