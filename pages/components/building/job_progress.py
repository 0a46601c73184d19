"""The progress of a job: stages, rate, remaining time, and what to do if it ended early.

The panel only reads. The job is a process of its own, so that a refresh, a closed tab or a second
tab changes nothing.
"""

from contextlib import suppress
from datetime import UTC, datetime
from html import escape
from pathlib import Path

import streamlit as st

from core import jobs
from core.errors import HopRagError
from core.places import Place
from core.studies import read_study
from core.studies.naming import study_title
from core.text.display.plurals import number
from pages.components.building.job_stages import (
    ENDED,
    headline,
    is_study,
    overall,
    stage_grid,
    stage_rows,
    title,
)
from pages.components.building.pseudo_query_maker import ask_budget
from pages.components.corpus.index_description import cut_into, made_by
from pages.components.shell import formatting, index_listing, layout, nav
from pages.components.shell.actions import index_actions
from pages.components.shell.visitors.visitor import shown, visitor

_POLL = 0.7  # seconds
_STALLED = 45  # seconds without a line in the journal
_KINDS = {
    "build": "Building",
    "add": "Adding to",
    "remove": "Removing from",
    "edit": "Editing",
    "make": "Building retriever data for",
    "study": "Running",
}


def show_job(index: Place, key: str) -> None:
    """Show the last job of `index`, updated while it runs, and why it ended early, if it did.

    When it ends the page is run again. `key` sets the panel apart from those of other pages.
    """
    state = jobs.state(index)
    if state is not None:
        every = _POLL if state.running else None
        st.fragment(_follow, run_every=every)(index, key, state.running)


def build_anew_button(index: Place, key: str) -> None:
    """Draw the Rebuild button, which runs the last build of `index` again."""
    if not visitor().may_edit:
        return
    known = jobs.last_build(index) is not None
    help_ = (
        "Rebuilds the index from the files of its last build and reuses the embeddings. "
        "Documents that were added later must be added again."
        if known
        else "This index has no recorded build. Choose its files and enter its name on the Corpus "
        "page."
    )
    if st.button("Rebuild", key=key, help=help_, disabled=not known):
        with layout.mendable():
            index_actions.build_anew(index)
            nav.go("build", index=index.name)


def _follow(index: Place, key: str, was_running: bool) -> None:
    """Draw the job's panel; rerun the page when the job starts or ends."""
    state = jobs.state(index)
    if state is None or state.running != was_running:
        index_listing.look_again()
        st.rerun()
    if state.status == "finished":
        # In the place of the panel, which else stood there until the whole page is drawn.
        st.empty()
        return
    with st.container(border=True, key=f"{key}_panel"):
        _head(index, key, state)
        if state.message:
            _message(state)
        if state.out_of_budget and state.job and visitor().may_edit:
            _show_resume(index, key, state.job)
        _show_progress(state)
        st.html(stage_grid(stage_rows(state)))
        _foot(state)


def _head(index: Place, key: str, state: jobs.JobState) -> None:
    """Draw the job's title with its buttons: Cancel while it runs, then Build again or Resume."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(f"<h3 class='hop-job'>{escape(_title(index.name, state))}</h3>", width="stretch")
        may = visitor().may_edit
        if state.running and may and st.button("Cancel", key=f"{key}_cancel"):
            with layout.mendable():
                index_actions.cancel(index)
        if state.status in ("failed", "died") and not (state.job and state.job.kind == "study"):
            build_anew_button(index, f"{key}_anew")
        ready = may and state.resumable and not state.out_of_budget
        if ready and st.button("Resume", type="primary", key=f"{key}_resume"):
            with layout.mendable():
                index_actions.resume(index)
                st.rerun()


def _show_progress(state: jobs.JobState) -> None:
    """Show the progress of a job in one bar, and what its index will contain."""
    st.progress(overall(state) if state.status != "finished" else 1.0)
    if state.job and state.job.kind == "build" and state.documents:
        facts = (
            number(state.documents, "document"),
            *([number(state.questions, "question")] if state.questions else []),
            cut_into(state.job.chunking),
            made_by(state.job.maker_name),
        )
        st.caption(layout.literal(" · ".join(facts)))


def _show_resume(index: Place, key: str, job: jobs.Job) -> None:
    """Draw the button that resumes a job with a budget for the rest; finished calls are not paid
    again.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        in_money = job.budget.money is not None
        budget = ask_budget(f"{key}_more", in_money=in_money, before=job.budget)
        if st.button("Resume with this budget", type="primary", key=f"{key}_resume"):
            with layout.mendable():
                index_actions.resume(index, budget)
                st.rerun()


def _title(name: str, state: jobs.JobState) -> str:
    """Return the headline of a job: `Building sample: embedding`, or how it ended."""
    verb = _KINDS[state.job.kind] if state.job else "Writing"
    if state.job and is_study(state):
        name = _study_title(state.job.files[0])
    if not state.running:
        return f"{verb} {name} {ENDED[state.status]}"
    return f"{verb} {name}: {headline(state)}"


def _study_title(path: Path) -> str:
    """Return the title of a study, or the name of its file if that is no longer a study."""
    with suppress(HopRagError):
        return study_title(read_study(path))
    return path.stem


def _message(state: jobs.JobState) -> None:
    show = st.error if state.status in ("failed", "died") else st.info
    show(layout.literal(shown(state.message)))


def _foot(state: jobs.JobState) -> None:
    """Show the cost so far, the time of the last progress, and a warning if the job has stalled."""
    if state.spending:
        st.caption(layout.literal(f"Cost of this run: {state.spending}"))
    if state.authorship and state.authorship.by_rules:
        st.caption(layout.literal(f"{title(state.stage or '')}: {state.authorship.told()}"))
    silent = (datetime.now(UTC) - state.last_progress_at).total_seconds()
    began = (datetime.now(UTC) - state.started_at).total_seconds()
    if state.running and silent > _STALLED:
        where = title(state.stage) if state.stage else "its first stage"
        st.warning(
            f"Stalled at '{where}': no progress for {formatting.duration(silent)}. The disk may be "
            "slow or the machine busy. If it does not continue, cancel it and resume."
        )
    elif state.running:
        st.caption(
            f"Last progress {formatting.duration(max(silent, 0))} ago · started "
            f"{formatting.duration(max(began, 0))} ago · continues if you close this page"
        )
    else:
        st.caption(f"Last progress {formatting.ago(state.last_progress_at)}")
