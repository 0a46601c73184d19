"""Who reviews, and whether they see what others say."""

from collections.abc import Mapping

import streamlit as st

from core.errors import InputError
from pages.components.shell import frame
from pages.components.shell.signature import sign
from pages.components.shell.words import count

_TYPED, _REFUSED = "errors_typed", "errors_refused"
_OTHERS = "errors_others"


def ask_name(known: Mapping[str, int]) -> None:
    """A form for the name; who is `known` to have reviewed before, and how many results, presses a
    button.
    """
    if known:
        with st.container(horizontal=True, gap="small", key="errors_known"):
            for number, (name, reviews) in enumerate(known.items()):
                st.button(
                    frame.literal(f"{reviews:,} by {name}"),
                    key=f"errors_known_{number}",
                    help=f"Go on under this name, which has {count(reviews, 'review')}",
                    on_click=sign,
                    args=(name,),
                )
    with st.form("errors_who", border=True):
        st.caption("Verdicts, notes and labels are kept under a name. Give yours to review.")
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
        sign(st.session_state[_TYPED])
    except InputError as error:
        st.session_state[_REFUSED] = str(error)
