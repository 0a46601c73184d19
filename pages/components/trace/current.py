"""Which trace is looked at: one asked of an index, or one from a file; kept over pages.

The address names the question, its retriever and the step; a file has no address.
"""

from collections.abc import Mapping
from typing import get_args

import streamlit as st

from core.artefacts.workbench import Workbench
from core.playback import Grain
from core.retrievers import Retriever, make
from core.store.index import Index
from core.traces import Trace, load, record
from pages.components.ask.wish import OLD, Ask
from pages.components.trace import player

_ASK, _INDEX, _FILE = "trace_ask", "trace_index", "trace_file"


def open_file(data: bytes) -> None:
    """Look at the trace in `data` from now on; raises InputError when it cannot be used."""
    st.session_state[_FILE] = load(data)
    st.query_params.clear()
    player.place_at(None)


def opened_file() -> Trace | None:
    """The trace from a file, unless the address has come to ask for something else."""
    if "q" in st.query_params:
        close_file()
    trace: Trace | None = st.session_state.get(_FILE)
    return trace


def close_file() -> None:
    st.session_state.pop(_FILE, None)


def ask(wanted: Ask, index: str) -> None:
    """Look at this question; the step is the last one."""
    close_file()
    st.session_state[_ASK], st.session_state[_INDEX] = wanted, index
    player.place_at(None)
    _write_address(wanted)


def asked(index: str) -> Ask:
    """What the address asks `index`, or else what was asked last in this session.

    Raises
    ------
    InputError : the address has a retriever or a setting that there is not.
    """
    known: Ask | None = st.session_state.get(_ASK)
    if st.session_state.get(_INDEX) != index:
        known = None
    params = st.query_params.to_dict()
    if "q" in params and (wanted := Ask.from_params(params)) != known:
        known = wanted
        st.session_state[_ASK], st.session_state[_INDEX] = wanted, index
        player.place_at(_step(params), _grain(params))
    if known is None:
        return Ask()
    _write_address(known)
    return known


def was_asked(index: str) -> bool:
    """Whether anything was asked of `index`, were it an empty question."""
    return _ASK in st.session_state and st.session_state.get(_INDEX) == index


def retriever_of(workbench: Workbench, wanted: Ask) -> Retriever:
    """Raises InputError if it needs a language model and there is none."""
    return make(wanted.spec, workbench)


def trace_of(workbench: Workbench, wanted: Ask, run: str = "") -> Trace:
    """The retrieval of `wanted`, computed once for a `run` and a version of the index."""
    index = workbench.index
    about = (str(index.path), index.meta.finished_at, wanted.question, str(wanted.spec))
    return _computed(workbench, *about, run)


def gold_of(index: Index, question: str) -> tuple[str, ...]:
    """Gold of `question` as the index knows it."""
    return next((query.gold for query in index.questions if query.text == question), ())


def write_step(t: int, grain: Grain) -> None:
    """Keep the step in the address."""
    if st.query_params.get("t") != str(t):
        st.query_params["t"] = str(t)
    if st.query_params.get("grain") != grain:
        st.query_params["grain"] = grain


@st.cache_resource(max_entries=60, show_spinner="Walking the graph…")
def _computed(
    _workbench: Workbench,
    path: str,  # noqa: ARG001 - a part of the cache's key, as are the next and the last
    finished_at: str,  # noqa: ARG001
    question: str,
    retriever: str,
    run: str,  # noqa: ARG001
) -> Trace:
    gold = gold_of(_workbench.index, question)
    return record(make(retriever, _workbench), question, _workbench.index, gold)


def _write_address(wanted: Ask) -> None:
    for name in OLD:
        if name in st.query_params:
            del st.query_params[name]
    for name, value in wanted.params().items():
        if st.query_params.get(name) != value:
            st.query_params[name] = value


def _step(params: Mapping[str, str]) -> int | None:
    text = params.get("t", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


def _grain(params: Mapping[str, str]) -> Grain | None:
    written = params.get("grain")
    wanted = "round" if written == "hop" else written  # as an address of old has it
    return next((one for one in get_args(Grain) if one == wanted), None)
