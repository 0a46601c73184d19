"""Undo: it says what it took back, and shows the result that it was said of."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.reviews import Undone
from core.reviews.undone import taken_back
from pages.components.errors import acts
from pages.components.errors.bench import Bench
from pages.components.errors.choosing import named
from pages.components.errors.wish import Wish
from pages.components.shell import frame, wishes
from pages.components.shell.words import count, cropped

_TOLD = "errors_told"
_CROP = 60  # characters of a question


def undo_button(bench: Bench, key: str) -> None:
    """The button that takes back what the reviewer said last, wherever that was."""
    st.button(
        "Undo",
        key=key,
        help="Take back what you said last, and see it: u",
        on_click=_take_back,
        args=(bench,),
    )


def removed(bench: Bench, verdict: str) -> None:
    """Say that a verdict was taken away by its own key."""
    said = f"Took {verdict} away: question {bench.wish.at:,} is not judged. u brings it back."
    st.session_state[_TOLD] = said


def tell() -> None:
    """Show what the last act said: what a fragment's own callback shows would replace the page."""
    if told := st.session_state.pop(_TOLD, ""):
        st.toast(frame.literal(told))


def _take_back(bench: Bench) -> None:
    with frame.mendable():
        gone = acts.undo(bench.workbench.index, bench.reviewer)
        st.session_state[_TOLD] = _told(bench, gone)


def _told(bench: Bench, gone: Sequence[Undone]) -> str:
    """What was taken back of what; a single result is shown from now on."""
    if not gone:
        return "There is nothing to take back."
    what = taken_back(gone[0], bench.codes)
    if len(gone) > 1:
        return f"Took back {what} on {count(len(gone), 'result')}"
    question, retriever = gone[0].gone.key
    there = _seen(bench, question, retriever)
    if there is None:
        return f"Took back {what} on '{cropped(question, _CROP)}', which this run did not ask"
    if bench.wish.show == "review":
        wishes.go(there)
    of = "" if retriever == bench.retriever else f" of {named(retriever)}"
    return f"Took back {what} on question {there.at:,}{of}"


def _seen(bench: Bench, question: str, retriever: str) -> Wish | None:
    """Where a result is seen: in the list that is shown, or else among all of its retriever."""
    asked = bench.questions.get(question)
    if asked is None or retriever not in bench.run.retrievers:
        return None
    of_all = Wish(run=bench.run.id, retriever=retriever, order="asked", which="all")
    lists = [bench.wish, of_all] if retriever == bench.retriever else [of_all]
    for wish in lists:
        if place := replace(bench, wish=wish).place(asked.id):
            return replace(wish, at=place)
    return None
