"""Start: a guided tour, the indexes, and recent runs."""

from collections.abc import Callable
from typing import Literal

import streamlit as st

from core.library.catalogue import Listed
from core.settings import settings
from core.shipping import sample
from core.text.display.plurals import number
from core.tour.making import WALK as TOUR_WALK
from pages.components.ask import opened_trace
from pages.components.building.job_progress import show_job
from pages.components.corpus import chosen_files
from pages.components.evaluate.result_import import open_import
from pages.components.indexes.index_list import show_indexes
from pages.components.indexes.recent_runs import show_questions, show_runs
from pages.components.shell import layout, nav, resources
from pages.components.shell.actions import index_actions
from pages.components.shell.visitors.uploads import release
from pages.components.shell.visitors.visitor import visitor
from pages.components.shell.widgets.dialogs import close_dialog, is_open, open_dialog
from pages.components.start.tour import show_tour
from pages.components.trace.trace_file import SPANS

nav.guard()

_WANTED = "start_sample_wanted"
_TRACE = "start_trace"


def open_sample(question: str = "") -> None:
    """Open Trace at the first step of a question of the sample.

    The default is the tour's question, whose evidence needs a hop.
    """
    st.session_state.pop(_WANTED, None)
    resources.select_index(sample.NAME)
    tour = {"q": next(iter(sample.suggested()), ""), "retriever": str(TOUR_WALK)}
    asked = {"q": question} if question else tour
    nav.go("trace", index=sample.NAME, **asked, stop="1")


def try_sample(built: Listed | None, question: str = "") -> None:
    """Open the index of that name, even if damaged: it may contain a person's runs.

    If there is none, the ready-made sample is unpacked. For another embedder it is built, and the
    page's next run follows the build.
    """
    if built and (built.meta or built.damaged):
        open_sample(question)
        return
    with layout.mendable():
        if not built and index_actions.install_sample(
            settings().indexes, resources.chosen_embedder()
        ):
            open_sample(question)
            return
        if not (built and built.job and built.job.running):
            index_actions.start(sample.build_job(settings().indexes, resources.chosen_embedder()))
        st.session_state[_WANTED] = question
        st.rerun()


@st.dialog("Open a trace file", on_dismiss=close_dialog)
def open_trace() -> None:
    """Draw the upload of a trace file, and open the trace."""
    st.text("A retrieval saved on the Trace page, or spans from your own pipeline.")
    file = st.file_uploader("Trace file (.jsonl)", key="start_trace_file", help=SPANS)
    if file:
        with layout.mendable():
            opened_trace.open_file(file.getvalue(), file.name)
            release([file])
            close_dialog()
            nav.go("trace")


def action(
    key: str,
    label: str,
    hint: str,
    act: Callable[[], None],
    icon: str,
    kind: Literal["primary", "secondary"] = "secondary",
    disabled: bool = False,
) -> None:
    """Draw a button that runs `act`."""
    pressed = st.button(
        label,
        key=f"start_{key}",
        icon=icon,
        type=kind,
        disabled=disabled,
        help=hint,
        width="stretch",
    )
    if pressed:
        act()


def test_pipeline() -> None:
    """Open the import of results on Evaluate, or without an index the page about pipelines."""
    if may_edit and any(entry.meta for entry in entries):
        open_import()
        nav.go("evaluate")
    else:
        nav.go("help", topic="custom-retrievers")


layout.heading(
    "HopRAG Explorer",
    "See why a multi-hop retriever finds or misses a passage.",
)
entries = resources.entries()
chosen_files.sweep()
found = next((entry for entry in entries if entry.name == sample.NAME), None)
may_edit = visitor().may_edit

sample_is_built = bool(found and found.meta)
with st.container(key="start_actions"):
    columns = st.columns(4)
with columns[0]:
    action(
        "sample",
        "Open the sample" if sample_is_built else "Try the sample",
        ("An invented country, with questions that take several hops. Needs no key or network."),
        lambda: try_sample(found),
        icon=":material/play_circle:",
        kind="primary",
        disabled=not (may_edit or sample_is_built),
    )
with columns[1]:
    action(
        "corpus",
        "Use your own documents",
        "Upload documents, or a known data set with its questions and gold evidence.",
        lambda: nav.go("corpus"),
        icon=":material/upload_file:",
        disabled=not may_edit,
    )
with columns[2]:
    action(
        "pipeline",
        "Test your own pipeline",
        "Import its results or spans, or name its retriever: see which evidence it misses and why.",
        test_pipeline,
        icon=":material/cable:",
    )
with columns[3]:
    action(
        "trace",
        "Open a trace file",
        "A saved retrieval. Needs no index or embedder.",
        lambda: open_dialog(_TRACE),
        icon=":material/route:",
        disabled=not may_edit,
    )
if is_open(_TRACE) and may_edit:
    open_trace()

if _WANTED in st.session_state:
    if found and found.meta and not (found.job and (found.job.running or found.job.resumable)):
        open_sample(st.session_state[_WANTED])
    show_job(settings().indexes / sample.NAME, "start_sample")

with st.container(key="start_main"):
    tour, beside = st.columns([7, 3], gap="medium")
with tour:
    if page := show_tour():
        nav.go(page)
with beside:
    if entries:
        st.html(f"<h2 class='hop-section'>{number(len(entries), 'index')}</h2>")
        show_indexes(entries)
        show_runs(entries)
    if sample_is_built or not entries:
        show_questions(
            lambda question: try_sample(found, question),
            disabled=not (may_edit or sample_is_built),
        )

layout.show_equivalent_command(
    "python -m core build assets/sample/corpus.jsonl assets/sample/questions.jsonl --index sample\n"
    'python -m core ask "QUESTION" --index sample --retriever hoprag-coverage'
)
resources.preload_embedder()  # after the page is drawn, which it would delay
