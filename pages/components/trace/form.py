"""Where a trace comes from: a question and whom it is asked of, or a file."""

import re

import streamlit as st

from pages.components.ask.choice import choice, draft
from pages.components.ask.wish import LONGEST_QUESTION, Ask
from pages.components.shell import frame
from pages.components.trace import current as asked_trace

_QUESTION, _FILLED = "ask_question", "ask_filled"


def ask_form(now: Ask, asked: Ask, index: str, *, with_model: bool) -> None:
    """The question, and beside it its retriever; submitting asks `now` a question.

    `asked` is what was asked last. What is being typed stays while the retriever is chosen.
    """
    state = st.session_state
    if state.get(_FILLED) != asked or _QUESTION not in state:
        state[_FILLED], state[_QUESTION] = asked, asked.question
    with (
        st.form("ask_form", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        st.text_input(
            "Question",
            key=_QUESTION,
            placeholder="Ask a question that needs more than one passage",
            label_visibility="collapsed",
            max_chars=LONGEST_QUESTION,
        )
        st.form_submit_button(
            "Ask", type="primary", key="ask_submit", on_click=_submit, args=(now, index)
        )
    choice(now.spec, asked.spec, with_model=with_model)


def ask_for(question: str, now: Ask, index: str) -> None:
    """Ask another question with the settings of `now`."""
    # The draft as it is now: a widget may have changed it on the way to the button.
    asked_trace.ask(Ask(question, draft(now.spec)), index)


def trace_file() -> None:
    """A trace from a file, in place of a question; errors show here."""
    with st.popover("Open a trace", key="trace_open"):
        given = st.file_uploader(
            "A trace file (.jsonl)", type=["jsonl", "json"], key="trace_upload"
        )
        if given is not None and st.session_state.get("trace_uploaded") != given.file_id:
            with frame.mendable():
                asked_trace.open_file(given.getvalue())
                st.session_state["trace_uploaded"] = given.file_id
                st.rerun()


def _submit(now: Ask, index: str) -> None:
    # Surrogates cannot be hashed or embedded, and no keyboard makes them.
    question = re.sub(r"[\ud800-\udfff]", "", st.session_state[_QUESTION]).strip()
    # The draft as it is now: a widget may have changed it on the way to the button.
    asked_trace.ask(Ask(question, draft(now.spec)), index)
