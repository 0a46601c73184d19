"""The list of indexes: what each is, and open, resume, rename, delete."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import streamlit as st

from core import library
from core.library import Listed
from core.marks import Marks
from core.reviews.store import Reviews
from core.runs import Runs
from core.settings import settings
from pages.components.building.progress import build_anew_button
from pages.components.building.stages import overall
from pages.components.shell import acts, frame, nav, resources
from pages.components.shell.dialogs import close_dialog, is_open, open_dialog, subject
from pages.components.shell.visitor import shown, visitor
from pages.components.shell.words import ago, count, percent, size

_POLL = 1.5  # seconds
_RENAME, _DELETE = "start_rename", "start_delete"


def show_indexes(entries: Sequence[Listed]) -> None:
    """One row an index; followed while one of them is being written."""
    running = any(entry.job and entry.job.running for entry in entries)
    st.fragment(_rows, run_every=_POLL if running else None)(running)
    if is_open(_RENAME):
        _rename(*subject())
    if is_open(_DELETE):
        _delete(*subject())


def _rows(was_running: bool) -> None:
    entries = library.entries(settings().indexes)
    if was_running != any(entry.job and entry.job.running for entry in entries):
        st.rerun()
    for entry in entries:
        _row(entry)


def _row(entry: Listed) -> None:
    running = bool(entry.job and entry.job.running)
    with (
        st.container(border=True, key=f"start_row_{entry.name}"),
        st.container(horizontal=True, vertical_alignment="center", wrap=False),
    ):
        st.html(_summary(entry), width="stretch")
        _open_button(entry, running)
        kept = running or not visitor().may_edit
        if st.button("Rename", key=f"start_rename_{entry.name}", disabled=kept):
            open_dialog(_RENAME, entry.name)
        if st.button("Delete", key=f"start_delete_{entry.name}", disabled=kept):
            open_dialog(_DELETE, entry.name)


def _open_button(entry: Listed, running: bool) -> None:
    name = entry.name
    if entry.meta:
        if st.button("Open", key=f"start_open_{name}"):
            resources.select_index(name)
            nav.go("trace", index=name)
    elif entry.damaged and not running:
        build_anew_button(entry.path, f"start_anew_{name}")
    elif running or not (entry.job and entry.job.resumable):
        if st.button("Watch", key=f"start_watch_{name}", disabled=entry.job is None):
            nav.go("build", index=name)
    elif st.button("Resume", key=f"start_resume_{name}", type="primary"):
        with frame.mendable():
            acts.resume(entry.path)
            nav.go("build", index=name)


def _summary(entry: Listed) -> str:
    word, kind = _status(entry)
    badge = f"<span class='hop-status hop-{kind}'>{escape(word)}</span>" if word else ""
    problem = f"<p class='hop-problem'>{escape(shown(entry.problem))}</p>" if kind == "bad" else ""
    return (
        f"<div class='hop-index'><strong dir='auto'>{escape(entry.name)}</strong>{badge}"
        f"<p>{escape(_facts(entry))}</p>{problem}</div>"
    )


def _facts(entry: Listed) -> str:
    facts = []
    if entry.meta and entry.finished_at:
        counts = entry.meta.counts
        facts = [
            count(counts.documents, "document"),
            count(counts.vertices, "passage"),
            count(counts.edges, "edge"),
            count(counts.questions, "question"),
        ]
        facts += [size(entry.size_bytes), f"built {ago(entry.finished_at)}"]
    elif entry.job:
        facts = [f"started {ago(entry.job.started_at)}"]
    return " · ".join(facts)


def _status(entry: Listed) -> tuple[str, str]:
    """A word on what is going on, and how it looks; nothing for an index that is simply there."""
    job = entry.job
    if job and job.running:
        verb = "building" if job.job is None or job.job.kind == "build" else "being changed"
        return f"{verb}, {percent(min(overall(job), 0.99))}", "busy"
    if job and job.status in ("failed", "died"):
        word = "failed" if job.status == "failed" else "ended early"
        return (f"last change {word}" if entry.meta else word), "bad"
    if job and job.status == "cancelled":
        return "stopped", "busy"
    return ("cannot be opened", "bad") if entry.problem else ("", "")


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
    with st.container(horizontal=True):
        wanted = st.button("Delete it", key="start_delete_now")
        if st.button("Keep it", type="primary", key="start_delete_not"):
            close_dialog()
            st.rerun()
    if wanted:
        with frame.mendable():
            acts.delete(name)
            resources.forget_index(name)
            close_dialog()
            st.rerun()


def _by_people(path: Path) -> str:
    """What people have put into the index at `path`: marks, reviews, runs."""
    numbers = (
        (len(Marks(path).all()), "mark by hand", "marks by hand"),
        (len(Reviews(path).all()), "review", "reviews"),
        (len(Runs(path).all()), "run", "runs"),
    )
    return ", ".join(count(number, *noun) for number, *noun in numbers if number)
