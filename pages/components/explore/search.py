"""Find a passage by its title or text."""

from collections.abc import Callable
from html import escape
from typing import Literal

import streamlit as st

from core.artefacts.workbench import Workbench
from core.explore.searching import Found, by_words
from core.explore.view import View
from core.text.display import plurals
from core.text.occurrences import best_place
from core.text.tokens import normal, tokens
from core.types import Passage
from pages.components.explore import state as explore_state
from pages.components.shell.widgets.card import card

LIMIT = 20
SNIPPET = 220
_FIND = "explore_find"


def search_box() -> None:
    """Show the search field; its text goes into the address."""
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


def results(bench: Workbench, view: View | None) -> None:
    """Show a card for each passage that contains the search text, or else all of its words."""
    wanted = st.session_state[_FIND].strip()
    if not wanted:
        return
    index = bench.index
    if whole := index.search(wanted, LIMIT):
        more = (
            f"First {LIMIT} matches" if len(whole) == LIMIT else plurals.number(len(whole), "match")
        )
        cards = [(index.titled(each.id), "") for each in whole]
        told = f"{more}, whole words first, then titles."
        _list(told, cards, lambda text: _literal_span(text, wanted), view)
        return
    found = by_words(bench, wanted, LIMIT)
    cards = [
        (each.passage, "" if found.whole else f"{each.words} of {len(found.wanted)} words")
        for each in found.held
    ]
    _list(_result_message(found, wanted), cards, lambda text: _word_spans(text, found.wanted), view)


def _result_message(found: Found, wanted: str) -> str:
    """Say how many passages contain the words, or that none contains them all."""
    if not found.held:
        return f"No passage contains '{escape(wanted)}' or any of its words."
    if not found.whole:
        return "No passage contains all of these words. Passages with most of them come first."
    full = len(found.held) == LIMIT
    many = f"The first {LIMIT} passages" if full else plurals.number(len(found.held), "passage")
    have = "contains" if len(found.held) == 1 else "contain"
    return f"No passage contains '{escape(wanted)}' as a phrase. {many} {have} all its words."


Spans = list[tuple[int, int]]
"""Where in a text something stands that is searched for, in order."""


def _list(
    told: str, cards: list[tuple[Passage, str]], spans: Callable[[str], Spans], view: View | None
) -> None:
    """Draw the search results over the graph, as cards that open a passage."""
    # Over the graph (style.css), which stays where it is, also where nothing is found.
    height: int | Literal["content"] = min(64 * len(cards) + 70, 330) if cards else "content"
    with st.container(height=height, gap="xsmall", key="explore_results", border=True):
        held = st.query_params.get(explore_state.HELD)
        what = " Select a passage to compare." if held else ""
        st.html(f"<p class='hop-caption'>{told}{what} Clear the search to close this list.</p>")
        for number, (passage, beside) in enumerate(cards):
            card(
                _drawing(passage, beside, spans),
                passage.title or passage.id,
                key=f"explore_found_{number}",
                on_click=_open,
                args=(view, passage.id),
            )


def _open(view: View | None, passage_id: str) -> None:
    """Open the graph around a result, or compare the result with the held passage."""
    st.session_state[_FIND] = ""
    if st.query_params.get(explore_state.HELD):
        explore_state.compare(passage_id)
    elif view:
        explore_state.centre_on(view, passage_id)
    else:
        explore_state.begin(passage_id)


def _note() -> None:
    explore_state.find(st.session_state[_FIND].strip())


def _literal_span(text: str, wanted: str) -> Spans:
    """Return the span of the first occurrence of `wanted` in `text`, preferably as whole words."""
    _, start = best_place(text.casefold(), wanted.casefold())
    end = start + len(wanted)
    held = start >= 0 and text[start:end].casefold() == wanted.casefold()
    return [(start, end)] if held else []


def _word_spans(text: str, wanted: tuple[str, ...]) -> Spans:
    """Return the spans of the words of `wanted` in `text`."""
    return [(each.start, each.end) for each in tokens(text) if normal(each.text) in wanted]


def _drawing(passage: Passage, beside: str, spans: Callable[[str], Spans]) -> str:
    """Return a search result as HTML, with the matching words marked."""
    held = f" <span class='hop-quiet'>{beside}</span>" if beside else ""
    title = _highlighted(passage.title, spans(passage.title))
    text = _excerpt(passage.text, spans(passage.text))
    return (
        f"<div class='hop-found'><span><b dir='auto'>{title}</b>{held}</span>"
        f"<span class='hop-quiet' dir='auto'>{_highlighted(text, spans(text))}</span></div>"
    )


def _excerpt(text: str, found: Spans) -> str:
    """Return the part of `text` around the match."""
    start = max(found[0][0] - 60, 0) if found else 0
    return ("…" if start else "") + text[start : start + SNIPPET]


def _highlighted(text: str, found: Spans) -> str:
    """Return `text` as escaped HTML, with the spans `found` in `mark` elements."""
    told, last = "", 0
    for start, end in found:
        told += f"{escape(text[last:start])}<mark>{escape(text[start:end])}</mark>"
        last = end
    return told + escape(text[last:])
