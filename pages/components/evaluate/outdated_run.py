"""A notice that gold was marked after a run, with a button to measure it again."""

import streamlit as st

from core.runs import Run, Runs
from core.store.index import Index
from pages.components.evaluate.cached_results import remarked_of
from pages.components.evaluate.run_progress import running
from pages.components.shell import layout, nav
from pages.components.shell.visitors.visitor import visitor

NEW, RETRIEVERS = "evaluate_new_open", "evaluate_retrievers"
ANSWERS, JUDGE = "evaluate_answers", "evaluate_judge"


def show_marks_since(runs: Runs, run: Run, index: Index, retriever: str = "") -> None:
    """Show that gold was marked after `run`, and a button that opens a filled-in form.

    Evaluate then speaks of `retriever`.
    """
    found = remarked_of(runs, run, index)
    if not found:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="measure_again"):
        st.warning(layout.literal(str(found)), width="stretch")
        if not visitor().may_edit or running(index) or st.session_state.get(NEW):
            return
        if st.button("Set up a new run", key="measure_again_now", on_click=_fill, args=(run,)):
            nav.go("evaluate", index=index.name, run=run.id, retriever=retriever)


def _fill(run: Run) -> None:
    """Fill the form of a new run with the settings of `run`."""
    state = st.session_state
    state[NEW] = True
    state[RETRIEVERS] = [text for text in run.retrievers if run.configuration(text)]
    state[ANSWERS] = bool(run.settings.get("answers"))
    state[JUDGE] = bool(run.settings.get("judge"))
