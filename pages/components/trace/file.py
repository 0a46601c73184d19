"""A trace from a file, in place of a question."""

import streamlit as st

from pages.components.shell import frame
from pages.components.shell.uploads import release
from pages.components.shell.visitor import visitor
from pages.components.trace import current as asked_trace


def trace_file() -> None:
    """Show the button that opens a trace, for editors only, and its errors."""
    if not visitor().may_edit:
        return
    with st.popover("Open a trace", key="trace_open"):
        given = st.file_uploader(
            "A trace file (.jsonl)", type=["jsonl", "json"], key="trace_upload"
        )
        if given is not None and st.session_state.get("trace_uploaded") != given.file_id:
            with frame.mendable():
                asked_trace.open_file(given.getvalue())
                st.session_state["trace_uploaded"] = given.file_id
                release([given])
                st.rerun()
