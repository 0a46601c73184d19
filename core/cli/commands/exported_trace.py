"""A retrieval to export, either from a stored trace or by running a question now."""

from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.commands.ask import trace_of
from core.cli.common import open_workbench, stored_index
from core.errors import InputError

if TYPE_CHECKING:
    from core.store.index import Index
    from core.traces import Trace


def story_page(trace: Path | None, index: str | None, question: str | None, spec: str) -> bytes:
    """Return the page that replays `trace`, or a retrieval of `question` by `spec`.

    Raises
    ------
    InputError : neither or both are given; the trace cannot be read, or is not of `index`.
    """
    from core.api.showing import story_of
    from core.funnel.lists import Lists

    kept = kept_trace(trace, index, question, spec)
    if index is None:
        return story_of(kept)
    lists = Lists(open_workbench(index))
    return story_of(kept, index=_unchanged_index(kept, index), lists=lists)


def kept_trace(trace: Path | None, index: str | None, question: str | None, spec: str) -> "Trace":
    """Return the trace in the file `trace`, or of `question` by the retriever `spec` over `index`.

    Raises
    ------
    InputError : neither or both are given, or the trace cannot be read.
    """
    if (trace is None) == (question is None):
        raise InputError("Use --trace FILE, or --question TEXT with --index.")
    if question is not None and index is None:
        raise InputError("Use --index to name the index for the question.")
    if index is not None and question is not None:
        return trace_of(question, index, spec)
    return _load_trace(trace)


def _load_trace(path: Path | None) -> "Trace":
    """Load a trace file; raise InputError if it cannot be read."""
    from core.traces import load

    try:
        return load(path.read_bytes() if path else b"")
    except OSError as error:
        raise InputError(f"Could not read {path}: {error.strerror}.") from error


def _unchanged_index(trace: "Trace", name: str) -> "Index":
    """Open the index `name`; raise InputError if it changed since the trace was recorded."""
    index = stored_index(name)
    if index.meta.graph_version != trace.graph_version:
        raise InputError(
            f"The trace was recorded with another version of the index {index.name}, which has "
            "changed since. Omit --index to use the trace alone, or use --question to run the "
            "query again."
        )
    return index
