"""Dialogs that rename or delete an index."""

import streamlit as st

from core.library import catalogue
from core.marks import Marks, as_file, marked_questions
from core.places import Place
from core.reviews import Codes, Key, Reviews, by_id
from core.reviews.losses.lost_gold import Case, cases, rows_of
from core.reviews.report.table_export import to_jsonl
from core.runs import Runs
from core.settings import settings
from core.text.display.plurals import counted
from pages.components.shell import layout, resources
from pages.components.shell.actions import index_actions
from pages.components.shell.widgets.dialogs import close_dialog, confirm, is_open, subject

RENAME, DELETE = "start_rename", "start_delete"


def show() -> None:
    """Draw the dialog of this module that is open, if any."""
    if is_open(RENAME):
        _rename(*subject())
    if is_open(DELETE):
        _delete(*subject())


@st.dialog("Rename the index", on_dismiss=close_dialog)
def _rename(name: str) -> None:
    """Draw the form that renames an index."""
    with st.form("start_rename_form", border=False):
        wish = st.text_input("New name", value=name, max_chars=catalogue.MAX_NAME)
        with st.container(horizontal=True):
            wanted = st.form_submit_button("Rename", type="primary", key="start_rename_now")
            if st.form_submit_button("Cancel", key="start_rename_not"):
                close_dialog()
                st.rerun()
        if wanted:
            with layout.mendable():
                path = index_actions.rename(name, wish)
                if resources.index_name() == name:
                    resources.select_index(path.name)
                close_dialog()
                st.rerun()


@st.dialog("Delete the index", on_dismiss=close_dialog)
def _delete(name: str) -> None:
    """Say what the deletion removes, offer marks and reviews for download, and ask for
    confirmation.
    """
    st.text(f"This permanently deletes {name} and its uploaded files.")
    with layout.mendable():
        if found := _by_people(catalogue.folder(settings().indexes, name)):
            st.warning(f"It also deletes: {found}. There is no other copy.")
        with st.container(horizontal=True, gap="small"):
            _save_marks(name)
            _save_reviews(name)
    if confirm("start_delete", goes="Delete it", stays="Keep it"):
        with layout.mendable():
            index_actions.delete(name)
            resources.forget_index(name)
            close_dialog()
            st.rerun()


def _save_marks(name: str) -> None:
    """Draw the button that saves gold marked by hand, as a question file."""
    path = catalogue.folder(settings().indexes, name)
    if not Marks(path).all():
        return
    st.download_button(
        "Save questions and marks",
        lambda: as_file(marked_questions(resources.stored(path))),
        file_name=f"{name}-questions.jsonl",
        mime="application/jsonl",
        key="start_delete_save",
        on_click="ignore",
        help="Upload this file with the documents to restore them in a new index.",
    )


def _save_reviews(name: str) -> None:
    """Draw the button that saves the reviews of all runs."""
    path = catalogue.folder(settings().indexes, name)
    if not Reviews(path).all():
        return
    st.download_button(
        "Save reviews",
        lambda: reviews_file(name),
        file_name=f"reviews-{name}.jsonl",
        mime="application/jsonl",
        key="start_delete_reviews",
        on_click="ignore",
        help="JSONL with one review per line: verdict, labels, note and missed gold passages.",
    )


def reviews_file(name: str) -> bytes:
    """Return the reviews as JSON Lines; the gold that was lost is that of the newest run with it.

    Raises
    ------
    HopRagError : the index or its reviews cannot be read.
    """
    workbench = resources.workbench(resources.entry(name))
    path = workbench.index.path
    reviews, runs = Reviews(path), Runs(path)
    told = reviews.all()
    known: dict[Key, Case] = {}
    for run in reversed(runs.all()):
        known |= cases(rows_of(told, run, runs), run, workbench)
    return to_jsonl(told, by_id(Codes(reviews).all()), known)


def _by_people(path: Place) -> str:
    """Count the marks, reviews and runs in the index at `path`."""
    numbers = (
        (len(Marks(path).all()), "mark by hand", "marks by hand"),
        (len(Reviews(path).all()), "review", "reviews"),
        (len(Runs(path).all()), "run", "runs"),
    )
    return ", ".join(counted(number, *noun) for number, *noun in numbers if number)
