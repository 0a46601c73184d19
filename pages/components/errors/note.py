"""The note of a result: what is written is saved as it is written, and over no newer one.

The browser hands over what was typed about a second after the last key (`assets/errors/note.js`).
Where another window has saved a note meanwhile both are kept, and one of them is to be chosen.
"""

import streamlit as st

from core.reviews import Review
from core.reviews.review import LONGEST_NOTE
from core.runs import Row
from pages.components.errors.bench import Bench
from pages.components.errors.saying import key_of, write_note
from pages.components.shell import frame

_BEFORE = "errors_written_over"
"""The note that what is in the field is written over, by the key of the field."""
_MINE = "errors_unsaved"
"""Notes that were not saved, by the keys of their fields."""


def note(bench: Bench, row: Row, review: Review) -> None:
    """The field, and where its text is not saved that, and why."""
    key = key_of("errors_note", row)
    _follow(key, review.note)
    st.text_area(
        "Note",
        key=key,
        placeholder="The first thing that went wrong (n). It is saved as you type.",
        max_chars=LONGEST_NOTE,
        height=110,
        disabled=not bench.reviewer,
        label_visibility="collapsed",
        on_change=_write,
        args=(bench, row, key),
    )
    if key in _unsaved() and review.note != _written_over()[key]:
        _choose(bench, row, review, key)
    elif key in _unsaved():
        st.warning("Not saved. It is tried again as you type.")


def _follow(key: str, saved: str) -> None:
    """Another note that was saved elsewhere comes into the field; what is being typed stays."""
    before = _written_over()
    if key not in st.session_state:
        st.session_state[key] = _unsaved().get(key, saved)
        before[key] = saved
    elif key not in _unsaved() and before[key] != saved:
        st.session_state[key] = before[key] = saved


def _write(bench: Bench, row: Row, key: str) -> None:
    text = st.session_state[key]
    now = write_note(bench, row, text, _written_over()[key])
    if now:
        _written_over()[key] = now.note
        _unsaved().pop(key, None)
    else:
        _unsaved()[key] = text


def _choose(bench: Bench, row: Row, review: Review, key: str) -> None:
    """Which of two notes is to stand."""
    st.warning(f"Not saved. Another window has saved: {frame.literal(review.note) or 'no note'}")

    def mine() -> None:
        _written_over()[key] = review.note
        _write(bench, row, key)

    def theirs() -> None:
        del _unsaved()[key], st.session_state[key]

    with st.container(horizontal=True, gap="xsmall"):
        st.button("Save mine", key="errors_mine", on_click=mine)
        st.button("Take the other", key="errors_other", on_click=theirs)


def _written_over() -> dict[str, str]:
    kept: dict[str, str] = st.session_state.setdefault(_BEFORE, {})
    return kept


def _unsaved() -> dict[str, str]:
    kept: dict[str, str] = st.session_state.setdefault(_MINE, {})
    return kept
