"""Opening a trace from a file."""

import streamlit as st

from core.pipelines.imported import INCOMPLETE
from core.settings import settings
from core.spans.received import Received
from pages.components.ask import opened_trace
from pages.components.shell import layout
from pages.components.shell.visitors.uploads import release
from pages.components.shell.visitors.visitor import visitor

SPANS = (
    "Spans in OTLP JSON with OpenInference attributes (as Phoenix and the instrumentations "
    "of LlamaIndex and LangChain write them), or an export from Phoenix, LangSmith or "
    "Langfuse."
)


def trace_file() -> None:
    """Show the button that opens a trace, for editors only, and its errors."""
    if not visitor().may_edit:
        return
    with st.popover("Open a trace", key="trace_open"):
        given = st.file_uploader(
            "A trace file, or spans from your pipeline",
            type=["jsonl", "json", "parquet"],
            key="trace_upload",
            help=SPANS,
        )
        if given is not None and st.session_state.get("trace_uploaded") != given.file_id:
            with layout.mendable():
                opened_trace.open_file(given.getvalue(), given.name)
                st.session_state["trace_uploaded"] = given.file_id
                release([given])
                st.rerun()
        received = Received(settings().home)
        if len(received) and st.button(
            "Open received traces",
            key="trace_received",
            help="Sent to `python -m core spans serve`",
        ):
            with layout.mendable():
                opened_trace.show_received(received)
                st.rerun()


def choose_result() -> bool:
    """Offer the traces of a pipeline's file by question; return False if there is only one."""
    results, number = opened_trace.results()
    if len(results) < 2:
        return False
    key = "trace_result"
    st.session_state[key] = number

    def choose() -> None:
        opened_trace.show_results(results, st.session_state[key])

    st.selectbox(
        "Question",
        range(len(results)),
        key=key,
        format_func=lambda one: f"{one + 1:,} of {len(results):,}: {results[one].question}",
        label_visibility="collapsed",
        on_change=choose,
    )
    return True


def warn_incomplete() -> None:
    """Show a warning if a pipeline's spans lack documents."""
    results, number = opened_trace.results()
    if results and results[number].pipeline.is_incomplete:
        st.warning(f"{INCOMPLETE.format('Searches of this trace')}.")
