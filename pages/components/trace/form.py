"""Where a trace comes from: the form with a question and its settings, or a file."""

import re
from dataclasses import replace

import streamlit as st

from core.retrievers.hoprag.walking import ENTRIES
from pages.components.ask.model_calls import HOW_TO_GET_IT
from pages.components.ask.wish import (
    CHOOSERS,
    LONGEST_QUESTION,
    MOST_HOPS,
    MOST_KEPT,
    USUAL_ENTRY,
    Ask,
)
from pages.components.shell import frame
from pages.components.trace import current as asked_trace

_HELP = {
    "chooser": "coverage follows edges that bring words of the question that the path does not "
    "have yet; similarity is the paper's walk along the most similar edge; llm is the paper's "
    "walk along the edge that a language model names",
    "entry": "where the walk starts: at the ends of similar edges (the paper), at similar "
    "passages, or at those that BM25 and similarity together rank first",
    "top_k": "passages that are kept at the end",
    "n_hop": "rounds over the queue",
}


def ask_form(now: Ask, index: str, *, with_model: bool) -> None:
    """The question and its settings; submitting asks it."""
    # An address may ask for a model where there is none; what comes of it says how to get one.
    choosers = [
        name for name in CHOOSERS if with_model or name in ("coverage", "similarity", now.chooser)
    ]
    for name in ("question", "chooser", "entry", "top_k", "n_hop"):
        st.session_state[f"ask_{name}"] = getattr(now, name)
    with (
        st.form("ask_form", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        st.text_input(
            "Question",
            key="ask_question",
            placeholder="Ask a question that needs more than one passage",
            label_visibility="collapsed",
            max_chars=LONGEST_QUESTION,
        )
        with st.popover(frame.literal(now.summary), key="ask_settings"):
            st.segmented_control(
                "Chooser", choosers, key="ask_chooser", required=True, help=_HELP["chooser"]
            )
            if not with_model:
                st.caption(HOW_TO_GET_IT)
            st.segmented_control(
                "Entry", ENTRIES, key="ask_entry", required=True, help=_HELP["entry"]
            )
            st.number_input("top_k", 1, MOST_KEPT, key="ask_top_k", help=_HELP["top_k"])
            st.number_input("Hops", 1, MOST_HOPS, key="ask_n_hop", help=_HELP["n_hop"])
        st.form_submit_button(
            "Ask", type="primary", key="ask_submit", on_click=_submit, args=(now, index)
        )


def ask_for(question: str, now: Ask, index: str) -> None:
    """Ask another question with the settings of `now`."""
    asked_trace.ask(replace(now, question=question), index)


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


def _submit(before: Ask, index: str) -> None:
    state = st.session_state
    chooser, entry = state["ask_chooser"], state["ask_entry"]
    if chooser != before.chooser and entry == before.entry:
        entry = USUAL_ENTRY[chooser]
    # Surrogates cannot be hashed or embedded, and no keyboard makes them.
    question = re.sub(r"[\ud800-\udfff]", "", state["ask_question"]).strip()
    asked_trace.ask(
        Ask(
            question,
            chooser,
            entry,
            state["ask_top_k"],
            state["ask_n_hop"],
        ),
        index,
    )
    state["ask_submitted"] = True
