"""The list of indexes, with their state and the buttons open, resume, rename, delete."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from core import jobs
from core.errors import HopRagError
from core.library.catalogue import Listed
from core.marks import Marks
from core.marks.marking import questions_of
from core.places import Place
from core.text.display.plurals import number
from core.text.display.shares import percent
from pages.components.building.job_progress import build_anew_button
from pages.components.building.job_stages import ENDED, overall
from pages.components.indexes import index_dialogs
from pages.components.indexes.health import damage
from pages.components.shell import layout, nav, resources
from pages.components.shell.actions import index_actions
from pages.components.shell.formatting import ago, size
from pages.components.shell.visitors.visitor import shown, visitor
from pages.components.shell.widgets.dialogs import open_dialog

_POLL = 1.5  # seconds
_CHANGES = {
    "build": "rebuilding",
    "add": "adding documents",
    "remove": "removing documents",
    "make": "building retriever data",
}
"""What a job does to an index that was built before."""


def show_indexes(entries: Sequence[Listed]) -> None:
    """Draw a row for each index; the list is updated while an index is written."""
    running = any(entry.job and entry.job.running for entry in entries)
    st.fragment(_rows, run_every=_POLL if running else None)(running)
    index_dialogs.show()


def _rows(was_running: bool) -> None:
    """Draw the list; rerun the page when a job starts or ends."""
    entries = resources.entries()
    if was_running != any(entry.job and entry.job.running for entry in entries):
        st.rerun()
    for entry in entries:
        _row(entry)


def _row(entry: Listed) -> None:
    """Draw an index: name, state, sizes, and its buttons."""
    running = bool(entry.job and entry.job.running)
    with (
        st.container(border=True, key=f"start_row_{entry.name}"),
        st.container(horizontal=True, vertical_alignment="center"),
    ):
        st.html(_summary(entry), width="stretch")
        _open_button(entry, running)
        kept = running or not visitor().may_edit
        if st.button("Rename", key=f"start_rename_{entry.name}", disabled=kept):
            open_dialog(index_dialogs.RENAME, entry.name)
        if st.button("Delete", key=f"start_delete_{entry.name}", disabled=kept):
            open_dialog(index_dialogs.DELETE, entry.name)


def _open_button(entry: Listed, running: bool) -> None:
    """Draw the button that fits the state of an index: Open, Resume, Watch or Rebuild."""
    name = entry.name
    if entry.meta:
        if _failed_change(entry) and st.button("See what to do", key=f"start_mend_{name}"):
            nav.go("build", index=name)
        if st.button("Open", key=f"start_open_{name}"):
            resources.select_index(name)
            nav.go("trace", index=name)
    elif entry.damaged and not running:
        build_anew_button(entry.path, f"start_anew_{name}")
    elif running or not (entry.job and entry.job.resumable):
        if st.button("Watch", key=f"start_watch_{name}", disabled=entry.job is None):
            nav.go("build", index=name)
    elif st.button("Resume", key=f"start_resume_{name}", type="primary"):
        with layout.mendable():
            index_actions.resume(entry.path)
            nav.go("build", index=name)


def _summary(entry: Listed) -> str:
    """Return the name, state, sizes and problem of an index, as HTML."""
    word, kind = _status(entry)
    badge = f"<span class='hop-status hop-{kind}'>{escape(word)}</span>" if word else ""
    told = _problem(entry)
    problem = f"<p class='hop-problem'>{escape(shown(told))}</p>" if told else ""
    return (
        f"<div class='hop-index'><strong dir='auto'>{escape(entry.name)}</strong>{badge}"
        f"<p>{escape(_facts(entry))}</p>{problem}</div>"
    )


def _facts(entry: Listed) -> str:
    """Return the sizes of a built index, or when its first build started."""
    facts = []
    if entry.meta and entry.finished_at:
        counts = entry.meta.counts
        facts = [
            number(counts.documents, "document"),
            number(counts.vertices, "passage"),
            number(counts.edges, "edge"),
            number(_questions(entry, counts.questions), "question"),
        ]
        facts += [size(entry.size_bytes), f"built {ago(entry.finished_at)}"]
    elif entry.job:
        facts = [f"started {ago(entry.job.started_at)}"]
    return " · ".join(facts)


def _questions(entry: Listed, came: int) -> int:
    """Return how many questions Evaluate runs: the `came` uploaded ones, and typed ones with gold.

    If marks cannot be read, only the uploaded ones count.
    """
    try:
        return _count_questions(
            f"{entry.path} {entry.finished_at} {Marks(entry.path).stamp()}", entry.path, came
        )
    except HopRagError:
        return came


@st.cache_data(max_entries=200, show_spinner=False)
def _count_questions(version: str, _path: Place, came: int) -> int:  # noqa: ARG001
    return len(questions_of(resources.stored(_path))) if Marks(_path).all() else came


def _failed_change(entry: Listed) -> jobs.JobState | None:
    """Return the last job if it changed a built index and did not finish."""
    job = entry.job
    return job if entry.meta and job and job.status in ENDED else None


def _change(job: jobs.JobState) -> str:
    return _CHANGES.get(job.job.kind, "changing it") if job.job else "changing it"


def _problem(entry: Listed) -> str:
    """Describe a problem of an index and how to fix it; empty if there is none."""
    job = _failed_change(entry)
    if job is None:
        return damage(entry) or (entry.problem if _status(entry)[1] == "bad" else "")
    why = {
        "failed": job.message,
        "died": "Its process was killed, or the machine stopped.",
    }.get(job.status, "")
    said = f"{_change(job).capitalize()} {ENDED[job.status]} {ago(job.last_progress_at)}."
    return f"{said} {why} The index is unchanged: open it, or resume the remaining work."


def _status(entry: Listed) -> tuple[str, str]:
    """Return a word for the current state, and its style.

    Nothing for an index that is simply there.
    """
    job = entry.job
    if job and job.running:
        verb = "building" if job.job is None or job.job.kind == "build" else "being changed"
        return f"{verb}, {percent(min(overall(job), 0.99))}", "busy"
    if job and job.status in ENDED:
        said = f"{_change(job)} {ENDED[job.status]}" if entry.meta else ENDED[job.status]
        return said, "busy" if job.status == "cancelled" else "bad"
    if damage(entry):
        return "damaged", "bad"
    return ("cannot be opened", "bad") if entry.problem else ("", "")
