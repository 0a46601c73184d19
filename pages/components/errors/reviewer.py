"""The reviewer's name, and whether reviews of others are visible."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from core.errors import InputError
from core.places import Place
from core.reviews import Reviews
from core.text.display import plurals
from pages.components.errors.status_message import tell_then
from pages.components.shell import layout
from pages.components.shell.visitors import access
from pages.components.shell.visitors.signature import sign, signature, typed

_TYPED, _RETYPED, _REFUSED = "errors_typed", "errors_retyped", "errors_refused"
_OTHERS = "errors_others"
_POPOVER = "errors_reviewing"
FIRST = "Reviewer 1"
"""Default name of a single reviewer."""


def sign_by_default(index: Place) -> None:
    """Sign as `FIRST` on a server that others cannot reach, if nobody has reviewed this index.

    Once somebody has, the page asks whether it is the same person.
    """
    if not (signature() or access.is_reachable() or Reviews(index).all()):
        sign(FIRST)


def ask_name(known: Mapping[str, int]) -> None:
    """Ask for the reviewer's name.

    Parameters
    ----------
    known : number of results by reviewer; each is a button that continues under that name.
    """
    _names(known)
    _form(
        _TYPED,
        "Your name",
        "Verdicts, notes and labels are saved under your name. Enter it to start reviewing.",
    )


def show_name(name: str, known: Mapping[str, int]) -> None:
    """Show the reviewer's name; a typed name can be changed in a popover."""
    if name and typed() != name:
        st.html(f"<span class='hop-quiet' dir='auto'>Reviewing as {escape(name)}</span>")
    elif name:
        told = f"Reviewing as {layout.literal(name)}"
        with st.popover(told, type="tertiary", key=_POPOVER, on_change="rerun"):
            _names({one: reviews for one, reviews in known.items() if one != name})
            _form(_RETYPED, "Change name", "Your earlier reviews stay under the old name.")


def _names(known: Mapping[str, int]) -> None:
    """Draw a button for each known reviewer, which continues under that name."""
    if known:
        with st.container(horizontal=True, gap="small", key="errors_known"):
            for number, (name, reviews) in enumerate(known.items()):
                st.button(
                    layout.literal(f"{reviews:,} by {name}"),
                    key=f"errors_known_{number}",
                    help=f"Continue under this name: {plurals.number(reviews, 'review')}",
                    on_click=sign,
                    args=(name,),
                )


def _form(key: str, label: str, says: str) -> None:
    """Draw the form for the reviewer's name."""
    with st.form("errors_who", border=True):
        st.caption(says)
        st.text_input(
            label,
            key=key,
            max_chars=60,
            help="Shown next to your reviews to distinguish them from others'.",
        )
        st.form_submit_button(
            "Use this name",
            type="primary",
            key="errors_who_go",
            on_click=_sign_typed_name,
            args=(key,),
        )
    if said := st.session_state.pop(_REFUSED, ""):
        st.error(layout.literal(said))


def blind() -> bool:
    """Return whether a reviewer sees only their own reviews, the default."""
    return not st.session_state.get(_OTHERS, False)


def blind_switch() -> None:
    """Show the switch that reveals the reviews by others."""
    st.toggle(
        "Show reviews by others",
        key=_OTHERS,
        persist_state="session",
        help="When off, you review blind: you see only your own reviews.",
    )


def _sign_typed_name(key: str) -> None:
    """Sign as the typed name, or record why it is refused."""
    try:
        sign(st.session_state[key])
    except InputError as error:
        st.session_state[_REFUSED] = str(error)
    else:
        tell_then("")
        if key == _RETYPED:  # while it is open, its field has the keys of the page
            st.session_state[_POPOVER] = False
