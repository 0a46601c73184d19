"""The note of a result, saved while it is typed and never over a newer version.

The browser sends the text a second after the last key, and every two seconds during typing
(`note.js` in `assets/scripts/src/errors`). It keeps the text as a draft until the server confirms
it. A draft survives a closed or reloaded window, Back, or a server failure, and is sent when this
page is next open. If another window has saved a note meanwhile, both are kept and the reviewer
chooses one.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from secrets import token_hex
from typing import Annotated, Any

import streamlit as st
from pydantic import AfterValidator, TypeAdapter
from typing_extensions import TypedDict

from core.marks.store import question_key
from core.reviews import Review
from core.reviews.review import LONGEST_NOTE
from core.runs import Row
from pages.components.errors.component import component
from pages.components.errors.review.saving import key_of, write_note
from pages.components.errors.review_context import Bench
from pages.components.errors.status_message import tell_on, tell_then
from pages.components.runs.result_list import Wish
from pages.components.shell import layout
from pages.components.shell.client_input.component_events import expect
from pages.components.shell.formatting import cropped

_BEFORE = "errors_written_over"
"""The note that what is in the field is written over, by the key of the field."""
_MINE = "errors_unsaved"
"""Notes that were not saved, by the keys of their fields."""
_KEPT, _DROPPED = "errors_kept", "errors_dropped"
"""The texts that need no draft any more, by the keys of their fields: saved, or given up."""
_SETTLED = "errors_settled"
"""The texts that were saved last, by what they are about: their drafts may still be in the browser,
which had turned to another result."""
_HELD = 3
_SHOWN = "errors_note_shown"
"""The key of the field that was shown last, and the place of its result."""
_SESSION = "errors_session"
"""Tells a browser that its server, or what that knew of the fields, is another one."""
_TYPING = "errors_typing"
_CROP = 60  # characters of a question
_SIGN = 18  # pixels high
_RENEW = "errors_note_renew"
"""Whether undo or redo was pressed, which may change the note that is shown."""
_FIELDS = "errors_note_fields"
"""How often the field of a result was replaced."""

_SUBJECT = TypeAdapter(tuple[str, str, str, str, str])
"""Index, run, retriever, question and reviewer, as JSON."""


def _valid_subject(text: str) -> str:
    _SUBJECT.validate_json(text)
    return text


class _Draft(TypedDict):
    """A draft kept by the browser: the note it replaces, and the text already sent."""

    about: Annotated[str, AfterValidator(_valid_subject)]
    text: str
    over: str | None
    sent: list[str]


def note(bench: Bench, row: Row, review: Review) -> None:
    """Draw the note's field, and why its text is not saved, if it is not."""
    key = _field_key(bench, row, review.note)
    _follow(key, review.note)
    st.text_area(
        "Note",
        key=key,
        placeholder="What went wrong first? (n) Saved as you type.",
        max_chars=LONGEST_NOTE,
        height=110,
        disabled=not bench.reviewer,
        label_visibility="collapsed",
        on_change=_write,
        args=(bench, row, key),
    )
    if bench.reviewer:
        _drafts(bench, row, key)
    if key in _unsaved_notes() and review.note != _edited_versions()[key]:
        _choose(bench, row, review, key)
    elif key in _unsaved_notes():
        st.warning("Not saved. Keep typing to try again.")


def in_conflict(bench: Bench, row: Row, review: Review) -> bool:
    """Return whether two windows changed the note and the reviewer has not chosen one yet."""
    key = _key(bench, row)
    return key in _unsaved_notes() and review.note != _edited_versions()[key]


def tell_if_left(bench: Bench, row: Row) -> None:
    """Show a message if the result shown before has a note with an unresolved conflict."""
    key, at = _key(bench, row), bench.wish.at
    before, place = st.session_state.get(_SHOWN, (key, at))
    st.session_state[_SHOWN] = key, at
    if before != key and before in _unsaved_notes():
        tell_then(
            f"The note on result {place:,} is not saved, because another version exists. "
            "Choose one of the two there."
        )


def renew() -> None:
    """Replace the field if an undo or redo changes its note.

    A browser that has not yet received the new note sends the old text of the field with the next
    key, as if it had been typed. The old text of a field that is gone is not saved.
    """
    st.session_state[_RENEW] = True


def _field_key(bench: Bench, row: Row, saved: str) -> str:
    """Return the key of the field, a new one if an undo or redo changed its note."""
    key = _key(bench, row)
    asked = st.session_state.pop(_RENEW, False)
    if asked and key not in _unsaved_notes() and _edited_versions().get(key, saved) != saved:
        fields: dict[str, int] = st.session_state.setdefault(_FIELDS, {})
        base = key_of("errors_note", row, bench.reviewer)
        fields[base] = fields.get(base, 0) + 1
    return _key(bench, row)


def _key(bench: Bench, row: Row) -> str:
    base = key_of("errors_note", row, bench.reviewer)
    number = st.session_state.get(_FIELDS, {}).get(base, 0)
    return f"{base}_{number}" if number else base


def _follow(key: str, saved: str) -> None:
    """Load a note saved in another window into the field, unless it is being edited."""
    before, unsaved = _edited_versions(), _unsaved_notes()
    if key in unsaved and unsaved[key].strip() == saved:
        _settle(key, unsaved[key], saved)  # another window has saved the same
    if key not in st.session_state:
        st.session_state[key] = unsaved.get(key, saved)
        before[key] = _texts(_KEPT)[key] = saved
    elif key not in unsaved and before[key] != saved:
        st.session_state[key] = before[key] = _texts(_KEPT)[key] = saved


def _write(bench: Bench, row: Row, key: str) -> None:
    """Save the note as typed; if that fails, record it as unsaved."""
    text = st.session_state[key]
    now = write_note(bench, row, text, _edited_versions()[key])
    _texts(_DROPPED).pop(key, None)
    if now:
        _settle(key, text, now.note)
        _remember_saved(_draft_key(bench, row), text)
    else:
        _unsaved_notes()[key] = text


def _settle(key: str, text: str, saved: str) -> None:
    """Record that the field's `text` is stored, as `saved`."""
    _edited_versions()[key], _texts(_KEPT)[key] = saved, text
    _unsaved_notes().pop(key, None)


def _remember_saved(about: str, text: str) -> None:
    """Remember the `_HELD` latest saved notes, so that their drafts are not restored."""
    settled = _texts(_SETTLED)
    settled.pop(about, None)
    settled[about] = text
    while len(settled) > _HELD:
        del settled[next(iter(settled))]


def _draft_key(bench: Bench, row: Row) -> str:
    """Return the key under which the browser stores the draft of a note."""
    of = bench.workbench.index.name, bench.run.id, row.retriever
    return json.dumps([*of, question_key(row.question.text), bench.reviewer])


def _drafts(bench: Bench, row: Row, key: str) -> None:
    """Mount the browser component that keeps drafts of the note until they are saved."""
    about = _draft_key(bench, row)

    def on_drafts() -> None:
        """Save the drafts that the browser sends."""
        for draft in st.session_state[_TYPING]["drafts"]:
            if draft["about"] == about:
                _restore_draft(bench, row, key, draft)
            else:
                _save_elsewhere(bench, draft)
        tell_on()

    expect(_TYPING, drafts=list[_Draft])
    component("note", "note", "<span aria-hidden='true'></span><span role='status'></span>")(
        key=_TYPING,
        data={
            "field": key,
            "about": about,
            "over": _edited_versions()[key],
            "kept": _texts(_KEPT)[key],
            "dropped": _texts(_DROPPED).get(key),
            "refused": _unsaved_notes().get(key),
            "settled": _texts(_SETTLED),
            "session": st.session_state.setdefault(_SESSION, token_hex(4)),
        },
        on_drafts_change=on_drafts,
        height=_SIGN,
    )


def _restore_draft(bench: Bench, row: Row, key: str, draft: Mapping[str, Any]) -> None:
    """Restore a note that a closed window had not saved, and save it over the note it was based
    on.
    """
    st.session_state[key] = str(draft["text"])[:LONGEST_NOTE]
    _edited_versions()[key] = _edited_version(bench.review_now(row).note, draft)
    _write(bench, row, key)


def _save_elsewhere(bench: Bench, draft: Mapping[str, Any]) -> None:
    """Save the draft of a result that is not shown.

    Where another note has come into its place since, it waits until its result is shown.
    """
    _, run, retriever, question, reviewer = json.loads(draft["about"])
    asked_by = next((one for one in bench.runs.all() if one.id == run), None)
    if asked_by is None or retriever not in asked_by.retrievers or reviewer != bench.reviewer:
        return
    there = replace(bench, run=asked_by, wish=Wish(run=run, retriever=retriever))
    asked = there.questions.get(question)
    row = bench.runs.row(run, retriever, asked.id) if asked else None
    if row is None:
        return
    before, text = there.review_now(row).note, str(draft["text"])[:LONGEST_NOTE]
    now = write_note(there, row, text, _edited_version(before, draft))
    if now:
        _remember_saved(draft["about"], str(draft["text"]))
    if now and now.note != before:
        told = f"Saved your unsaved note on '{cropped(question, _CROP)}'."
        tell_then(told, by_itself=True)


def _edited_version(saved: str, draft: Mapping[str, Any]) -> str:
    """Return the note that a draft is written over: that which is `saved`, where it is its
    beginning.
    """
    return saved if saved in {str(one).strip() for one in draft["sent"]} else str(draft["over"])


def _choose(bench: Bench, row: Row, review: Review, key: str) -> None:
    """Draw the choice between two conflicting versions of a note."""
    st.warning(
        "Not saved: another window saved a different note: "
        f"{layout.literal(review.note) or 'no note'}"
    )

    def mine() -> None:
        _edited_versions()[key] = review.note
        _write(bench, row, key)
        tell_then("Saved your note over the one from the other window.")

    def theirs() -> None:
        tell_then("Kept the note from the other window and discarded yours.")
        _texts(_DROPPED)[key] = _unsaved_notes()[key]
        del _unsaved_notes()[key], st.session_state[key]

    with st.container(horizontal=True, gap="xsmall"):
        st.button("Keep mine", key="errors_mine", on_click=mine)
        st.button("Use the other note", key="errors_other", on_click=theirs)


def _edited_versions() -> dict[str, str]:
    return _texts(_BEFORE)


def _unsaved_notes() -> dict[str, str]:
    return _texts(_MINE)


def _texts(name: str) -> dict[str, str]:
    kept: dict[str, str] = st.session_state.setdefault(name, {})
    return kept
