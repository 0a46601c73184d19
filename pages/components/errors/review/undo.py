"""Undo and redo of reviews, with a description and a link to the changed result.

Only changes to the run and the retriever in view are undone.
"""

from dataclasses import replace

import streamlit as st

from core.reviews import Act
from core.reviews.undo_messages import describe_undone
from core.text.display.plurals import number
from pages.components.errors import review_actions
from pages.components.errors.review.note import renew
from pages.components.errors.review_context import Bench
from pages.components.errors.status_message import tell_then
from pages.components.runs.result_list import Wish, change
from pages.components.shell import address_params, layout
from pages.components.shell.formatting import cropped

_NOTHING = "Nothing to undo yet for this run and retriever"
_CROP = 60  # characters of a question


def undo_button(bench: Bench, *, named: bool = False) -> None:
    """Show the button that undoes the reviewer's last change in the list; `named` after that
    change.
    """
    told = f"Undo: {layout.literal(_change_in_words(bench, bench.last))}" if bench.last else ""
    st.button(
        told if told and named else "Undo",
        key="errors_undo",
        help=f"{told} (u)" if told else _NOTHING,
        disabled=not told,
        on_click=_undo,
        args=(bench,),
    )


def redo_button(bench: Bench) -> None:
    """Draw the button that redoes the change undone last.

    It is always there, so that nothing moves when there is something to say again.
    """
    st.button(
        "Redo",
        key="errors_redo",
        help="Redo (Shift+U)" if bench.undone else "Nothing to redo",
        disabled=not bench.undone,
        on_click=_redo,
        args=(bench,),
    )


def _redo(bench: Bench) -> None:
    """Redo the last undone change, and describe it."""
    renew()
    with layout.mendable():
        said = review_actions.redo(bench.workbench.index, bench.reviewer, bench.in_view)
        tell_then(_undo_message(bench, said, "Redone"))


def _undo(bench: Bench) -> None:
    """Undo the last change, and describe it."""
    renew()
    with layout.mendable():
        gone = review_actions.undo(bench.workbench.index, bench.reviewer, bench.in_view)
        tell_then(_undo_message(bench, gone))


def _undo_message(bench: Bench, gone: Act, done: str = "Undone") -> str:
    """Describe what was undone or redone, and open the labels or the result concerned."""
    if not gone:
        return "Nothing to undo." if done == "Undone" else "Nothing to redo."
    if gone.labels:
        change(show="labels")
        if not gone.stood:
            return f"Could not undo the {gone.labels}: the labels have changed since."
        return f"{done}: {gone.labels}"
    if len(gone.said) > 1:
        return f"{done}: {_change_in_words(bench, gone)}"
    there = _view_of_result(bench, gone.said[0].gone.question)
    if there is None:
        return f"{done}: {_change_in_words(bench, gone)}"
    address_params.go(replace(there, show="review"))
    return f"{done}: {describe_undone(gone.said[0], bench.codes)} on question {there.at:,}"


def _change_in_words(bench: Bench, act: Act) -> str:
    """Describe a change in words."""
    if act.labels:
        return act.labels
    what, many = describe_undone(act.said[0], bench.codes), len(act.said)
    question = f"'{cropped(act.said[0].gone.question, _CROP)}'"
    return f"{what} on {number(many, 'result') if many > 1 else question}"


def _view_of_result(bench: Bench, question: str) -> Wish | None:
    """Return the view that contains a result: the current list, or all results of its retriever."""
    asked = bench.questions.get(question)
    if asked is None:
        return None
    of_all = Wish(run=bench.run.id, retriever=bench.retriever, order="asked", which="all")
    for wish in (bench.wish, of_all):
        if place := replace(bench, wish=wish).place(asked.id):
            return replace(wish, at=place)
    return None
