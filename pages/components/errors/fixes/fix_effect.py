"""The effect of one question's fix on all other questions."""

import streamlit as st

from core.funnel.rescue import Rescue, cost
from core.places import Place
from core.retrievers import Spec
from core.reviews.losses.change_effect import Effect, effect_of, net_told, run_with_retriever
from core.reviews.losses.fixes import choices
from core.runs import Row, Run, Runs
from core.runs.fixes import known_rescues
from core.text.display.plurals import number
from pages.components.errors.fixes.group_fix import ask_all
from pages.components.errors.review_context import Bench
from pages.components.errors.run_progress import follow_trial, trial_with
from pages.components.evaluate.run_progress import running
from pages.components.shell import layout
from pages.components.shell.formatting import duration
from pages.components.shell.visitors.visitor import visitor

_STARTING = 10.0
"""Seconds that a process takes to start and load its models: what takes less is not foretold."""


def fix_elsewhere(bench: Bench, row: Row) -> None:
    """Show the net effect of the cheapest fix on all other questions, or a button to measure it."""
    spec = Spec.known(row.retriever)
    fix = _fix(bench, row)
    if fix is None or spec is None or spec.asks_model or bench.run.questions < 2:
        return
    again = run_with_retriever(bench.runs, bench.run, fix.retriever)
    if again:
        path, question = bench.workbench.index.path, row.question.id
        done = _effect(path, bench.run.id, row.retriever, again.id, fix.retriever, question)
        st.caption(layout.literal(f"{fix.told}, all other questions: {_effect_summary(done)}"))
    elif trial := trial_with(bench, fix.retriever):
        follow_trial(bench, trial)
    elif visitor().may_edit:
        seconds = _seconds(bench.runs, bench.run, row.retriever)
        lasts = f" (about {duration(seconds)})" if seconds >= _STARTING else ""
        st.button(
            layout.literal(
                f"Run all {number(bench.run.questions, 'question')} with {fix.told}{lasts}"
            ),
            key="errors_fix_elsewhere",
            help=layout.literal(f"Shows how {fix.told} affects all other questions"),
            disabled=running(bench.workbench.index) is not None,
            on_click=ask_all,
            args=(bench, fix.retriever, fix.told),
        )


def _fix(bench: Bench, row: Row) -> Rescue | None:
    """Return the cheapest change of settings that retrieves gold that the row lost."""
    known = choices(known_rescues(bench.run, row, bench.workbench)).values()
    return min((one for one in known if one.keeps and one.can_be_set), key=cost, default=None)


def _effect_summary(done: Effect) -> str:
    """Describe the net effect on the other questions, and how many improved or got worse."""
    if not done.net:
        return "none of them has gold."
    won, lost = (number(len(ids), "question") for ids in (done.won, done.lost))
    return f"{net_told(done.net[0])}; {won} improved, {lost} got worse."


def _seconds(runs: Runs, run: Run, retriever: str) -> float:
    """Return how long the retriever took for all questions, without the change, in seconds."""
    ((seconds,),) = runs.read(
        "SELECT total(seconds) FROM rows WHERE run = ? AND retriever = ?", run.id, retriever
    )
    return float(seconds)


@st.cache_resource(max_entries=50, show_spinner=False)
def _effect(path: Place, run: str, retriever: str, again: str, other: str, question: str) -> Effect:
    runs = Runs(path)
    before, after = (runs.get(run), retriever), (runs.get(again), other)
    return effect_of(runs, before, after, without=question)
