"""Slices of a run as small multiples: a panel for each retriever, a row for each slice."""

from collections.abc import Sequence

import streamlit as st

from core.runs import Run
from core.runs.analysis.chain_slices import Slice
from core.text.display.question_types import named
from pages.components.evaluate.chart_panels import dots, show_panel
from pages.components.evaluate.column_names import badged
from pages.components.shell.retriever_colours import mark_tint_of

_BESIDE, _MOST = 4, 10
"""Panels in a row, and slices in a panel: those of most questions. The table has all."""
_EDGE = 165
"""Percent at the right edge, where the numbers stand."""


def slice_name(field: str, value: str) -> str:
    """Return the display text of a field's value."""
    return named(value) if field == "type" else value


def show_slice_panels(run: Run, field: str, found: Sequence[Slice], key: str) -> None:
    """Draw a mean with its interval for each slice; a click lists its questions."""
    largest = sorted(found, key=lambda each: -each.questions)[:_MOST]
    shown = [
        each
        for each in found
        if each in largest and any(one.mean is not None for one in each.by.values())
    ]
    rows = {each.value: f"{slice_name(field, each.value)} ({each.questions:,})" for each in shown}
    for first in range(0, len(run.retrievers), _BESIDE):
        columns = st.columns(
            min(_BESIDE, len(run.retrievers)), gap="small", vertical_alignment="bottom"
        )
        for retriever, column in zip(
            run.retrievers[first : first + _BESIDE], columns, strict=False
        ):
            marks = [
                {
                    "name": rows[each.value],
                    "said": f"{slice_name(field, each.value)}, {badged(retriever)}",
                    "retriever": retriever,
                    "field": field,
                    "slice": each.value,
                    "tint": mark_tint_of(retriever),
                    "value": here.mean,
                    "low": here.low,
                    "high": here.high,
                }
                for each in shown
                if (here := each.by.get(retriever)) and here.mean is not None
            ]
            if marks:
                chart = dots(
                    marks,
                    [*rows.values()],
                    ("retriever", "field", "slice"),
                    edge=_EDGE,
                )
                show_panel(badged(retriever), chart, column, f"{key}_{retriever}", len(rows))
