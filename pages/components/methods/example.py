"""An example of a retriever on a question of an index, as a walkthrough."""

import streamlit as st

from core import Hits, OpenIndex
from core.api.showing import walkthrough_data
from core.artefacts.workbench import Workbench
from core.retrievers import Spec
from core.shipping.sample import suggested
from core.store.index import Index
from pages.components.ask import model_calls
from pages.components.ask.request import Ask
from pages.components.ask.required_structures import needs_first
from pages.components.ask.retriever_names import called
from pages.components.passages.gold import GoldMarks
from pages.components.shell import layout, nav
from pages.components.shell.visitors.visitor import visitor
from pages.components.trace.current_trace import retriever_of, trace_of
from pages.components.walkthrough.component import show_walkthrough

_FEW = 3  # questions to choose from


def show_example(spec: Spec, bench: Workbench | None) -> None:
    """Draw a walkthrough of a question of `bench`, or without an index a link to the sample."""
    if bench is None:
        st.caption("To see an example, build an index first: select Try the sample on Start.")
        return
    if spec.needs_model and bench.oracle is None:
        st.caption(layout.literal(f"{called(spec)} needs a language model, and none is set up."))
        if visitor().may_edit and st.button("Open Settings", key="methods_settings"):
            nav.go("settings")
        return
    questions = examples(bench.index)
    if not questions:
        st.caption(layout.literal(f"{bench.index.name} has no questions. Ask one on Trace."))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        question = st.selectbox(
            f"A question of {layout.literal(bench.index.name)}", questions, key="methods_question"
        )
        if st.button("Open in Trace", key="methods_trace"):
            nav.go("trace", index=bench.index.name, q=question, retriever=str(spec))
    with layout.mendable():
        _show(Ask(question, spec), bench)


def examples(index: Index) -> list[str]:
    """Return a few questions of the index; of the sample, those that benefit most from hops."""
    own = [query.text for query in index.questions]
    best = [text for text in suggested() if text in own]
    return (best or own)[:_FEW]


def _show(wanted: Ask, bench: Workbench) -> None:
    """Draw the walkthrough of a question, once its structures and model calls are available."""
    if needs_first(wanted.spec, bench, place="methods"):
        return
    retriever = retriever_of(bench, wanted)
    gate = model_calls.leave(retriever, wanted.question, place="methods")
    if gate.waits_for:
        model_calls.ask_leave(retriever, wanted.question, gate.waits_for, place="methods")
        return
    with model_calls.within_budget("methods"):
        trace = trace_of(bench, wanted, gate)
    gold = GoldMarks(wanted.question, bench.index).now()
    told = walkthrough_data(Hits(OpenIndex(bench), trace), gold)
    show_walkthrough(told, key="methods_walkthrough", acts={}, from_start=True)
