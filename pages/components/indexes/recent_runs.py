"""The newest runs, and questions to try on the sample, beside the list of indexes."""

from collections.abc import Callable, Sequence
from datetime import datetime
from html import escape

import streamlit as st

from core.errors import HopRagError
from core.library.catalogue import Listed
from core.retrievers import Spec
from core.runs import Run, Runs
from core.shipping import sample
from core.text.display import plurals
from pages.components.shell import layout, nav, resources
from pages.components.shell.formatting import ago

MOST = 4
"""Runs, and questions."""
_NAMED = 4  # retrievers of a run; of more only the number is said


def show_questions(open_: Callable[[str], None], *, disabled: bool) -> None:
    """Draw sample questions that benefit most from hops; `open_` receives the pressed one."""
    st.html("<h2 class='hop-section'>Questions to try on the sample</h2>")
    for number, question in enumerate(sample.suggested()[:MOST]):
        label = layout.literal(question)
        if st.button(label, key=f"start_ask_{number}", disabled=disabled, width="stretch"):
            open_(question)


def show_runs(entries: Sequence[Listed]) -> None:
    """Draw the newest runs of all indexes."""
    ready = [entry for entry in entries if entry.meta]
    found = [(run, entry.name) for entry in ready for run in runs_of(entry)]
    found.sort(key=lambda one: one[0].made_at, reverse=True)
    st.html("<h2 class='hop-section'>Recent runs</h2>")
    if not found:
        st.caption(
            "No runs yet. On Evaluate, run every question in this index against one or "
            "more retrievers."
        )
    for run, index in found[:MOST]:
        with (
            st.container(border=True, key=f"start_run_{run.id}"),
            st.container(horizontal=True, vertical_alignment="center", wrap=False),
        ):
            st.html(_run_html(run, index), width="stretch")
            if st.button("Open", key=f"start_open_run_{run.id}"):
                resources.select_index(index)
                nav.go("evaluate", index=index, run=run.id)


def runs_of(entry: Listed) -> list[Run]:
    """Return the runs of an index; none if they cannot be read, which its own page explains."""
    try:
        return Runs(entry.path).all()
    except HopRagError:
        return []


def _run_html(run: Run, index: str) -> str:
    """Return a run as HTML: name, index, number of questions, retrievers and age."""
    specs = [Spec.known(name) for name in run.retrievers]
    titles = [spec.card.title for spec in specs if spec]
    asked = "; ".join(titles) if len(titles) <= _NAMED else plurals.number(len(titles), "retriever")
    facts = [index, plurals.number(run.questions, "question"), asked]
    facts.append(ago(datetime.fromisoformat(run.made_at)))
    return (
        f"<div class='hop-index'><strong dir='auto'>{escape(run.name)}</strong>"
        f"<p dir='auto'>{escape(' · '.join(filter(None, facts)))}</p></div>"
    )
