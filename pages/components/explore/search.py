"""Find a passage by its title or text."""

from html import escape

import streamlit as st

from core.explore.view import View
from core.store.index import Index
from core.types import Passage
from pages.components.explore import state as explore_state
from pages.components.shell.card import card

LIMIT = 20
SNIPPET = 220
_FIND = "explore_find"


def search_box() -> None:
    """The search field; what is typed goes into the address."""
    if _FIND not in st.session_state:
        st.session_state[_FIND] = st.query_params.get("find", "")
    st.text_input(
        "Search",
        key=_FIND,
        placeholder="Search passages by title or text, then press Enter",
        type="search",
        label_visibility="collapsed",
        on_change=_note,
    )


def results(index: Index, view: View | None) -> None:
    """Passages that hold what is searched for, each a card that leads there."""
    wanted = st.session_state[_FIND].strip()
    if not wanted:
        return
    found = index.search(wanted, LIMIT)
    if not found:
        st.html(
            f"<p class='hop-caption'>No title and no text holds “{escape(wanted)}”. The search "
            "looks for these very letters, in upper or lower case; try fewer of them.</p>"
        )
        return
    more = f"The first {LIMIT} passages" if len(found) == LIMIT else f"{len(found)} found"
    # Over the graph (style.css), which stays where it is.
    with st.container(height=min(64 * len(found) + 70, 330), gap="xsmall", key="explore_results"):
        st.html(f"<p class='hop-caption'>{more}; titles first. Clear the search to close it.</p>")
        for number, passage in enumerate(index.titled(each.id) for each in found):
            card(
                _drawing(passage, wanted),
                passage.title or passage.id,
                key=f"explore_found_{number}",
                on_click=_open,
                args=(view, passage.id),
            )


def _open(view: View | None, passage_id: str) -> None:
    st.session_state[_FIND] = ""
    if view:
        explore_state.centre_on(view, passage_id)
    else:
        explore_state.begin(passage_id)


def _note() -> None:
    explore_state.find(st.session_state[_FIND].strip())


def _drawing(passage: Passage, wanted: str) -> str:
    text = _marked(_around(passage.text, wanted), wanted)
    return (
        f"<div class='hop-found'><b dir='auto'>{_marked(passage.title, wanted)}</b>"
        f"<span class='hop-quiet' dir='auto'>{text}</span></div>"
    )


def _around(text: str, wanted: str) -> str:
    """The part of `text` that holds what was searched for."""
    start = max(text.casefold().find(wanted.casefold()) - 60, 0)
    return ("…" if start else "") + text[start : start + SNIPPET]


def _marked(text: str, wanted: str) -> str:
    start = text.casefold().find(wanted.casefold())
    end = start + len(wanted)
    if start < 0 or text[start:end].casefold() != wanted.casefold():
        return escape(text)
    return f"{escape(text[:start])}<mark>{escape(text[start:end])}</mark>{escape(text[end:])}"
