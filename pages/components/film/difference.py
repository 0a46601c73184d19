"""The difference of two retrievals on the screen, drawn by what draws a film."""

import hashlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.film.assets import BESIDE, DIFFERENCE, script, style
from core.film.difference.data import DifferenceData

HTML = "<dialog class='film difference' open aria-label='Difference of two retrievals'></dialog>"


def show_difference(found: DifferenceData, *, key: str) -> None:
    """Mount the drawing and its lists; what is picked stays in the browser."""
    told = json.dumps(found, separators=(",", ":"))
    data = {"difference": told, "rev": hashlib.sha256(told.encode()).hexdigest()[:16]}
    _component()(key=key, data=data, height="content")


@cache
def _component() -> Callable[..., Any]:
    js = script(DIFFERENCE, BESIDE)
    return st.components.v2.component("hop_difference", html=HTML, css=style(), js=js)
