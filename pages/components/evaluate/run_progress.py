"""The progress of the run in progress, or of one that ended early; cancel and resume."""

from dataclasses import replace
from datetime import UTC, datetime
from html import escape

import streamlit as st

from core import jobs
from core.runs import Run, Runs
from core.store.index import Index
from core.studies.naming import run_title
from core.text.display.plurals import number
from pages.components.building.pseudo_query_maker import ask_budget
from pages.components.shell import formatting, layout
from pages.components.shell.actions import run_actions
from pages.components.shell.visitors.visitor import shown, visitor

_POLL = 0.7  # seconds
_PREPARING = {
    "load": "loading the embedding model",
    "open": "opening the index",
    "embed": "embedding {}",
    "warm-up": "warming up",
}
"""What is done before the first question, by stage."""
_STALLED = 45  # seconds without a line in the journal


def running(index: Index) -> jobs.JobState | None:
    """Return the state of the evaluation in progress, if any."""
    now = jobs.state(jobs.evaluation_place(index.path))
    return now if now and now.running else None


def is_measured(index: Index, run: Run) -> bool:
    """Return whether `run` is being measured in this moment."""
    now = running(index)
    return bool(now and now.job and now.job.run == run.id)


def visible_part(index: Index, run: Run) -> Run:
    """Return `run` with the retrievers that can be shown.

    While it is measured, these have run every question. A run that ended before its first result
    has none.
    """
    if is_measured(index, run):
        return _finished_columns(index, run)
    runs = Runs(index.path)
    anything = any(runs.count(run.id, each) for each in run.retrievers)
    return run if anything else replace(run, columns=())


def _finished_columns(index: Index, run: Run) -> Run:
    """Return `run` with only its finished retrievers and imported rankings."""
    runs = Runs(index.path)
    done = (
        each
        for each in run.columns
        if not each.configuration or runs.count(run.id, each.retriever) == run.questions
    )
    return replace(run, columns=tuple(done))


def show_running(index: Index) -> None:
    """Draw the panel of the run in progress; the page reruns when a retriever is done."""
    if state := running(index):
        st.fragment(_follow, run_every=_POLL)(index, _visible_run(index, state))


def _visible_run(index: Index, state: jobs.JobState) -> Run | None:
    """Return the run of `state`, with only the finished retrievers."""
    known = Runs(index.path).all()
    run = next((one for one in known if state.job and one.id == state.job.run), None)
    return _finished_columns(index, run) if run else None


def _follow(index: Index, shown: Run | None) -> None:
    """Draw the panel of the run in progress; rerun the page when a retriever is done."""
    state = running(index)
    run = _visible_run(index, state) if state else None
    if state is None or run != shown:
        st.rerun()
    name = run_title(run) if run else "evaluation"
    with st.container(border=True, key="evaluate_panel"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(
                f"<h3 class='hop-job' dir='auto'>In progress: {escape(name)}</h3>", width="stretch"
            )
            if visitor().may_edit and st.button("Cancel", key="evaluate_cancel"):
                with layout.mendable():
                    run_actions.cancel_evaluation(index.path)
        done, total = _finished_and_total(index, run, state)
        st.progress(min(1.0, done / total) if total else 0.0, _pace(state, done, total))
        silent = (datetime.now(UTC) - state.last_progress_at).total_seconds()
        told = f"Cost of this run: {state.spending}. " if state.spending else ""
        if silent > _STALLED:
            told += f"No progress for {formatting.duration(silent)}. "
        st.caption(layout.literal(f"{told}It continues if you close this page."))


def _finished_and_total(index: Index, run: Run | None, state: jobs.JobState) -> tuple[int, int]:
    """Return the number of finished results and the total.

    Before its job says so, the rows that the run has of all.
    """
    if run is None or (state.stage and state.stage not in _PREPARING):
        return state.done, state.total
    runs = Runs(index.path)
    own = [each.retriever for each in runs.get(run.id).columns if each.configuration]
    return sum(runs.count(run.id, each) for each in own), run.questions * len(own)


def _pace(state: jobs.JobState, done: int, total: int) -> str:
    """Describe what the run does now, its rate and the remaining time."""
    results = state.stage in (None, "ask", *_PREPARING)
    all_ = number(total, "result") if results else f"{total:,}"
    parts = [f"{done:,} of {all_}"] if total else []
    if state.stage is None:
        began = (datetime.now(UTC) - state.started_at).total_seconds()
        parts.append(f"starting ({number(int(began), 'second')} so far)")
    elif state.stage in _PREPARING:
        began = (datetime.now(UTC) - state.last_progress_at).total_seconds()
        what = _PREPARING[state.stage].format(number(state.total, "question"))
        parts.append(f"{what} ({number(int(began), 'second')} so far)")
    elif state.stage != "ask":
        parts.append(f"building for a retriever: {state.stage}")
    if state.rate:
        parts.append(f"{state.rate:,.1f}/s")
    if state.eta_seconds is not None:
        parts.append(f"{formatting.duration(state.eta_seconds)} left")
    return " · ".join(parts)


def show_unfinished(index: Index, run: Run) -> None:
    """Explain why a run ended early, with a button to resume; nothing if it is finished."""
    state = jobs.state(jobs.evaluation_place(index.path))
    own = state if state and state.job and state.job.run == run.id else None
    if run.state == "finished" or (own and own.running):
        return
    message = (own.message if own else "") or run.message
    message = message or "The evaluation did not finish."
    with st.container(horizontal=True, vertical_alignment="bottom", key="evaluate_unfinished"):
        st.warning(layout.literal(shown(message)))
        if not visitor().may_edit or running(index):
            return
        budget = None
        if own and own.job and own.job.budget:
            in_money = own.job.budget.money is not None
            budget = ask_budget("evaluate_more", in_money=in_money, before=own.job.budget)
        if st.button("Resume", key="evaluate_resume", type="primary"):
            with layout.mendable():
                run_actions.go_on(index.path, run, budget)
                st.rerun()
