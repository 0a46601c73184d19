"""Start: the sample, a corpus, an index, a trace; and the list of indexes."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import streamlit as st

from core import sample
from core.library import Listed
from core.settings import settings
from pages.components.building.progress import show_job
from pages.components.corpus import chosen_files
from pages.components.indexes.index_list import show_indexes
from pages.components.indexes.recent import show_recent
from pages.components.shell import acts, frame, nav, resources
from pages.components.shell.dialogs import close_dialog, is_open, open_dialog
from pages.components.shell.uploads import release
from pages.components.shell.visitor import visitor
from pages.components.shell.words import count
from pages.components.trace import current as asked_trace

nav.guard()

_WANTED = "start_sample_wanted"
_TRACE = "start_trace"
STILL = Path(__file__).parents[1] / "assets" / "start"


def open_sample() -> None:
    """On the Trace page, at the beginning of a question that shows what a hop finds."""
    st.session_state.pop(_WANTED, None)
    resources.select_index(sample.NAME)
    nav.go("trace", index=sample.NAME, q=next(iter(sample.suggested()), ""), stop="1")


def try_sample(built: Listed | None) -> None:
    """Open the index of that name, even a damaged one: it may hold what a person measured.

    Where there is none it is built, and the next run of the page follows the build.
    """
    if built and (built.meta or built.damaged):
        open_sample()
        return
    with frame.mendable():
        if not (built and built.job and built.job.running):
            acts.start(sample.build_job(settings().indexes, resources.chosen_embedder()))
        st.session_state[_WANTED] = True
        st.rerun()


@st.dialog("Open a trace file", on_dismiss=close_dialog)
def open_trace() -> None:
    st.text("A retrieval that was saved on the Trace page, here or on another machine.")
    file = st.file_uploader("Trace file (.jsonl)", key="start_trace_file")
    if file:
        with frame.mendable():
            asked_trace.open_file(file.getvalue())
            release([file])
            close_dialog()
            nav.go("trace")


def card(
    key: str,
    title: str,
    text: str,
    button: str,
    act: Callable[[], None],
    kind: Literal["primary", "secondary"] = "secondary",
    disabled: bool = False,
) -> None:
    """A thing to begin with: what it is, and the button that does it."""
    with st.container(border=True, height="stretch", key=f"start_card_{key}"):
        st.html(f"<h3>{title}</h3><p>{text}</p>", width="stretch")
        if st.button(button, key=f"start_{key}", type=kind, disabled=disabled, width="stretch"):
            act()


def show_still() -> None:
    """Before there is an index: what a film looks like, and how HopRAG works."""
    # A component, since Streamlit takes drawings out of HTML.
    html = (
        f"<figure class='hop-first'>{(STILL / 'still.svg').read_text('utf-8')}<figcaption>"
        "<b>How HopRAG works.</b> It starts at the passages nearest to the question and follows "
        "edges, each a question that one passage raises and another answers, until it holds what "
        "no search for the question alone would find.</figcaption></figure>"
    )
    css = (STILL / "still.css").read_text("utf-8")
    st.components.v2.component("hop_still", html=html, css=css)(key="start_still")
    st.caption("No index yet. The sample makes one, and so does a corpus.")


frame.heading(
    "HopRAG Explorer",
    "Build a graph of passages joined by questions, walk it hop by hop, and see where a retrieval "
    "loses what it should have found.",
)
entries = resources.entries()
chosen_files.sweep()
finished = [entry for entry in entries if entry.meta]
found = next((entry for entry in entries if entry.name == sample.NAME), None)
last = finished[0] if finished else None
may_edit = visitor().may_edit

cards = st.columns(4)
sample_is_built = bool(found and found.meta)
with cards[0]:
    card(
        "sample",
        "The sample" if sample_is_built else "Try the sample",
        "Small connected worlds, with questions that take several hops. No key and no network.",
        "Open the sample" if sample_is_built else "Try the sample",
        lambda: try_sample(found),
        kind="primary",
        disabled=not (may_edit or sample_is_built),
    )
with cards[1]:
    card(
        "corpus",
        "Upload a corpus",
        "Your own documents, or a known data set with its questions and gold passages.",
        "Choose files",
        lambda: nav.go("corpus"),
        disabled=not may_edit,
    )
with cards[2]:
    card(
        "last",
        "Open an index",
        "Go on with the one that changed last, or choose another from the list below.",
        "Open the last index",
        lambda: nav.go("trace", index=last.name if last else ""),
        disabled=last is None,
    )
with cards[3]:
    card(
        "trace",
        "Open a trace file",
        "Play a retrieval that somebody saved. It needs no index and no embedder.",
        "Choose a file",
        lambda: open_dialog(_TRACE),
        disabled=not may_edit,
    )
if is_open(_TRACE) and may_edit:
    open_trace()

if st.session_state.get(_WANTED):
    if found and found.meta and not (found.job and (found.job.running or found.job.resumable)):
        open_sample()
    show_job(settings().indexes / sample.NAME, "start_sample")

if entries:
    with st.container(key="start_below"):
        indexes, recent = st.columns([5, 3], gap="medium")
    with indexes:
        st.html(f"<h2 class='hop-section'>{count(len(entries), 'index', 'indexes')}</h2>")
        show_indexes(entries)
    with recent:
        show_recent(entries)
else:
    show_still()

frame.same_from_shell(
    "python -m core build assets/sample/corpus.jsonl assets/sample/questions.jsonl --index sample\n"
    'python -m core ask "QUESTION" --index sample --retriever hoprag-coverage'
)
