"""Evaluate: question sets against retrievers, kept as runs; every number leads to questions."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import streamlit as st

from core.runs import Other, Run, Runs
from core.runs.configuration import changed_versions
from core.runs.question_sets import OWN
from core.store.index import Index
from core.studies.naming import run_title
from core.text.display.plurals import number
from pages.components.evaluate.analysis.analysis_views import show_sides
from pages.components.evaluate.current_run import choose, chosen, run_to_show
from pages.components.evaluate.leaderboard.leaderboard_table import show_board
from pages.components.evaluate.new_run import new_run
from pages.components.evaluate.outdated_run import NEW, show_marks_since
from pages.components.evaluate.questions.question_rows import show_rows
from pages.components.evaluate.questions.question_selection import picked
from pages.components.evaluate.result_import import WAY, WAYS, importable, offer_imported_run
from pages.components.evaluate.run_files import show_files
from pages.components.evaluate.run_progress import (
    is_measured,
    running,
    show_running,
    show_unfinished,
)
from pages.components.evaluate.settings_search import offer_search, show_search
from pages.components.evaluate.state import View, viewed
from pages.components.evaluate.toolbar import choose_measure, choose_run
from pages.components.indexes import index_menu
from pages.components.passages.unmatched_marks import show_unsettled
from pages.components.shell import address_params, layout, nav
from pages.components.shell.formatting import ago
from pages.components.shell.visitors.signature import signature
from pages.components.shell.visitors.visitor import visitor
from pages.components.studies.settings_sweep import offer_sweep

nav.guard()

_WHAT_FOR = (
    "A run evaluates every retriever on every question. It reports recall with confidence "
    "intervals, wins and losses, stages of loss, fixes, slices by field, curves and cost. Select "
    "any number to list its questions, and any question to open its walkthrough."
)


def begin_run() -> None:
    """Offer two ways to start a run: run retrievers, or import a pipeline's results."""
    questions = importable(bench.index)
    st.session_state.setdefault(WAY, WAYS[0])
    chosen_way = st.segmented_control("New run", WAYS, key=WAY, required=True)
    imports = questions and chosen_way == WAYS[1]
    if imports:
        offer_imported_run(bench, questions)
    else:
        new_run(bench)


def facts(run: Run, index: Index, known: Sequence[Run]) -> str:
    """Describe the questions and retrievers of a run, and the changes since the run before."""
    source = "" if run.question_set == OWN else f" of {run.question_set}"
    asked = f"{number(run.questions, 'question')}{source}, {number(len(run.columns), 'retriever')}."
    graph = "" if run.graph == index.meta.graph_version else " The graph has changed since."
    return f"{asked}{graph}{_versions(run, known)}"


def _versions(run: Run, known: Sequence[Run]) -> str:
    """Describe the versions that changed since the last earlier run of any of its retrievers."""
    older = known[known.index(run) + 1 :] if run in known else ()
    before = next((one for one in older if {*one.retrievers} & {*run.retrievers}), None)
    changed = changed_versions(run.settings, before.settings) if before else []
    return f" Since {run_title(before)}, {' and '.join(changed)}." if before and changed else ""


def origin(run: Run) -> str:
    """Describe when, by whom and on which index and model a run was made."""
    told = [
        ago(datetime.fromisoformat(run.made_at)),
        f"by {run.by}" if run.by else "",
        f"graph {run.graph[:10]}" if run.graph else "",
        f"content {run.content[:10]}",
        str(run.settings.get("model", "")),
    ]
    return " · ".join(filter(None, told))


def settled(run: Run, baseline: Other, *, measured: bool) -> View:
    """Complete the view in the address with its defaults, and write it to the address.

    Until `run` is `measured`, another retriever may still lead. Its baseline and listed retriever
    are then written only if the user chose them.
    """
    asked = viewed()
    if asked.retriever in run.retrievers:
        choose(bench.index, run.id, asked.retriever)
    elif chosen(bench.index)[0] != run.id:
        choose(bench.index, run.id, "")
    known = run_to_show(bench.index, [run], signature())[1]
    view = replace(asked, run=run.id, retriever=known)
    against = replace(view, base_run=baseline.run, base=baseline.retriever)
    # A run that is begun later does not take the place of one that is in the address.
    address_params.go(against if measured else replace(view, retriever=asked.retriever))
    return against


def show_run(run: Run, seen: Run, baseline: Other) -> None:
    """Draw board, analysis and questions of `run`; while it is measured, those of `seen`."""
    lead = st.container(key="evaluate_lead")
    told = facts(run, bench.index, known)
    measure = choose_measure(told, origin(run), len(bench.index.ids))
    measured = len(seen.columns) == len(run.columns)
    if not measured:
        done = f"{len(seen.columns):,} of {number(len(run.columns), 'retriever')}"
        st.info(f"Done so far: {done}. The others appear once they have run every question.")
    if run.is_search and not is_measured(bench.index, run):
        show_search(runs, run)
    show_board(runs, seen, measure, baseline, bench.index, lead)
    view = settled(seen, baseline, measured=measured)
    row = st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="evaluate_sides"
    )
    show_sides(runs, seen, measure, bench.index, row)
    if view.retriever:
        with row:
            begun = offer_search(bench, runs, run, view.retriever, measure)
            offer_sweep(bench, run, view.retriever)
        if begun:
            address_params.go(View(run=begun))
            st.rerun()
    if view.retriever:
        show_rows(runs, seen, picked(seen, runs, view, baseline), view, bench)
    if not is_measured(bench.index, run):
        show_files(runs, run, bench)


layout.heading(
    "Evaluate", "Compare retrievers on a question set and see where gold passages are lost."
)
bench = index_menu.need_workbench()
runs = Runs(bench.index.path)
show_running(bench.index)
show_unsettled(bench.index, place="evaluate")
with layout.mendable():
    known = runs.all()
    if known:
        run, seen, baseline = choose_run(bench.index, known)
    may_begin = visitor().may_edit and not running(bench.index)
    if may_begin and not known:
        st.text(_WHAT_FOR)
    if may_begin and (st.session_state.get(NEW) or not known):
        begin_run()
    if not known:
        if not visitor().may_edit:
            st.info("This index has no runs. An editor of this server can start one.")
    else:
        show_unfinished(bench.index, run)
        with layout.mendable():
            show_marks_since(runs, run, bench.index)
        if seen.columns:
            show_run(run, seen, baseline)
place = shlex.quote(str(bench.index.path))
layout.show_equivalent_command(
    f"python -m core evaluate --index {place} --run NAME\n"
    f"python -m core search-settings --index {place} --retriever SPEC --run NAME\n"
    f"python -m core runs list --index {place}\n"
    f"python -m core runs show NAME --index {place}"
)
