"""The tables and charts of a study; every number of a table opens its questions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.studies import Line, Paper, Results, Table, Variant, View, paper_table, table_of
from core.studies.definition import COSTS
from core.studies.graphs import COLUMNS, graph_rows
from core.studies.naming import LABELS, amount, headed, label_of, titled, with_titles, written
from core.studies.series import Point, bars, curve, heat, pareto
from core.studies.table import PaperTable, decimals_of, grouped
from pages.components.shell import layout
from pages.components.shell.charts import show_chart
from pages.components.shell.client_input.selections import selected_cell
from pages.components.shell.figures import section
from pages.components.shell.glossary import hint
from pages.components.studies import charts
from pages.components.studies.question_links import go_to_questions

_ROW, _HEAD, _MOST = 35, 37, 40
_NARROWEST, _PADDING, _CHARACTER = 62, 18, 7
"""Pixels of a column of numbers, and of its label."""
HERE = "This study"
"""The head of the columns of a published table that are the study's own."""
INTERVALS = "studies_intervals"
"""The key of the switch that shows intervals in tables."""
_OPEN = "studies_open"
Place = tuple[Line, str, str, str]
"""What a cell leads to: line, measure, field and group."""

_POINTS: Mapping[str, Callable[[Results, View, str], list[Point]]] = {
    "curve": curve,
    "bars": bars,
    "pareto": pareto,
    "heat": heat,
}


def show_view(
    results: Results, variants: Sequence[Variant], view: View, key: str, *, switch: bool = False
) -> None:
    """Show a table, or a chart of each measure with its numbers below.

    Parameters
    ----------
    switch : whether the switch of intervals stands above the table.
    """
    _open_pressed()
    section(view.title or _title(with_titles(view, results.study.retrievers)))
    if switch:
        st.toggle("Intervals", key=INTERVALS, value=True)
    if view.kind == "graph":
        _show_graphs(variants)
    elif view.kind == "table":
        _show_table(results, view, key)
    else:
        _show_charts(results, view, key)


def _title(view: View) -> str:
    """Return the heading of a table or chart."""
    over = f" over {view.over}" if view.over else ""
    by = f" by {view.by}" if view.by else ""
    named = {
        "table": f"Results{by}",
        "graph": "Indexes",
        "curve": f"Measures{over}",
        "bars": f"Measures{by}",
        "pareto": f"Measures against {LABELS[view.against].lower()}",
        "heat": f"{view.over} and {view.rows}",
    }
    return named[view.kind]


def _show_table(results: Results, view: View, key: str) -> None:
    """Draw a table of measures with the best values in bold; a number lists its questions."""
    table = table_of(results, view)
    spread = bool(st.session_state.get(INTERVALS, True))
    heads = [headed(head) for head in table.heads]
    rows = [
        {
            "Retriever": label_of(row.line),
            **{
                name: written(cell, head.measure) if spread else amount(cell, head.measure)
                for name, head, cell in zip(heads, table.heads, row.cells, strict=True)
            },
        }
        for row in table.rows
    ]
    places: list[dict[str, Place]] = [
        {
            name: (row.line, head.measure, view.by, head.group)
            for name, head in zip(heads, table.heads, strict=True)
        }
        for row in table.rows
    ]
    frame_ = pd.DataFrame(rows, columns=["Retriever", *heads])
    _selectable_table(
        frame_.style.apply(_bold, axis=None, table=table), len(rows), places, key, heads
    )
    first = table.rows[0].cells[0].n if table.rows and table.heads else 0
    timed = any(head.measure == "seconds" for head in table.heads)
    costs = any(head.measure in COSTS and head.measure != "seconds" for head in table.heads)
    lowest = " (for costs, the lowest above 0)" if costs else ""
    untimed = "; times vary from run to run and are not marked" if timed else ""
    told = f"Bold: the best value in each column{lowest}{untimed}. "
    told += "95% intervals in brackets. " * spread
    told += f"Measures in percent, n = {first:,}. Select a number to list its questions."
    st.caption(f"{told} {hint('retrieval_time')} Shown is the median." if timed else told)


def _bold(frame_: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Return the styles of a table, with the best value of each column in bold."""
    styles = pd.DataFrame("", index=frame_.index, columns=frame_.columns)
    for number, row in enumerate(table.rows):
        for column, best in enumerate(row.best, start=1):
            if best:
                styles.iloc[number, column] = "font-weight: bold"
    return styles


def _show_charts(results: Results, view: View, key: str) -> None:
    """Draw a chart of each measure, two in a row, with their numbers in an expander."""
    drawn = [(measure, _POINTS[view.kind](results, view, measure)) for measure in view.measures]
    shown = [(measure, points) for measure, points in drawn if points]
    if not shown:
        st.caption("Nothing to plot: no retriever in this study has these settings and measures.")
        return
    for start in range(0, len(shown), 2):
        pair = shown[start : start + 2]
        for (measure, points), place in zip(pair, st.columns(2, gap="large"), strict=False):
            show_chart(charts.draw(view, measure, points), place)
    with st.expander("Numbers"):
        for measure, points in shown:
            _numbers(measure, points, view, f"{key}_{measure}")


def _numbers(measure: str, points: Sequence[Point], view: View, key: str) -> None:
    """Show the numbers of a chart, each linked to its questions."""
    other = with_titles(view, [one.line.named for one in points]).rows
    by_row: dict[str, dict[str, float]] = {}
    places: dict[str, dict[str, Place]] = {}
    for one in points:
        row = one.series if view.kind != "heat" else f"{one.series}, {other} {charts.text(one.y)}"
        value = one.told or charts.text(one.x)
        column = LABELS.get(measure, measure) if view.kind == "pareto" else value
        by_row.setdefault(row, {})[column] = one.mean
        group = str(one.x) if view.kind == "bars" else ""
        places.setdefault(row, {})[column] = (one.line, measure, view.by, group)
    columns = list(dict.fromkeys(name for row in by_row.values() for name in row))
    label = f"{LABELS.get(measure, measure)} by"
    rows = [{label: name, **values} for name, values in by_row.items()]
    table = pd.DataFrame(rows, columns=[label, *columns])
    _selectable_table(table, len(rows), list(places.values()), key, columns)


def _show_graphs(variants: Sequence[Variant]) -> None:
    """Draw a table with the sizes of each index's graph."""
    rows = [
        {"Index": name, **dict(zip(COLUMNS, some, strict=True))}
        for name, some in graph_rows(variants)
    ]
    st.dataframe(pd.DataFrame(rows, columns=["Index", *COLUMNS]), hide_index=True)


def show_paper(results: Results, paper: Paper, key: str) -> None:
    """Draw the study's numbers and then the published ones, each under a heading."""
    section(f"Published: {paper.source}")
    found = paper_table(results, paper)
    columns = _paper_columns(found)
    rows, places = [], []
    for row in found.lines:
        here = [amount(c, h.measure) for c, h in zip(row.here, found.heads, strict=False)]
        own = [titled(row.line) if row.line else "", *(here or [None] * len(found.heads))]
        rows.append([row.system, *(own if found.heads else []), *row.values])
        places.append(
            {f"{HERE}: {headed(h)}": (row.line, h.measure, paper.by, h.group) for h in found.heads}
            if row.line
            else {}
        )
    # Under a head of two rows, columns are known by position; the hidden index is the first.
    # Streamlit accepts positions, but its annotation does not.
    configs: dict[Any, Any] = {n: one.config() for n, one in enumerate(columns, start=1)}
    names = pd.MultiIndex.from_tuples([(one.group, one.name) for one in columns])
    st.dataframe(
        pd.DataFrame(rows, columns=names),
        key=key,
        hide_index=True,
        placeholder="",
        height=_HEAD + _ROW * (1 + min(len(rows), _MOST)),
        column_config=configs,
        on_select=partial(_record_pressed_cell, key, places),
        selection_mode="single-cell",
    )
    if paper.note:
        st.caption(layout.literal(paper.note))


@dataclass(frozen=True, slots=True)
class _PaperColumn:
    """A column of a published table: its group, unique name, label, and decimals of a number."""

    group: str
    name: str
    label: str
    decimals: int | None = None

    def config(self) -> object:
        """Return the column's configuration for the table."""
        if self.decimals is None:
            return st.column_config.TextColumn(self.label, pinned=not self.group)
        width = max(_NARROWEST, _PADDING + _CHARACTER * len(self.label))
        return st.column_config.NumberColumn(self.label, format=f"%.{self.decimals}f", width=width)


def _paper_columns(table: PaperTable) -> list[_PaperColumn]:
    """Return the columns: the study's measures first, then the published ones."""
    paper = table.paper
    here = [headed(head) for head in table.heads]
    return [
        _PaperColumn("", "System", "System"),
        *([_PaperColumn(HERE, "Retriever", "Retriever")] if here else []),
        *(_PaperColumn(HERE, f"{HERE}: {name}", name, 1) for name in here),
        *(
            _PaperColumn(group, name, label, decimals)
            for name, (group, label), decimals in zip(
                paper.columns, grouped(paper.columns, "Published"), decimals_of(paper), strict=True
            )
        ),
    ]


def _selectable_table(
    table: object, rows: int, places: list[dict[str, Place]], key: str, numbers: Sequence[str]
) -> None:
    """Draw a table in which cells with a place in `places` list their questions."""
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        placeholder="",
        height=_HEAD + _ROW * min(rows, _MOST),
        column_config={
            name: st.column_config.NumberColumn(format="%.1f")
            for name in numbers
            if not _is_text(table, name)
        },
        on_select=partial(_record_pressed_cell, key, places),
        selection_mode="single-cell",
    )


def _is_text(table: object, name: str) -> bool:
    data = table if isinstance(table, pd.DataFrame) else table.data  # type: ignore[attr-defined]
    return bool(data[name].map(lambda value: isinstance(value, str)).any())


def _record_pressed_cell(key: str, places: list[dict[str, Place]]) -> None:
    """Record the pressed cell, since a callback cannot open another page."""
    if cell := selected_cell(st.session_state[key], places):
        row, column = cell
        if place := row.get(column):
            st.session_state[_OPEN] = place


def _open_pressed() -> None:
    if place := st.session_state.pop(_OPEN, None):
        go_to_questions(*place)
