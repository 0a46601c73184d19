"""The two forms of the Trace page: a question run on an index, and a trace from a file."""

from dataclasses import replace
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from core.artefacts.unmatched_questions import unmatched
from core.artefacts.workbench import Workbench
from core.counterfactual import PLAIN
from core.errors import HopRagError
from core.funnel.lists import Lists
from core.marks import Gold
from core.models.legible import unread_question
from core.playback.decided import decided, unjudged
from core.playback.wording import not_asked_told
from core.replay import kept_trace
from core.settings import settings
from core.store.index import Index
from core.traces import Trace
from pages.components.ask import answer, current_question, model_calls, opened_trace
from pages.components.ask.imported_results import ImportedColumn
from pages.components.ask.model_setup import rules_notice
from pages.components.ask.question_row import question_row
from pages.components.ask.questions.question_list import Questions
from pages.components.ask.questions.suggested_questions import show_suggestions
from pages.components.ask.request import USUAL, Ask, too_long, usual_for
from pages.components.ask.required_structures import needs_first
from pages.components.ask.retriever_choice import Specs
from pages.components.ask.rule_based_notice import beside_name
from pages.components.ask.small_index import edge_ends, small_index
from pages.components.ask.undecided_notice import show_undecided
from pages.components.ask.view_switch import view_switch, views_line
from pages.components.indexes import index_menu
from pages.components.passages.gold import GoldMarks
from pages.components.passages.tried_fixes import show_trials
from pages.components.shell import layout, nav, resources
from pages.components.shell.actions import run_actions
from pages.components.shell.widgets.copy_link import copy_link
from pages.components.trace import (
    current_trace,
    manual_choices,
    replay_panel,
    save_buttons,
    trace_view,
)
from pages.components.trace.edit_effects import show_edited
from pages.components.trace.fixes import fixes_of
from pages.components.trace.replay_result import show_replayed
from pages.components.trace.trace_file import choose_result, trace_file, warn_incomplete

COMPARE = "Compare with retrievers on the same question"


def show_asked() -> None:
    """Draw the question's row, and below it the trace of the current request."""
    views = views_line()
    with views:
        trace_file()  # which needs no index
    workbench = index_menu.need_workbench()
    index = workbench.index
    usual = usual_for(len(index.ids))
    wanted = current_trace.asked(index.name, usual)
    with views:
        view_switch("walkthrough", index.name)

    def ask(question: str, specs: Specs) -> None:
        """Run another question, the same retriever with other settings, or the same again."""
        if (question, specs[0].key) != (wanted.question, wanted.spec.key):
            current_trace.ask(Ask(question, specs[0], PLAIN), index.name)
        elif specs[0] != wanted.spec:
            # The same retriever with other settings: changes by hand and the stop stay.
            current_trace.change(replace(wanted, spec=specs[0]), index.name)
        else:
            current_trace.ask(wanted, index.name)

    questions, _ = question_row("walkthrough", wanted.question, (wanted.spec,), workbench, ask)
    for said in current_trace.ignored(wanted):
        st.warning(layout.literal(said))
    if too_long(wanted.question):
        return
    if wanted.question or current_question.was_asked(index.name):
        with layout.mendable():
            _show_wanted(workbench, wanted, questions)
            return
    if st.query_params.get("present") == "1":
        st.info("Presenter mode starts as soon as you ask a question.")
    show_suggestions(index, questions.choose)


def show_file(trace: Trace) -> None:
    """Draw a trace from a file; its index adds details if it is available."""
    marks = GoldMarks(trace.query, trace=trace)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="file_row"):
        if not choose_result():
            made = trace.created[:16].replace("T", " ")
            st.html(
                f"<p class='hop-file' title='{escape(trace.query)}'>{_origin()}, made "
                f"{escape(made)}: <b dir='auto'>{escape(trace.query)}</b></p>"
            )
        if opened_trace.column() and st.button("Compare", key="trace_compare", help=COMPARE):
            _compare(trace)
        st.button("Close it", key="trace_close", on_click=opened_trace.forget_file)
        trace_file()
    warn_incomplete()
    show_undecided(decided(trace.steps), None, trace.query, place="trace")
    manual_choices.show_changes_of_file(trace)
    index = _index_of(trace)
    trace_view.show_trace(trace, marks, index, from_start=True)
    with st.container(horizontal=True, gap="small", key="trace_keep"):
        save_buttons.save_buttons(trace, marks, index)


def _origin() -> str:
    """Describe the origin of the trace."""
    column = opened_trace.column()
    return "From an imported run" if column and ImportedColumn.parse(column).run else "From a file"


def _compare(trace: Trace) -> None:
    """Open Compare with the pipeline's results and a retriever."""
    name = resources.index_name()
    columns = f"{USUAL},{opened_trace.column()}"
    nav.go("compare", index=name or "", q=trace.query, **{"with": columns})


def _show_wanted(workbench: Workbench, wanted: Ask, questions: Questions) -> None:
    """Draw the trace of `wanted`, or what has to be built or approved first."""
    if needs_first(wanted.spec, workbench, place="trace"):
        return
    retriever = current_trace.retriever_of(workbench, wanted)
    gate = model_calls.leave(retriever, wanted.question, place="trace")
    if gate.waits_for:
        model_calls.ask_leave(retriever, wanted.question, gate.waits_for, place="trace")
        if gate.waits_for.kept:
            _show_kept(workbench, wanted)
        return
    unread = unread_question(workbench.embedder.info.name, wanted.question)
    words_only = wanted.spec.words_only
    doubt = unread or unmatched(workbench, wanted.question, words_only=words_only)
    if wanted.spec.card.retrieves and doubt:
        st.warning(layout.literal(doubt))
    with model_calls.within_budget("trace"):
        trace = current_trace.trace_of(workbench, wanted, gate)
    show_undecided(decided(trace.steps), retriever, wanted.question, place="trace")
    run_actions.hold(workbench, wanted.spec, wanted.question, trace.steps)
    _show_result(trace, workbench, wanted, questions)


def _show_result(trace: Trace, workbench: Workbench, wanted: Ask, questions: Questions) -> None:
    """Draw the walkthrough of a request, the replay panel, the answer and the files."""
    index = workbench.index
    marks = GoldMarks(wanted.question, index)
    show_edited(workbench, wanted, trace, marks.now())
    fix = ""
    if not _show_change(trace, workbench, wanted, marks.now()):
        turn = questions.turn if index.questions else None
        amend = partial(_amend, wanted, index.name)
        small = small_index((wanted.spec,), len(index.passages), edge_ends(index))
        kept = fixes_of(workbench, wanted, trace, marks.now())
        fix = kept.smallest
        trace_view.show_trace(
            *(trace, marks, index),
            from_start=False,
            lists=Lists(workbench),
            turn=turn,
            amend=amend,
            remark=(small.told, small.action) if small else ("", ""),
            beside=_notices_beside_name(trace, workbench, wanted),
            heed=partial(_run_with_fewer_seeds, wanted, small.instead, index.name)
            if small and small.instead
            else None,
            keeps=kept.lines,
            keep=kept.acts,
            fix=fix,
        )
        show_trials(kept.tried, key="trace_tried")
    rules_notice(wanted.spec, trace.steps, workbench, place="trace")
    replay_panel.show_replay(workbench, wanted, trace, marks.now())
    answer.show_answer(workbench, trace)
    with st.container(horizontal=True, gap="small", key="trace_keep"):
        save_buttons.save_buttons(trace, marks, index, Lists(workbench), fix)
        copy_link(key="trace_copy")
    layout.show_equivalent_command(wanted.command(str(settings().indexes / index.name)))


def _notices_beside_name(trace: Trace, workbench: Workbench, wanted: Ask) -> str:
    """Return the notices beside the retriever's name: rules that replaced a model, and settings
    that a replay changed.

    Presenter mode shows neither anywhere else.
    """
    before = current_trace.before(wanted, workbench.index.name)
    other = "; ".join(wanted.spec.changes_from(before.spec)) if before else ""
    turned = f"replayed: {other}" if other else ""
    return "; ".join(filter(None, (beside_name(wanted.spec, trace.steps, workbench), turned)))


def _show_change(trace: Trace, workbench: Workbench, wanted: Ask, gold: Gold) -> bool:
    """Draw changes by hand or of settings; return True if they replace the walkthrough."""
    if wanted.amendments:
        return manual_choices.show_changed(workbench, wanted, trace, gold)
    before = current_trace.before(wanted, workbench.index.name)
    return before is not None and show_replayed(workbench, wanted, before, trace, gold)


def _show_kept(workbench: Workbench, wanted: Ask) -> None:
    """Show the walkthrough by the stored replies; what the model never judged is hatched."""
    trace = kept_trace(workbench.amended(wanted.amendments), wanted.spec, wanted.question)
    st.caption(not_asked_told(unjudged(trace.steps)))
    marks = GoldMarks(wanted.question, workbench.index)
    lists = Lists(workbench)
    trace_view.show_trace(trace, marks, workbench.index, from_start=False, lists=lists)


def _amend(wanted: Ask, index: str, what: Any) -> None:
    with layout.mendable():
        manual_choices.choose(wanted, index, what)


def _run_with_fewer_seeds(wanted: Ask, instead: Specs, index: str, _: Any) -> None:
    """Run the request with the suggested retriever, which has fewer seeds."""
    current_trace.ask(Ask(wanted.question, instead[0], wanted.amendments), index)


def _index_of(trace: Trace) -> Index | None:
    """Return the index that the trace was made from, if it exists in the same version."""
    name = trace.index
    if not name or name in (".", "..") or "/" in name or "\\" in name or "\0" in name:
        return None  # The name comes from a file.
    try:
        index = resources.workbench(resources.entry(name)).index
    except HopRagError:
        return None
    return index if index.meta.graph_version == trace.graph_version else None
