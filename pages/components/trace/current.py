"""Which trace is looked at: one asked of an index, or one from a file; kept over pages.

The address names the question, its retriever and the step; a file has no address.
"""

from collections.abc import Sequence

import streamlit as st

from core.artefacts.workbench import Workbench
from core.counterfactual import parse, written
from core.errors import HopRagError, InputError
from core.pipelines import trace_of as trace_of_result
from core.pipelines import traces_of_file
from core.retrievers import Retriever, Spec, make
from core.spans import TracedResult
from core.spans.received import Received
from core.store.index import Index
from core.traces import FORMAT, Trace, load, record
from pages.components.ask import asked as asking
from pages.components.ask.model_calls import Gate
from pages.components.ask.views import PLACE
from pages.components.ask.wish import ADDRESS, AMEND, OLD, Ask
from pages.components.shell import resources

_FILE, _BEFORE, _IGNORED = "trace_file", "trace_before", "trace_ignored"
_RESULTS = "trace_results"


def open_file(data: bytes, name: str) -> None:
    """Look at the trace in `data` from now on, or at the newest one in spans of a pipeline.

    Raises
    ------
    InputError : it cannot be used.
    """
    own = FORMAT.encode() in data[:200]
    found = [] if own else traces_of_file(data, name)
    if found:
        show_results(found)
    else:
        show_trace(load(data))


def show_trace(trace: Trace) -> None:
    """Look at this trace from now on."""
    st.session_state.pop(_RESULTS, None)
    st.session_state[_FILE] = trace
    st.query_params.clear()


def show_received(received: Received) -> None:
    """Look at the newest trace that pipelines have sent, and offer the others.

    Raises
    ------
    InputError : none of them searches.
    """
    if not (found := received.results()):
        raise InputError("No received trace has a retriever or reranker. Send whole traces.")
    show_results(found)


def show_results(results: Sequence[TracedResult], number: int = 0) -> None:
    """Look at one of several traces of a pipeline from now on, over the index that is open."""
    name = resources.index_name()
    show_trace(trace_of_result(results[number], _index(name) if name else None))
    st.session_state[_RESULTS] = results, number


def results() -> tuple[Sequence[TracedResult], int]:
    """The traces of the pipeline that is looked at, and the number of the one that is."""
    found: tuple[Sequence[TracedResult], int] = st.session_state.get(_RESULTS, ((), 0))
    return found


def _index(name: str) -> Index | None:
    """The index of that name, if it can be opened."""
    try:
        return resources.workbench(resources.entry(name)).index
    except HopRagError:
        return None


def opened_file() -> Trace | None:
    """The trace from a file, unless the address has come to ask for something else."""
    if "q" in st.query_params:
        close_file()
    trace: Trace | None = st.session_state.get(_FILE)
    return trace


def close_file() -> None:
    st.session_state.pop(_FILE, None)
    st.session_state.pop(_RESULTS, None)


def ask(wanted: Ask, index: str) -> None:
    """Look at this question from now on."""
    close_file()
    asking.note(wanted, index)
    for name in PLACE:
        if name != "view":  # the next question is shown as this one is
            st.query_params.pop(name, None)
    _write_address(wanted)


def replay(wanted: Ask, before: Ask, index: str) -> None:
    """Look at this from now on, which `before` was turned into."""
    ask(wanted, index)
    st.session_state[_BEFORE] = index, wanted, before


def before(wanted: Ask, index: str) -> Ask | None:
    """What `wanted` was turned from with `replay`, in this session."""
    known: tuple[str, Ask, Ask] | None = st.session_state.get(_BEFORE)
    return known[2] if known and known[:2] == (index, wanted) else None


def change(wanted: Ask, index: str) -> None:
    """Look at the same question with other things chosen by hand; the film stays where it is."""
    asking.note(wanted, index)
    _write_address(wanted)


def asked(index: str, usual: Spec) -> Ask:
    """What the address asks `index`, or else what was asked last in this session.

    `usual` is asked where nobody is named. What cannot be used of the address is left out of it,
    and `ignored` says so from then on.
    """
    params = st.query_params.to_dict()
    if "q" in params:
        wanted, said = Ask.from_params(params, usual)
        asking.note(wanted, index)
        if said:
            st.session_state[_IGNORED] = wanted, said
        for name in params.keys() - {*ADDRESS}:
            del st.query_params[name]
    if not asking.was_asked(index):
        return Ask(spec=usual)
    known = asking.now(index)
    _write_address(known)
    return known


def ignored(wanted: Ask) -> tuple[str, ...]:
    """What was left out of the address that asked for `wanted`, and why."""
    about, said = st.session_state.get(_IGNORED, (None, ()))
    return said if about == wanted else ()


def retriever_of(workbench: Workbench, wanted: Ask) -> Retriever:
    """Who walks as `wanted` says; raises InputError if it needs a language model, and none is."""
    return make(wanted.spec, workbench.amended(wanted.amendments))


def trace_of(workbench: Workbench, wanted: Ask, gate: Gate) -> Trace:
    """The retrieval of `wanted`, computed once for a run and a version of the index."""
    index = workbench.index
    about = (str(index.path), index.meta.finished_at, wanted.question, str(wanted.spec))
    model = workbench.oracle.llm.asked_as if workbench.oracle else ""
    run = f"{gate.run} {wanted.spec.version}"
    return _computed(workbench, gate, *about, written(wanted.amendments), run, model)


@st.cache_resource(max_entries=60, show_spinner="Walking the graph…")
def _computed(
    _workbench: Workbench,
    _gate: Gate,
    path: str,  # noqa: ARG001 - a part of the cache's key, as are the next and the last two
    finished_at: str,  # noqa: ARG001
    question: str,
    retriever: str,
    by_hand: str,
    run: str,  # noqa: ARG001
    model: str,  # noqa: ARG001
) -> Trace:
    bench = _gate.opened(_workbench).amended(parse(by_hand))
    return record(make(retriever, bench), question, bench.index)


def _write_address(wanted: Ask) -> None:
    params = wanted.params()
    for name in (*OLD, AMEND):
        if name in st.query_params and name not in params:
            del st.query_params[name]
    for name, value in params.items():
        if st.query_params.get(name) != value:
            st.query_params[name] = value
