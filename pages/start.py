"""Start: the sample, a corpus, an index, a trace; and the list of indexes."""

from collections.abc import Callable

import streamlit as st

from core import jobs, library, sample
from core.library import Entry
from core.settings import settings
from core.traces import load
from pages.components import frame, nav, resources
from pages.components.build_progress import show_job
from pages.components.index_list import show_indexes
from pages.components.words import count

nav.guard()

_WANTED = "start_sample_wanted"


def open_sample() -> None:
    """On the Trace page, with a question that shows what a hop finds."""
    st.session_state.pop(_WANTED, None)
    resources.select_index(sample.NAME)
    nav.go("trace", index=sample.NAME, q=sample.suggested()[0])


def try_sample(built: Entry | None) -> None:
    if built and built.meta:
        open_sample()
    with frame.mendable():
        if not (built and built.job and built.job.running):
            jobs.start(sample.build_job(settings().indexes, resources.chosen_embedder()))
        st.session_state[_WANTED] = True
        st.rerun()


@st.dialog("Open a trace file")
def open_trace() -> None:
    st.text("A retrieval that was saved on the Trace page, here or on another machine.")
    file = st.file_uploader("Trace file (.jsonl)", key="start_trace_file")
    if file:
        with frame.mendable():
            st.session_state["loaded_trace"] = load(file.getvalue())
            nav.go("trace")


def card(title: str, text: str, button: str, key: str, act: Callable[[], None], *, first: bool,
         disabled: bool = False) -> None:  # fmt: skip
    with st.container(border=True, height="stretch", key=f"start_card_{key}"):
        st.html(f"<h3>{title}</h3><p>{text}</p>", width="stretch")
        kind = "primary" if first else "secondary"
        if st.button(button, key=f"start_{key}", type=kind, disabled=disabled, width="stretch"):
            act()


frame.heading(
    "HopRAG Explorer",
    "Build a graph of passages joined by questions, walk it hop by hop, and see where a retrieval "
    "loses what it should have found.",
)
entries = library.entries(settings().indexes)
finished = [entry for entry in entries if entry.meta]
found = next((entry for entry in entries if entry.name == sample.NAME), None)
last = finished[0] if finished else None

cards = st.columns(4)
with cards[0]:
    card(
        "Try the sample",
        "Five small worlds with questions that take several hops. No key, no network; built in "
        "seconds.",
        "Try the sample",
        "sample",
        lambda: try_sample(found),
        first=True,
    )
with cards[1]:
    card(
        "Upload a corpus",
        "Your own documents, or a known data set with its questions and gold passages.",
        "Choose files",
        "corpus",
        lambda: nav.go("corpus"),
        first=False,
    )
with cards[2]:
    card(
        "Open an index",
        "Go on with the one that changed last, or choose another from the list below.",
        "Open the last one",
        "last",
        lambda: nav.go("trace", index=last.name if last else ""),
        first=False,
        disabled=last is None,
    )
with cards[3]:
    card(
        "Open a trace file",
        "Play a retrieval that somebody saved. It needs no index and no embedder.",
        "Choose a file",
        "trace",
        open_trace,
        first=False,
    )

if st.session_state.get(_WANTED):
    show_job(settings().indexes / sample.NAME, "start_sample", open_sample)

if entries:
    st.html(f"<h2 class='hop-section'>{count(len(entries), 'index', 'indexes')}</h2>")
    show_indexes(entries)
else:
    st.caption("No index yet. The sample makes one, and so does a corpus.")

frame.same_from_shell(
    "python -m core build assets/sample/corpus.jsonl assets/sample/questions.jsonl --index sample\n"
    'python -m core ask "QUESTION" --index sample --retriever hoprag-coverage'
)
