"""Panels of a chart: a row for each retriever or slice, in which a click selects a mark."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import ceil, floor
from textwrap import wrap
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.colours import GROUND, INK
from core.evaluation.paired import NO_INTERVAL, interval_text
from pages.components.evaluate.state import press
from pages.components.shell.charts import show_chart
from pages.components.shell.client_input.selections import selected_point
from pages.components.shell.figures import AXIS_NUMBERS

Chart = alt.LayerChart | alt.FacetChart
Row = Mapping[str, Any]
"""What a mark is drawn from. `name` is its row; what a click selects is in it too."""

_PICK = "pick"
_LISTED = {"slice": "value"}
"""Fields of marks that have another name in the address, as `value` is where a mark stands."""
_ROW, _AXES = 34, 56  # pixels
_BESIDE, _BESIDE_BARS = 36, 20
"""Pixels to the right of a chart: numbers and labels reach beyond the end of their axis."""
_LINE = 34
"""Characters of a line of a row's name."""
_TEN = 10
SHARE = (0, 100)
"""The least and the greatest value of a measure in percent."""
_ROOM = 0.09
"""Share of a bar below which its count has no room."""


def show_panel(
    title: str, chart: Chart, place: DeltaGenerator, key: str, rows: int, *, hint: str = ""
) -> None:
    """Show a panel of so many rows; a click on a mark lists its questions.

    Parameters
    ----------
    title : its heading, which wraps: a chart would cut a long name.
    hint : is shown when the pointer rests on the heading.
    """
    told = f" title='{escape(hint)}'" if hint else ""
    place.html(f"<h4 class='hop-chart-title' dir='auto'{told}>{escape(title)}</h4>")
    show_chart(
        chart.properties(height=_ROW * rows + _AXES),
        place,
        key=key,
        on_select=lambda: _list_questions(key),
        selection_mode=_PICK,
    )


def _list_questions(key: str) -> None:
    if picked := selected_point(st.session_state[key], _PICK):
        press(**{_LISTED.get(name, name): value for name, value in picked.items()})


def dots(
    rows: Sequence[Row],
    shown: Sequence[str],
    fields: Sequence[str],
    *,
    short: Callable[[str], str] | None = None,
    form: str = ".1f",
    edge: float | None = None,
    edges: tuple[float, float] | None = None,
    zero: float | None = None,
) -> Chart:
    """Return a point for each row at `value`, with its interval from `low` to `high`.

    Parameters
    ----------
    shown : the rows from top to bottom; all panels beside each other have the same.
    fields : what a click selects.
    short : shortens the names of rows.
    edge : end of the axis in panels that share it; there the numbers stand.
    edges : the least and the greatest value that the axis may have.
    zero : where a dashed line stands.
    """
    placed = [
        {
            **row,
            "end": _end(row, edge, zero),
            "told": f"{row['said']}: {row['value']:.1f}",
            "interval": interval_text(row["low"], row["high"], form) or NO_INTERVAL,
        }
        for row in rows
    ]
    scale = alt.Scale(zero=False, padding=30 if zero is None else 40)
    if edges is not None:
        scale = alt.Scale(domain=_axis_domain(placed, edges), nice=False, zero=False)
    axis = alt.Axis(title=None, tickCount=5, format=AXIS_NUMBERS, labelFlush=False)
    if edge is not None:
        scale = alt.Scale(domain=[0, edge])
        axis = alt.Axis(title=None, values=[0, 50, 100], labelFlush=False)
    y = _rows(shown, short)
    base = alt.Chart(pd.DataFrame(placed)).encode(y=y)
    colour = alt.Color("tint:N", scale=None)
    points = _selectable_chart(placed, fields).encode(
        x=alt.X("value:Q", scale=scale, axis=axis),
        y=y,
        color=colour,
        description=alt.Description("told:N"),
        tooltip=[
            alt.Tooltip("said", title="Row"),
            alt.Tooltip("value", format=form),
            alt.Tooltip("interval", title="95% interval"),
        ],
    )
    ink = INK.of(st.context.theme.type)
    layers = [
        base.mark_rule(strokeWidth=2.5, aria=False).encode(
            x=alt.X("low:Q", scale=scale, axis=axis), x2=alt.X2("high:Q"), color=colour
        ),
        points.mark_point(filled=True, size=130, opacity=1, cursor="pointer"),
        base.mark_text(
            aria=False,
            align="left" if edge is None else "right",
            dx=9 if edge is None else 0,
            color=ink,
            fontWeight=600,
        ).encode(x=alt.X("end:Q", scale=scale, axis=axis), text=alt.Text("value:Q", format=form)),
    ]
    if zero is not None:
        line = alt.Chart(pd.DataFrame([{"zero": zero}])).mark_rule(
            color=ink, strokeDash=[3, 3], aria=False
        )
        layers.insert(0, line.encode(x=alt.X("zero:Q", axis=axis)))
    return alt.layer(*layers).properties(padding={"right": _BESIDE})


def _end(row: Row, edge: float | None, zero: float | None) -> float:
    """Return the x-position of a row's number: right of its interval and of the zero line."""
    if edge is not None:
        return edge
    high: float = row["value"] if row["high"] is None else row["high"]
    return high if zero is None else max(high, zero)


def _axis_domain(rows: Sequence[Row], edges: tuple[float, float]) -> list[float]:
    """Return the domain of an axis: all intervals in whole tens, and no value that cannot be.

    >>> _axis_domain([{"value": 97.0, "low": 91.0, "high": 100.0}], SHARE)
    [90, 100]
    """
    ends = [end for row in rows for end in (row["value"], row["low"], row["high"])]
    known = [end for end in ends if end is not None]
    if not known:
        return [*edges]
    least, most = _TEN * floor(min(known) / _TEN), _TEN * ceil(max(known) / _TEN)
    if least == most:
        least, most = least - _TEN, most + _TEN
    return [max(least, edges[0]), min(most, edges[1])]


def bars(
    rows: Sequence[Row],
    shown: Sequence[str],
    fields: Sequence[str],
    fills: Mapping[str, str],
    *,
    short: Callable[[str], str] | None = None,
) -> Chart:
    """Return a bar for each row, divided into parts of `count` out of `all`, with labels.

    Parameters
    ----------
    fills : by `part`, its colour.
    """
    begun: dict[str, float] = {}
    placed = []
    for row in rows:
        start = begun.get(row["name"], 0.0)
        end = begun[row["name"]] = start + row["count"] / max(1, row["all"])
        told = f"{row['name']}: {row['count']} of {row['all']}, {row['said']}"
        places = {"start": start, "end": end, "middle": (start + end) / 2}
        placed.append({**row, **places, "told": told})
    axis = alt.Axis(format="%", grid=False, tickCount=3, title=None, labelFlush=False)
    scale = alt.Scale(domain=[0, 1])
    y = _rows(shown, short)
    colour = alt.Color(
        "part:N", scale=alt.Scale(domain=[*fills], range=[*fills.values()]), legend=None
    )
    ground = GROUND.of(st.context.theme.type)
    drawn = _selectable_chart(placed, fields).encode(
        x=alt.X("start:Q", scale=scale, axis=axis),
        x2=alt.X2("end:Q"),
        y=y,
        color=colour,
        description=alt.Description("told:N"),
        tooltip=[
            alt.Tooltip("said", title="Part"),
            alt.Tooltip("count"),
            alt.Tooltip("all", title="of"),
        ],
    )
    counts = (
        alt.Chart(pd.DataFrame(placed))
        .transform_filter(f"datum.end - datum.start > {_ROOM}")
        .mark_text(color="#ffffff", fontWeight=600, aria=False)
        .encode(x=alt.X("middle:Q", axis=axis), y=y, text=alt.Text("count:Q"))
    )
    bar = drawn.mark_bar(stroke=ground, strokeWidth=1.5, height=20, cursor="pointer")
    return alt.layer(bar, counts).properties(padding={"right": _BESIDE_BARS})


def _rows(shown: Sequence[str], short: Callable[[str], str] | None) -> alt.Y:
    """Return the vertical axis of a panel: a band for each name, with long names wrapped."""
    names = {name: _lines(short(name) if short else name) for name in shown}
    axis = alt.Axis(
        title=None,
        ticks=False,
        domain=False,
        labelLimit=260,
        labelLineHeight=15,
        labelFontSize=13,
        labelPadding=8,
        labelBaseline="middle",
        labelExpr=f"({pd.Series(names).to_json()})[datum.label]",
    )
    return alt.Y("name:N", scale=alt.Scale(type="band", domain=[*shown]), axis=axis)


def _lines(name: str) -> list[str]:
    """Return a name in lines that a row has room for."""
    return wrap(name, _LINE, max_lines=2, placeholder="…") or [name]


def _selectable_chart(rows: Sequence[Row], fields: Sequence[str]) -> alt.Chart:
    """Return the chart of `rows` in which a click selects `fields`."""
    pick = alt.selection_point(name=_PICK, fields=[*fields], toggle=False)
    return alt.Chart(pd.DataFrame(rows)).add_params(pick)
