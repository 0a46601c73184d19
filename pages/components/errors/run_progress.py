"""Runs in progress on Errors: the growing list, and the trial of a change."""

from dataclasses import replace
from time import monotonic

import streamlit as st

from core.runs import Run
from core.studies.naming import run_title
from core.text.display.plurals import number
from pages.components.errors.review_context import Bench
from pages.components.errors.status_message import tell_then
from pages.components.evaluate.run_progress import is_measured
from pages.components.runs.result_list import LEFT, wished
from pages.components.shell import address_params, layout

_POLL = 3.0  # seconds
_SEEN = "errors_seen"
"""The list and place that were shown last, and the question there."""
_LATE = 10.0  # seconds in which a browser may still ask for the earlier place


def follow(bench: Bench) -> None:
    """Show a run's progress while it is measured; the page reruns as it grows and ends."""
    if is_measured(bench.workbench.index, bench.run):
        st.fragment(_follow, run_every=_POLL)(bench)


def trial_with(bench: Bench, retriever: str) -> Run | None:
    """Return the run in progress that tries a change with `retriever`, if any."""
    for run in bench.runs.all():
        tried = run.settings.get("trial_of") == bench.run.id and retriever in run.retrievers
        if tried and is_measured(bench.workbench.index, run):
            return run
    return None


def follow_trial(bench: Bench, run: Run) -> None:
    """Show a trial's progress; the page reruns when it ends."""
    st.fragment(_follow_trial, run_every=_POLL)(bench, run)


def _follow_trial(bench: Bench, run: Run) -> None:
    """Show how many questions a trial has measured; rerun the page when it ends."""
    if not is_measured(bench.workbench.index, run):
        tell_then(_end_message(bench.runs.get(run.id)))
        st.rerun()
    asked = bench.runs.count(run.id, run.retrievers[0])
    told = f"{run_title(run)}: {asked:,} of {number(run.questions, 'question')} measured."
    st.caption(layout.literal(told))


def _follow(bench: Bench) -> None:
    """Show how many questions the run has measured; rerun the page as it grows and ends."""
    run, asked = bench.run, bench.of_run[1]
    if not is_measured(bench.workbench.index, run):
        tell_then(_end_message(bench.runs.get(run.id)))
        st.rerun()
    if bench.runs.count(run.id, bench.retriever) != asked:
        st.rerun()
    with st.container(key="errors_measured"):
        told = f"{run_title(run)}: {asked:,} of {number(run.questions, 'question')} measured."
        st.caption(layout.literal(f"{told} The list updates automatically."))


def _end_message(run: Run) -> str:
    if run.state == "finished":
        return f"{run_title(run)}: all {number(run.questions, 'question')} measured."
    return f"{run_title(run)} ended early. Go to Evaluate to see why and to resume it."


def keep_shown_result(bench: Bench) -> Bench:
    """Return `bench` at the result that was shown, after its list has grown."""
    at, view = bench.wish.at, bench.wish.view
    seen: tuple[object, int, str] | None = st.session_state.get(_SEEN)
    left, since = st.session_state.get(LEFT, (0, 0.0))
    row = bench.row(at)
    # What was typed before the address changed asks for the place that it had until then.
    late = at == left and monotonic() - since < _LATE
    same = seen is not None and seen[0] == view and (seen[1] == at or late)
    if seen and same and (row is None or row.question.id != seen[2]):
        place = bench.place(seen[2])
        if place:
            if not late:
                st.session_state[LEFT] = at, monotonic()
            address_params.go(replace(wished(), at=place))
            bench = replace(bench, wish=replace(bench.wish, at=place))
            row = bench.row(place)
    if row:
        st.session_state[_SEEN] = view, bench.wish.at, row.question.id
    return bench
