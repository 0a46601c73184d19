"""The name under which a visitor's changes are stored: signed in, or typed once.

The browser stores a typed name in a cookie.
"""

from urllib.parse import unquote

import streamlit as st

from core.errors import InputError
from core.reviews.store.reviews import reviewer_name
from pages.components.shell.visitors.visitor import visitor

COOKIE = "hop_reviewer"
_NAME = "signature"


def signature() -> str:
    """Return the visitor's name; empty until one is typed."""
    known: str = visitor().name or st.session_state.get(_NAME, "")
    if known:
        return known
    try:
        sign(unquote(st.context.cookies.get(COOKIE, "")))
    except InputError:
        return ""
    return typed()


def typed() -> str:
    """Return the name that was typed, for the browser to keep; empty for a signed-in visitor."""
    name: str = "" if visitor().name else st.session_state.get(_NAME, "")
    return name


def sign(name: str) -> None:
    """Set the visitor's name to `name`.

    Raises
    ------
    InputError : it is no name.
    """
    st.session_state[_NAME] = reviewer_name(name)
