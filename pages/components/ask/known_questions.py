"""Some of the questions that came with an index, to begin with."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.types import Query
from pages.components.shell import frame

CHIPS = 6


def question_chips(questions: Sequence[Query], choose: Callable[[str], None]) -> None:
    """Some of several types, to try at one click."""
    if not questions:
        st.text("Ask about something that is told in two passages, and see how they are joined.")
        return
    st.text("Questions that came with this index:")
    with st.container(horizontal=True, gap="small", key="question_chips"):
        for query in _mixed(questions)[:CHIPS]:
            st.button(
                frame.literal(query.text),
                key=f"question_chip_{query.id}",
                on_click=choose,
                args=(query.text,),
            )


def _mixed(questions: Sequence[Query]) -> list[Query]:
    """One of each type in turn, those with the most gold first."""
    by_type: dict[str, list[Query]] = {}
    for query in sorted(questions, key=lambda query: -len(query.gold)):
        by_type.setdefault(query.type, []).append(query)
    longest = max(map(len, by_type.values()), default=0)
    return [group[i] for i in range(longest) for group in by_type.values() if i < len(group)]
