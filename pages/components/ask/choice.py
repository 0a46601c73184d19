"""Which retriever is asked, with which settings: widgets made from what it declares.

They stand outside of any form, as the settings depend on the retriever. What is chosen is a draft
until a question is asked of it.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.errors import InputError
from core.retrievers import CARDS, MODEL_FREE, Spec
from core.retrievers.settings import LONGEST_TEXT, Declared
from core.retrievers.written import LONGEST
from pages.components.ask.naming import called, how_to_get_the_others, offered
from pages.components.shell import frame

_DRAFT, _FROM, _TROUBLE = "ask_draft", "ask_draft_from", "ask_trouble"
_RETRIEVER, _WORD = "ask_retriever", "ask_word"


def draft(asked: Spec) -> Spec:
    """What is chosen now: `asked` until a widget changes it."""
    state = st.session_state
    if state.get(_FROM) != asked or _DRAFT not in state:
        state[_FROM] = state[_DRAFT] = asked
        state[_TROUBLE] = ""
    chosen: Spec = state[_DRAFT]
    return chosen


def choice(chosen: Spec, asked: Spec, *, with_model: bool) -> None:
    """The popover; its label says what is chosen."""
    state = st.session_state
    state[_RETRIEVER] = chosen.key
    with st.popover(frame.literal(called(chosen)), key="ask_settings"):
        st.selectbox(
            "Retriever",
            _with(offered(with_model=with_model), chosen.key),
            key=_RETRIEVER,
            format_func=_listed,
            on_change=_choose,
        )
        st.caption(frame.literal(chosen.card.summary))
        if chosen != asked:
            st.caption("Press Ask to ask it.")
        if others := how_to_get_the_others(with_model=with_model):
            st.caption(frame.literal(others))
        for one in chosen.declared:
            _widget(one, chosen.values[one.name])
        if not state.get(_TROUBLE):
            state[_WORD] = str(chosen)
        st.text_input(
            "As one word",
            key=_WORD,
            max_chars=LONGEST,
            help="The same for the command line and for an address; also settings of a retriever "
            "that another is made of can be written here.",
            on_change=_write,
        )
        if state.get(_TROUBLE):
            st.error(frame.literal(state[_TROUBLE]))


def _listed(key: str) -> str:
    card = CARDS[key]
    return f"{card.family}: {card.title}"


def _widget(one: Declared, value: Any) -> None:
    key = _key(one.name)
    st.session_state[key] = str(value) if one.kind is Spec else value
    label = one.name  # of the code: a name in Python, which no markdown changes
    says = frame.literal(f"{one.setting.says}; {one.allowed}. By default {one.usual}.")
    on: dict[str, Any] = {"key": key, "help": says, "on_change": _set, "args": (one.name,)}
    least, most = one.setting.least, one.setting.most
    if one.kind is Spec:
        st.selectbox(label, _with(MODEL_FREE, str(value)), **on)
    elif one.setting.choices:
        st.segmented_control(label, one.setting.choices, required=True, **on)
    elif one.kind is bool:
        st.toggle(label, **on)
    elif one.kind is int:
        st.number_input(label, _as(int, least), _as(int, most), step=1, **on)
    elif one.kind is float:
        step = 0.01 if 0 < one.default < 0.1 else 0.1
        st.number_input(label, _as(float, least), _as(float, most), step=step, format="%g", **on)
    else:
        st.text_input(label, max_chars=LONGEST_TEXT, **on)


def _choose() -> None:
    """Another retriever, with its own defaults; it keeps as many passages as the one before."""
    state = st.session_state
    kept = {name: value for name, value in state[_DRAFT].settings if name == "top_k"}
    _take(lambda: Spec(state[_RETRIEVER]).with_settings(**kept))


def _set(name: str) -> None:
    state = st.session_state
    _take(lambda: state[_DRAFT].with_settings(**{name: state[_key(name)]}))


def _write() -> None:
    _take(lambda: Spec.parse(st.session_state[_WORD]))


def _take(wanted: Any) -> None:
    state = st.session_state
    try:
        state[_DRAFT], state[_TROUBLE] = wanted(), ""
    except InputError as error:
        state[_TROUBLE] = str(error)


def _key(name: str) -> str:
    return f"ask_set_{name}"


def _with(known: Sequence[str], text: str) -> list[str]:
    return [*known, *([] if text in known else [text])]


def _as(kind: Any, bound: float | None) -> Any:
    return None if bound is None else kind(bound)
