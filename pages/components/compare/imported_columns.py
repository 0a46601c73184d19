"""Columns of results that another pipeline made: of imported runs, or of spans that are open."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.artefacts.workbench import Workbench
from core.marks.store import question_key
from core.pipelines import Imported, imported_columns, imported_of, trace_of
from core.runs import Runs
from core.store.index import Index
from pages.components.ask import opened_trace
from pages.components.ask.imported_results import ImportedColumn

HOW = (
    "To compare with your own pipeline, import its results on Evaluate, or open its spans on Trace."
)
_CHOICE = "compare_imported"


def available(index: Index) -> list[ImportedColumn]:
    """Return the spans that are open, and the imported columns of all runs."""
    results = opened_trace.pipeline_results()
    opened = [ImportedColumn(results[0].pipeline.name)] if results else []
    columns = imported_columns(Runs(index.path))
    return [*opened, *(ImportedColumn(name, run.id) for run, name in columns)]


def found(column: ImportedColumn, question: str, index: Index) -> Imported | None:
    """Return the result of a pipeline for a question, or None if it has none.

    Raises
    ------
    InputError : the run is no longer there.
    """
    if column.run:
        return imported_of(Runs(index.path), column.run, column.name, question, index)
    key = question_key(question)
    results = (one for one in opened_trace.pipeline_results() if question_key(one.question) == key)
    result = next(results, None)
    return Imported(trace_of(result, index), has_steps=True) if result else None


def problem(column: ImportedColumn) -> str:
    """Return why a column has nothing for a question, and what to do."""
    if not column.run and not opened_trace.pipeline_results():
        return f"The spans of {column.name} are not open. Open their file on Trace."
    return f"{column.name} has no result for this question. Choose another question."


def choose(
    workbench: Workbench,
    chosen: Sequence[ImportedColumn],
    most: int,
    put: Callable[[Sequence[ImportedColumn]], None],
) -> None:
    """Show the imported columns; at most `most` can be selected."""
    options = list(dict.fromkeys([*chosen, *available(workbench.index)]))
    if not options:
        st.caption(HOW)
        return
    named = {run.id: run.name for run in Runs(workbench.index.path).all()}

    def label(one: ImportedColumn) -> str:
        where = named.get(one.run, "") if one.run else "open spans"
        return f"{one.name} ({where})" if where not in ("", one.name) else one.name

    st.session_state[_CHOICE] = list(chosen)
    st.multiselect(
        "Imported results",
        options,
        key=_CHOICE,
        format_func=label,
        max_selections=max(most, len(chosen)),
        placeholder="None",
        on_change=lambda: put(st.session_state[_CHOICE]),
    )
