"""Who reviews: the visitor by their name; where nobody is told apart, by a name typed once.

The name that was typed is kept by the browser, in a cookie that says nothing else.
"""

from urllib.parse import unquote

import streamlit as st

from core.errors import InputError
from core.reviews.store import reviewer_name
from pages.components.errors import keys
from pages.components.shell import frame
from pages.components.shell.visitor import visitor

_NAME, _TYPED, _REFUSED = "errors_name", "errors_typed", "errors_refused"
_OTHERS = "errors_others"


def reviewer() -> str:
    """Their name; empty until one is typed."""
    known: str = visitor().name or st.session_state.get(_NAME, "")
    if known:
        return known
    try:
        kept = reviewer_name(unquote(st.context.cookies.get(keys.COOKIE, "")))
    except InputError:
        return ""
    st.session_state[_NAME] = kept
    return kept


def typed() -> str:
    """The name that was typed, for the browser to keep; empty where the visitor has one."""
    name: str = "" if visitor().name else st.session_state.get(_NAME, "")
    return name


def ask_name() -> None:
    """A form for the name."""
    with st.form("errors_who", border=True):
        st.text_input(
            "Your name",
            key=_TYPED,
            max_chars=60,
            help="It stands beside your reviews, and tells them from those of others.",
        )
        st.form_submit_button("Use this name", type="primary", key="errors_who_go", on_click=_take)
    if said := st.session_state.pop(_REFUSED, ""):
        st.error(frame.literal(said))


def blind() -> bool:
    """Whether a reviewer sees their own word only; so it is until they wish otherwise."""
    return not st.session_state.get(_OTHERS, False)


def blind_switch() -> None:
    """The switch that shows what others say."""
    st.toggle(
        "Show reviews of others",
        key=_OTHERS,
        persist_state="session",
        help="While it is off you review blind: you see and count your own reviews only.",
    )


def _take() -> None:
    try:
        st.session_state[_NAME] = reviewer_name(st.session_state[_TYPED])
    except InputError as error:
        st.session_state[_REFUSED] = str(error)
