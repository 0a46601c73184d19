"""Build: how a job goes, and what an index is made of when it has ended."""

import shlex
from html import escape
from pathlib import PurePath

import pandas as pd
import streamlit as st

from core import jobs
from core.library import Listed
from core.store.meta import Meta
from pages.components.building.ceiling import show_ceiling, show_hubs
from pages.components.building.documents import show_documents
from pages.components.building.progress import show_job
from pages.components.building.report import report_of, show_questions, show_report
from pages.components.indexes import index_menu
from pages.components.shell import frame, nav, resources
from pages.components.shell.words import ago, count, duration

nav.guard()

CHUNKINGS = {"as-is": "as given", "paragraph": "by paragraph", "sentence": "by sentence"}


def show_built(entry: Listed, meta: Meta) -> None:
    """What was built, of what and by what, and where to go on from here."""
    made = meta.embedder
    facts = (
        f"built {ago(entry.finished_at)}" if entry.finished_at else "",
        f"in {duration(meta.seconds)}",
        f"passages {CHUNKINGS.get(meta.chunking, meta.chunking)}",
        f"pseudo-queries by {meta.maker or 'rules'}"
        + (
            f", for {count(meta.counts.fallbacks, 'passage')} by rules"
            * bool(meta.counts.fallbacks)
        ),
        f"{PurePath(made.name).name}, {made.dimension} dimensions, {made.precision}",
    )
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
        if st.button("Ask it", key="build_ask", type="primary"):
            nav.go("trace", index=entry.name)


def show_account(job: jobs.JobState) -> None:
    """What the last job left out of its files, and why."""
    left_out = job.rejected_count + job.duplicate_count
    if not left_out and not job.notes:
        return
    with st.expander(f"Left out of the files: {left_out:,}"):
        rows = [(each.name, each.reason) for each in job.rejected]
        rows += [(each.source, f"{each.id} has the text of {each.of}") for each in job.duplicates]
        if rows:
            st.dataframe(pd.DataFrame(rows, columns=["File", "Reason"]), hide_index=True)
        for note in job.notes:
            st.text(note)


frame.heading("Build", "How a build goes, and what it made: sizes, shape, questions, documents.")
entry = index_menu.need_index()
show_job(entry.path, "build")
if entry.job:
    show_account(entry.job)
locked = bool(entry.job and entry.job.running)

if entry.meta:
    if not (entry.job and (entry.job.running or entry.job.resumable)):
        show_built(entry, entry.meta)
    with frame.mendable():
        workbench = resources.workbench(entry.name)
        found = report_of(workbench)
        graph, reach, questions, documents = st.tabs(
            ["Graph", "Reach", "Pseudo-queries", "Documents"]
        )
        with graph:
            show_report(entry.name, found)
            show_hubs(workbench.index)
        with reach:
            show_ceiling(workbench)
        with questions:
            show_questions(workbench.index, found)
        with documents:
            show_documents(workbench.index, locked)
elif entry.job is None or entry.job.status == "finished":
    st.info(frame.literal(entry.problem))

path = shlex.quote(str(entry.path))
frame.same_from_shell(
    f"python -m core info --index {path}\n"
    f"python -m core ceiling --index {path} QUESTIONS.jsonl\n"
    f"python -m core add --index {path} FILE...\n"
    f"python -m core remove --index {path} --document ID..."
)
