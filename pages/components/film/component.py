"""The graph of a trace on the screen: fed once, played by the browser alone.

Its scripts and style sheets are in `assets/film`.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.film.assets import COMPONENT, ROOT, script, style
from core.film.data import FilmData
from pages.components.walkthrough.component import Wish, mounted


def show_film(film: FilmData, *, key: str, **how: Any) -> Wish | None:
    """Mount `film`; its place is kept in the address. See `mounted` for `how`."""
    return mounted(_component(), "film", film, key=key, **how)


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component("hop_film", html=ROOT, css=style(), js=script(COMPONENT))
