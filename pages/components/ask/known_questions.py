"""The questions that came with an index: all of them to search in, and some to begin with."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.types import Query
from pages.components.shell import frame

CHIPS = 6
_PICKED = "question_pick"


def question_picker(questions: Sequence[Query], now: str, choose: Callable[[str], None]) -> None:
    """All of them, to choose one in place of `now`; nothing when there are none."""
    if not questions:
        return
    known = {query.id: query for query in questions}

    def picked() -> None:
        if name := st.session_state[_PICKED]:
            choose(known[name].text)

    with st.popover(f"Questions ({len(known):,})", key="question_picker"):
        st.session_state[_PICKED] = next((q.id for q in questions if q.text == now), None)
        st.selectbox(
            "Questions that came with this index",
            list(known),
            key=_PICKED,
            format_func=lambda name: _described(known[name]),
            placeholder="Type to search",
            width=620,
            on_change=picked,
        )
        st.caption("Their gold passages are known and marked everywhere.")


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


def _described(query: Query) -> str:
    notes = " · ".join(note for note in (query.type, query.dataset) if note)
    return f"{query.text}  ({notes})" if notes else query.text


def _mixed(questions: Sequence[Query]) -> list[Query]:
    """One of each type in turn, those with the most gold first."""
    by_type: dict[str, list[Query]] = {}
    for query in sorted(questions, key=lambda query: -len(query.gold)):
        by_type.setdefault(query.type, []).append(query)
    longest = max(map(len, by_type.values()), default=0)
    return [group[i] for i in range(longest) for group in by_type.values() if i < len(group)]
