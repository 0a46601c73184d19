"""The current run and retriever, shared by Evaluate and Errors."""

from collections.abc import Sequence

import streamlit as st

from core.reviews import Reviews
from core.runs import Run, Runs
from core.store.index import Index
from core.studies.naming import run_title
from pages.components.ask import current_question
from pages.components.evaluate.baseline import best

_CHOSEN = "works_on"
REVIEWED, NEWEST = "reviewed last", "newest"


def run_to_show(
    index: Index, runs: Sequence[Run], reviewer: str, *, newest: bool = False
) -> tuple[str, str]:
    """Return the run and retriever to show: those shown last on either page, or a default.

    First comes the last review by `reviewer` (anybody without sign-in); with `newest` only if it is
    of the newest run. Otherwise it is the newest run that is no trial, with the retriever used last
    on Trace or Compare, or the best one.
    """
    known = {run.id: run for run in runs}
    run, retriever = chosen(index)
    if run not in known:
        last = _newest(runs)
        run, retriever = _last_reviewed(index, {last: known[last]} if newest else known, reviewer)
        run = run or last
    if retriever not in known[run].retrievers:
        retriever = _asked_last(index, known[run]) or best(
            known[run], Runs(index.path), walks_first=True
        )
    return run, retriever


def choose(index: Index, run: str, retriever: str) -> None:
    """Record the run and retriever shown now, for Evaluate and Errors."""
    st.session_state.setdefault(_CHOSEN, {})[str(index.path)] = run, retriever


def chosen(index: Index) -> tuple[str, str]:
    """Return the run and retriever shown last on either page; empty names before that."""
    found: tuple[str, str] = st.session_state.get(_CHOSEN, {}).get(str(index.path), ("", ""))
    return found


def reasons_to_open(index: Index, runs: Sequence[Run], reviewer: str) -> dict[str, str]:
    """Return, by run id, why a page may open at the run by default: newest or last reviewed."""
    known = {run.id: run for run in runs}
    found = {_newest(runs): NEWEST}
    last, _ = _last_reviewed(index, known, reviewer)
    if last and last not in found:
        found[last] = REVIEWED
    return found


def _last_reviewed(index: Index, known: dict[str, Run], who: str) -> tuple[str, str]:
    """Return the run and retriever of the last review among the `known` runs; empty without one."""
    said = (one for one in reversed(Reviews(index.path).all(who or None)) if one.run in known)
    last = next(said, None)
    return (last.run, last.retriever) if last else ("", "")


def _newest(runs: Sequence[Run]) -> str:
    return next((one for one in runs if not one.is_trial), runs[0]).id


def _asked_last(index: Index, run: Run) -> str:
    """Return the retriever run last on `index`; empty if `run` has no results of it."""
    name = (
        str(current_question.now(index.name).spec) if current_question.was_asked(index.name) else ""
    )
    return name if name in run.retrievers else ""


def missing_run_message(shown: Run) -> str:
    """Say that the run in the link does not exist, and which one is shown instead."""
    return f"The run in this link does not exist. Showing {run_title(shown)}."
