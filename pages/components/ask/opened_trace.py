"""The opened trace: from a file, an imported run or a pipeline's spans.

The session stores it. A pipeline's traces are available to Compare until they are closed.
"""

from collections.abc import Sequence

import streamlit as st

from core.errors import HopRagError, InputError
from core.pipelines import trace_of, traces_of_file
from core.spans import TracedResult
from core.spans.received import Received
from core.store.index import Index
from core.traces import FORMAT, Trace, load
from pages.components.ask.imported_results import ImportedColumn
from pages.components.shell import resources

_FILE, _RESULTS, _PIPELINE = "trace_file", "trace_results", "trace_pipeline"
_COLUMN = "trace_column"


def open_file(data: bytes, name: str) -> None:
    """Open the trace in `data`, or the newest trace in a pipeline's spans.

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


def show_trace(trace: Trace, column: str = "") -> None:
    """Make `trace` the opened trace.

    Parameters
    ----------
    column : as which Compare shows it (`pages.components.compare.imported_columns`), if it can.
    """
    st.session_state.pop(_RESULTS, None)
    st.session_state[_FILE], st.session_state[_COLUMN] = trace, column
    st.query_params.clear()


def show_received(received: Received) -> None:
    """Open the newest trace that pipelines have sent, and offer the others.

    Raises
    ------
    InputError : none of them searches.
    """
    if not (found := received.results()):
        raise InputError(
            "None of the received traces contains a retriever or reranker "
            "span. Send complete traces."
        )
    show_results(found)


def show_results(results: Sequence[TracedResult], number: int = 0) -> None:
    """Open one of several traces of a pipeline, over the current index."""
    name = resources.index_name()
    pipeline = results[number].pipeline.name
    trace = trace_of(results[number], _index(name) if name else None)
    show_trace(trace, str(ImportedColumn(pipeline)))
    st.session_state[_RESULTS] = results, number
    st.session_state[_PIPELINE] = results


def results() -> tuple[Sequence[TracedResult], int]:
    """Return the traces of the current pipeline, and the number of the current one."""
    found: tuple[Sequence[TracedResult], int] = st.session_state.get(_RESULTS, ((), 0))
    return found


def pipeline_results() -> Sequence[TracedResult]:
    """Return the traces of the pipeline that was opened last, whatever trace is open now."""
    found: Sequence[TracedResult] = st.session_state.get(_PIPELINE, ())
    return found


def column() -> str:
    """Return the key of the Compare column that shows the opened trace; empty if there is none."""
    return str(st.session_state.get(_COLUMN, ""))


def _index(name: str) -> Index | None:
    """Return the index of that name, if it can be opened."""
    try:
        return resources.workbench(resources.entry(name)).index
    except HopRagError:
        return None


def opened_file() -> Trace | None:
    """Return the opened trace, unless the address names another request."""
    if "q" in st.query_params:
        close_file()
    trace: Trace | None = st.session_state.get(_FILE)
    return trace


def close_file() -> None:
    for name in (_FILE, _RESULTS, _COLUMN):
        st.session_state.pop(name, None)


def forget_file() -> None:
    """Close the trace; Compare no longer offers its pipeline."""
    close_file()
    st.session_state.pop(_PIPELINE, None)
