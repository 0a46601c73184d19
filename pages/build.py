"""Build: the progress of a job, and a report on the finished index."""

import shlex
from html import escape

import pandas as pd
import streamlit as st

from core import jobs
from core.library import catalogue
from core.library.catalogue import Listed
from core.places import Place
from core.settings import settings
from core.store.metadata import Meta
from core.text.display.plurals import counted
from pages.components.ask.questions.suggested_questions import suggestion_chips
from pages.components.building.build_report import (
    report_of,
    show_gold_mapping,
    show_notices,
    show_questions,
    show_report,
    show_sparse,
    show_supplied,
)
from pages.components.building.ceiling import show_ceiling, show_hubs
from pages.components.building.documents import show_documents
from pages.components.building.job_progress import build_anew_button, show_job
from pages.components.building.rule_based_passages import show_by_rules, show_unextracted
from pages.components.corpus.index_description import made_with
from pages.components.indexes import index_menu
from pages.components.indexes.health import show_health
from pages.components.passages.unmatched_marks import show_unsettled
from pages.components.shell import layout, nav, resources
from pages.components.shell.formatting import ago, duration
from pages.components.shell.visitors.visitor import shown
from pages.components.trace.edit_effects import show_edits

nav.guard()

CHANGED = {
    "build": "built",
    "add": "documents added",
    "remove": "documents removed",
    "edit": "edited",
}
"""What the last job did to the index."""


def show_built(entry: Listed, meta: Meta) -> None:
    """Show what was built and how, and links to the next steps."""
    facts = (_changed(entry), *made_with(meta))
    with (
        st.container(border=True, key="build_done"),
        st.container(horizontal=True, vertical_alignment="center", wrap=False),
    ):
        st.html(
            f"<div class='hop-index'><strong dir='auto'>{escape(entry.name)}</strong>"
            f"<p>{escape(' · '.join(filter(None, facts)))}</p></div>",
            width="stretch",
        )
        if st.button("Explore it", key="build_explore"):
            nav.go("explore", index=entry.name)
        if st.button("Ask a question", key="build_ask", type="primary"):
            nav.go("trace", index=entry.name)


def _changed(entry: Listed) -> str:
    """Return `built 3 minutes ago in 12 s`, where the duration is that of the job."""
    if not entry.finished_at:
        return ""
    last = entry.job
    done = CHANGED.get(last.job.kind) if last and last.job else None
    if last is None or done is None:
        return f"built {ago(entry.finished_at)}"
    took = (last.last_progress_at - last.started_at).total_seconds()
    if last.added is not None:
        done = last.added.told()
    return f"{done} {ago(entry.finished_at)} in {duration(took)}"


def follow_job_of_address() -> Place | None:
    """Show the last job of the index in the address, and return its place.

    It is drawn first, because listing all indexes takes longer.
    """
    name, root = resources.index_name(), settings().indexes
    if name is None or not catalogue.holds(root, name):
        return None
    show_job(root / name, "build")
    return root / name


def show_account(job: jobs.JobState) -> None:
    """Show how the last job split documents, and what it left out and why."""
    if job.cut:
        st.caption(layout.literal(" ".join(job.cut)))
    if left_out := job.rejected_count + job.duplicate_count:
        with st.expander(f"Skipped items ({left_out:,})"):
            rows = [(each.name, each.reason) for each in job.rejected]
            alike = (
                (each.source, f"{each.id} repeats the text of {each.of}") for each in job.duplicates
            )
            st.dataframe(pd.DataFrame([*rows, *alike], columns=["File", "Reason"]), hide_index=True)
    if job.notes:
        with st.expander(counted(len(job.notes), "note on the files", "notes on the files")):
            for note in job.notes:
                st.text(note)


layout.heading("Build", "Check the graph, the pseudo-queries and the documents of an index.")
followed = follow_job_of_address()
entry = index_menu.need_index()
if entry.path != followed:
    show_job(entry.path, "build")
locked = bool(entry.job and entry.job.running)
settled = not (entry.job and (entry.job.running or entry.job.resumable))
if entry.meta and settled:
    show_built(entry, entry.meta)
if entry.job:
    show_account(entry.job)

if entry.meta:
    with layout.mendable():
        workbench = resources.workbench(entry)
        if settled and (question := suggestion_chips(workbench.index)):
            nav.go("trace", index=entry.name, q=question)
        show_health(entry)
        show_edits(workbench.index)
        if settled:
            show_unsettled(workbench.index, place="build")
        found = report_of(workbench)
        if settled:
            show_supplied(entry.meta)
            show_unextracted(workbench, locked=locked)
            show_sparse(found)
            show_notices(found)
            show_gold_mapping(workbench.index)
        why = entry.job.missed if entry.job else {}
        show_by_rules(workbench, found.by_rules, why, locked=locked)
        graph, reach, questions, documents = st.tabs(
            ["Graph", "Reach", "Pseudo-queries", "Documents"]
        )
        with graph:
            show_report(workbench.index, found, entry.job.dropped if entry.job else 0)
            show_hubs(workbench.index)
        with reach:
            show_ceiling(workbench)
        with questions:
            show_questions(workbench.index, found)
        with documents:
            show_documents(workbench.index, locked)
elif entry.damaged or entry.job is None or entry.job.status == "finished":
    st.info(layout.literal(shown(entry.problem)))
    if entry.job is None or entry.job.status == "finished":
        build_anew_button(entry.path, "build_anew")

path = shlex.quote(str(entry.path))
layout.show_equivalent_command(
    f"python -m core info --index {path}\n"
    f"python -m core ceiling --index {path} QUESTIONS.jsonl\n"
    f"python -m core add --index {path} FILE...\n"
    f"python -m core remove --index {path} --document ID..."
)
