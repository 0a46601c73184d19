"""What is asked before an index is renamed or deleted."""

from pathlib import Path

import streamlit as st

from core import library
from core.marks import Marks, as_file, marked_questions
from core.reviews.store import Reviews
from core.runs import Runs
from core.settings import settings
from core.store.index import Index
from pages.components.shell import acts, frame, resources
from pages.components.shell.dialogs import close_dialog, confirm, is_open, subject
from pages.components.shell.words import count

RENAME, DELETE = "start_rename", "start_delete"


def show() -> None:
    """The dialog that is open, if it is one of these."""
    if is_open(RENAME):
        _rename(*subject())
    if is_open(DELETE):
        _delete(*subject())


@st.dialog("Rename the index", on_dismiss=close_dialog)
def _rename(name: str) -> None:
    with st.form("start_rename_form", border=False):
        wish = st.text_input("New name", value=name, max_chars=library.MAX_NAME)
        with st.container(horizontal=True):
            wanted = st.form_submit_button("Rename", type="primary", key="start_rename_now")
            if st.form_submit_button("Cancel", key="start_rename_not"):
                close_dialog()
                st.rerun()
        if wanted:
            with frame.mendable():
                path = acts.rename(name, wish)
                if resources.index_name() == name:
                    resources.select_index(path.name)
                close_dialog()
                st.rerun()


@st.dialog("Delete the index", on_dismiss=close_dialog)
def _delete(name: str) -> None:
    st.text(f"{name} will be deleted for good, with the copies of files uploaded for it.")
    with frame.mendable():
        if found := _by_people(library.folder(settings().indexes, name)):
            st.warning(f"Gone with it, and in no other place: {found}.")
        _save_marks(name)
    if confirm("start_delete", goes="Delete it", stays="Keep it"):
        with frame.mendable():
            acts.delete(name)
            resources.forget_index(name)
            close_dialog()
            st.rerun()


def _save_marks(name: str) -> None:
    """A way to keep the gold that was marked by hand: as a question file."""
    path = library.folder(settings().indexes, name)
    if not Marks(path).all():
        return
    st.download_button(
        "Save the questions with their marks",
        lambda: as_file(marked_questions(Index.open(path))),
        file_name=f"{name}-questions.jsonl",
        mime="application/jsonl",
        key="start_delete_save",
        on_click="ignore",
        help="A file that brings them along when it is uploaded with the documents again.",
    )


def _by_people(path: Path) -> str:
    """What people have put into the index at `path`: marks, reviews, runs."""
    numbers = (
        (len(Marks(path).all()), "mark by hand", "marks by hand"),
        (len(Reviews(path).all()), "review", "reviews"),
        (len(Runs(path).all()), "run", "runs"),
    )
    return ", ".join(count(number, *noun) for number, *noun in numbers if number)
