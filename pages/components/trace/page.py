"""The two faces of the Trace page: a question asked of an index, and a trace from a file."""

from dataclasses import replace
from functools import partial
from html import escape

import streamlit as st

from core.artefacts.workbench import Workbench
from core.errors import HopRagError
from core.playback.account import unanswered
from core.settings import settings
from core.store.index import Index
from core.traces import Trace
from pages.components.ask import answer, model_calls
from pages.components.ask.choice import draft
from pages.components.ask.known_questions import question_chips, question_picker
from pages.components.ask.needs import needs_first
from pages.components.ask.wish import Ask
from pages.components.indexes import index_menu
from pages.components.passages.gold import GoldMarks
from pages.components.shell import frame, resources
from pages.components.trace import current as asked_trace
from pages.components.trace import footer as trace_footer
from pages.components.trace import form as ask_form
from pages.components.trace import player
from pages.components.trace import view as trace_view


def show_asked() -> None:
    """The form, and below it the trace of what was asked."""
    with st.container(horizontal=True, key="question_row"):
        question = st.container(horizontal=True)
        ask_form.trace_file()  # which needs no index
    workbench = index_menu.need_workbench()
    index = workbench.index
    wanted = Ask()
    with frame.mendable():
        wanted = asked_trace.asked(index.name)
    now = replace(wanted, spec=draft(wanted.spec))
    choose = partial(ask_form.ask_for, now=now, index=index.name)
    with question:
        ask_form.ask_form(now, wanted, index.name, with_model=workbench.oracle is not None)
        question_picker(index.questions, wanted.question, choose)
    if wanted.question or asked_trace.was_asked(index.name):
        with frame.mendable():
            _show_wanted(workbench, wanted)
            return
    question_chips(index.questions, choose)
    player.pause()


def show_file(trace: Trace) -> None:
    """A trace from a file; it needs no index, and uses the one it was made from if it is there."""
    marks = GoldMarks(trace.index, trace.query, frozenset(trace.gold))
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="question_row"
    ):
        made = trace.created[:16].replace("T", " ")
        st.html(
            f"<p class='tr-file' title='{escape(trace.query)}'>From a file, made {escape(made)}: "
            f"<b dir='auto'>{escape(trace.query)}</b></p>"
        )
        st.button("Close it", key="trace_close", on_click=asked_trace.close_file)
        ask_form.trace_file()
    trace_view.show_trace(trace, marks, _index_of(trace), linked=False)
    trace_footer.save_button(trace, marks)


def _show_wanted(workbench: Workbench, wanted: Ask) -> None:
    """The trace of `wanted`; or what has to be built, or a model to be asked, before."""
    if needs_first(wanted.spec, workbench, place="trace"):
        player.pause()
        return
    retriever = asked_trace.retriever_of(workbench, wanted)
    gate = model_calls.leave(retriever, wanted.question, place="trace")
    if gate.waits_for:
        model_calls.ask_leave(retriever, wanted.question, gate.waits_for, place="trace")
        player.pause()
        return
    trace = asked_trace.trace_of(workbench.allowed(gate.leave), wanted, gate.run)
    if trouble := unanswered(trace.steps):
        with st.container(horizontal=True, vertical_alignment="center", key="trace_unanswered"):
            st.warning(frame.literal(trouble))
            st.button(
                "Ask again", key="trace_again", on_click=model_calls.take_back, args=("trace",)
            )
    _show_result(trace, workbench, wanted)


def _show_result(trace: Trace, workbench: Workbench, wanted: Ask) -> None:
    index = workbench.index
    gold = frozenset(asked_trace.gold_of(index, wanted.question))
    marks = GoldMarks(index.name, wanted.question, gold)
    trace_view.show_trace(trace, marks, index, linked=True)
    answer.show_answer(workbench, trace.query, trace.steps)
    trace_footer.save_button(trace, marks)
    frame.same_from_shell(wanted.command(str(settings().indexes / index.name)))


def _index_of(trace: Trace) -> Index | None:
    """The index that the trace was made from, if it is here in the same version."""
    name = trace.index
    if not name or name in (".", "..") or "/" in name or "\\" in name or "\0" in name:
        return None  # The name comes from a file.
    try:
        index = resources.workbench(name).index
    except HopRagError:
        return None
    return index if index.meta.graph_version == trace.graph_version else None
