"""Suggested questions for an index without questions, generated from its graph by rules."""

from collections.abc import Callable

import streamlit as st

from core.hop_graph.suggested import BY_RULES, two_hop_questions
from core.store.index import Index
from core.types import Query
from pages.components.shell import layout


def suggestions(index: Index) -> tuple[Query, ...]:
    """Return questions made by rules from the graph; empty if the index has its own questions."""
    if index.meta.counts.questions:
        return ()
    return two_hop_questions(index)


def show_suggestions(index: Index, choose: Callable[[str], None]) -> None:
    """Suggest questions for an index that has none of its own."""
    if index.questions:
        return
    if suggestions(index):
        suggestion_chips(index, choose)
    else:
        st.text("Ask a question that needs two passages, and see how an edge joins them.")


def suggestion_chips(index: Index, choose: Callable[[str], None] | None = None) -> str:
    """Draw a button for each question, which calls `choose` before the page reruns.

    Returns the question that was clicked, empty for none.
    """
    found = suggestions(index)
    if not found:
        return ""
    st.text(f"Two-hop questions, {BY_RULES}. Their gold (the starred passages) is generated too:")
    clicked = ""
    with st.container(horizontal=True, gap="small", key="suggested_chips"):
        for number, query in enumerate(found):
            if st.button(
                layout.literal(query.text),
                key=f"suggested_{number}",
                on_click=choose,
                args=(query.text,) if choose else None,
            ):
                clicked = query.text
    return clicked
