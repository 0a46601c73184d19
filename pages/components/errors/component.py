"""Scripts of the Errors page in the browser, from `assets/scripts/src/errors`."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.bundles import bundle


@cache
def component(name: str, script: str, html: str = "") -> Callable[..., Any]:
    """Return the component `name`, which mounts `html` with a script of `src/errors`."""
    return st.components.v2.component(
        f"hop_errors_{name}",
        html=html or None,
        js=bundle(f"errors/{script}"),
        isolate_styles=not html,
    )
