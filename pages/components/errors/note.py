"""The note of a result: what is written is saved as it is written, and over no newer one.

The browser hands over what was typed a second after the last key, and every two seconds of typing
(`assets/errors/note.js`). Until it hears that a text was saved it keeps it as a draft, which a
window that was closed or reloaded hands over again. Where another window has saved a note meanwhile
both are kept, and one of them is to be chosen.
"""

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.marks.store import question_key
from core.reviews import Review
from core.reviews.review import LONGEST_NOTE
from core.runs import Row
from pages.components.errors.bench import Bench
from pages.components.errors.keys import component
from pages.components.errors.saying import key_of, write_note
from pages.components.shell import frame

_BEFORE = "errors_written_over"
"""The note that what is in the field is written over, by the key of the field."""
_MINE = "errors_unsaved"
"""Notes that were not saved, by the keys of their fields."""
_KEPT, _DROPPED = "errors_kept", "errors_dropped"
"""The texts that need no draft any more, by the keys of their fields: saved, or given up."""
_TYPING = "errors_typing"


def note(bench: Bench, row: Row, review: Review) -> None:
    """The field, and where its text is not saved that, and why."""
    key = key_of("errors_note", row, bench.reviewer)
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
    if bench.reviewer:
        _drafts(bench, row, key)
    if key in _unsaved() and review.note != _written_over()[key]:
        _choose(bench, row, review, key)
    elif key in _unsaved():
        st.warning("Not saved. It is tried again as you type.")


def _follow(key: str, saved: str) -> None:
    """Another note that was saved elsewhere comes into the field; what is being typed stays."""
    before, unsaved = _written_over(), _unsaved()
    if key in unsaved and unsaved[key].strip() == saved:
        _settle(key, unsaved[key], saved)  # another window has saved the same
    if key not in st.session_state:
        st.session_state[key] = unsaved.get(key, saved)
        before[key] = _texts(_KEPT)[key] = saved
    elif key not in unsaved and before[key] != saved:
        st.session_state[key] = before[key] = _texts(_KEPT)[key] = saved


def _write(bench: Bench, row: Row, key: str) -> None:
    text = st.session_state[key]
    now = write_note(bench, row, text, _written_over()[key])
    _texts(_DROPPED).pop(key, None)
    if now:
        _settle(key, text, now.note)
    else:
        _unsaved()[key] = text


def _settle(key: str, text: str, saved: str) -> None:
    """The `text` of the field is in the file, as `saved`."""
    _written_over()[key], _texts(_KEPT)[key] = saved, text
    _unsaved().pop(key, None)


def _drafts(bench: Bench, row: Row, key: str) -> None:
    """Mount what hears that the note is typed, and keeps it until it is saved."""
    of = bench.workbench.index.name, bench.run.id, row.retriever
    about = json.dumps([*of, question_key(row.question.text), bench.reviewer])

    def offered() -> None:
        draft = st.session_state[_TYPING]["draft"]
        if draft["about"] == about:
            _take_up(bench, row, key, draft)

    with st.container(key="errors_draft"):
        component("note")(
            key=_TYPING,
            data={
                "field": key,
                "about": about,
                "over": _written_over()[key],
                "kept": _texts(_KEPT)[key],
                "dropped": _texts(_DROPPED).get(key),
            },
            on_draft_change=offered,
            height=1,
        )


def _take_up(bench: Bench, row: Row, key: str, draft: Mapping[str, Any]) -> None:
    """What a window that is gone has left comes into the field, and is saved over what it was
    written over: the note that it had seen, or a beginning of its own."""
    saved = bench.review_now(row).note
    begun = {str(one).strip() for one in draft["sent"]}
    st.session_state[key] = str(draft["text"])[:LONGEST_NOTE]
    _written_over()[key] = saved if saved in begun else str(draft["over"])
    _write(bench, row, key)


def _choose(bench: Bench, row: Row, review: Review, key: str) -> None:
    """Which of two notes is to stand."""
    st.warning(f"Not saved. Another window has saved: {frame.literal(review.note) or 'no note'}")

    def mine() -> None:
        _written_over()[key] = review.note
        _write(bench, row, key)

    def theirs() -> None:
        _texts(_DROPPED)[key] = _unsaved()[key]
        del _unsaved()[key], st.session_state[key]

    with st.container(horizontal=True, gap="xsmall"):
        st.button("Save mine", key="errors_mine", on_click=mine)
        st.button("Take the other", key="errors_other", on_click=theirs)


def _written_over() -> dict[str, str]:
    return _texts(_BEFORE)


def _unsaved() -> dict[str, str]:
    return _texts(_MINE)


def _texts(name: str) -> dict[str, str]:
    kept: dict[str, str] = st.session_state.setdefault(name, {})
    return kept
