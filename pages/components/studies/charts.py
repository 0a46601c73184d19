"""The charts of a study, in Altair."""

from collections.abc import Sequence
from math import ceil, floor
from typing import TypeAlias

import altair as alt
import pandas as pd

from core.evaluation.paired import NO_INTERVAL, interval_text
from core.studies import View
from core.studies.definition import COSTS
from core.studies.naming import LABELS, with_titles
from core.studies.series import Point
from pages.components.shell.figures import AXIS_NUMBERS
from pages.components.shell.retriever_colours import mark_tint_of, shades

Drawn: TypeAlias = alt.LayerChart | alt.FacetChart
_HEIGHT, _HEAT_HEIGHT, _LEGEND_ROW = 290, 260, 20  # pixels
_LEGEND_COLUMNS = 2
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])


def draw(view: View, measure: str, points: Sequence[Point]) -> Drawn:
    """Return the chart of a measure."""
    table = pd.DataFrame(
        {
            "retriever": one.series,
            "x": one.x,
            "told": one.told or text(one.x),
            "y": one.y,
            "mean": one.mean,
            "low": one.low,
            "high": one.high,
            "interval": interval_text(one.low, one.high, ",.1f") or NO_INTERVAL,
            "best": one.best,
        }
        for one in points
    )
    drawn = {"curve": _curve, "bars": _bars, "pareto": _pareto, "heat": _heat}[view.kind]
    headed = with_titles(view, [one.line.named for one in points])
    chart: Drawn = drawn(headed, measure, table, _colour_encoding(points))
    chart = chart.configure(numberFormat=AXIS_NUMBERS)
    if view.kind == "heat":
        return chart
    rows = -(-table["retriever"].nunique() // _LEGEND_COLUMNS)
    return chart.properties(height=_HEIGHT + _LEGEND_ROW * rows)


def text(value: str | float) -> str:
    """Format a value of an axis: `4`, `0.5`, `bridge`."""
    return f"{value:g}" if isinstance(value, float) else value


def titled(measure: str) -> str:
    """Return the title of an axis."""
    unit = " per question" if measure in COSTS else ", %"
    return f"{LABELS.get(measure, measure)}{unit}"


def _curve(view: View, measure: str, table: pd.DataFrame, colour: alt.Color) -> Drawn:
    """Chart the measure over a setting as lines with interval bands, by retriever."""
    numbers = pd.api.types.is_numeric_dtype(table["x"])
    kind = "Q" if numbers else "N"
    values = sorted(set(table["x"])) if numbers else None
    base = alt.Chart(table).encode(
        x=alt.X(
            f"x:{kind}",
            title=view.over,
            axis=alt.Axis(values=values, grid=False) if values else alt.Axis(grid=False),
            scale=alt.Scale(zero=False, padding=16) if numbers else alt.Undefined,
        ),
        color=colour,
        tooltip=_tooltip(measure, alt.Tooltip("told:N", title=view.over)),
    )
    y = alt.Y("mean:Q", title=titled(measure), scale=_scale(measure, table))
    band = base.mark_area(opacity=0.12).encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q"))
    lines = base.mark_line(strokeWidth=2).encode(y=y, strokeDash=_dash_encoding(table))
    return alt.layer(band, lines, base.mark_point(filled=True, size=46).encode(y=y))


def _bars(view: View, measure: str, table: pd.DataFrame, colour: alt.Color) -> Drawn:
    """Chart the measure as grouped bars with intervals: a group per value, a bar per retriever."""
    base = alt.Chart(table).encode(
        x=alt.X("x:N", title=view.by, axis=alt.Axis(labelAngle=0, grid=False), sort=None),
        xOffset=alt.XOffset("retriever:N", sort=None),
        tooltip=_tooltip(measure, alt.Tooltip("x", title=view.by)),
    )
    drawn = base.mark_bar().encode(
        y=alt.Y("mean:Q", title=titled(measure), scale=_scale(measure, table, zero=True)),
        color=colour,
    )
    rules = base.mark_rule().encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q"))
    return alt.layer(drawn, rules)


def _pareto(view: View, measure: str, table: pd.DataFrame, colour: alt.Color) -> Drawn:
    """Chart the measure over a cost; filled points have no rival that is better and cheaper."""
    base = alt.Chart(table).encode(
        x=alt.X("x:Q", title=titled(view.against), scale=alt.Scale(zero=False, padding=20)),
        tooltip=_tooltip(measure, alt.Tooltip("x", title=LABELS[view.against], format=",.1f")),
    )
    y = alt.Y("mean:Q", title=titled(measure), scale=_scale(measure, table))
    front = base.transform_filter("datum.best")
    return alt.layer(
        front.mark_line(strokeWidth=1, interpolate="step-after", color="gray").encode(y=y),
        base.mark_rule(opacity=0.5).encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q"), color=colour),
        base.mark_point(size=70, strokeWidth=2).encode(y=y, color=colour),
        front.mark_point(size=90, filled=True, opacity=1).encode(y=y, color=colour),
    )


def _heat(view: View, measure: str, table: pd.DataFrame, colour: alt.Color) -> Drawn:  # noqa: ARG001
    """Chart the mean over two settings as a heat map with legible numbers."""
    cells = table.assign(x=table["x"].map(text), y=table["y"].map(text))
    orders = {axis: [text(each) for each in sorted(set(table[axis]))] for axis in ("x", "y")}
    base = alt.Chart(cells).encode(
        x=alt.X("x:N", title=view.over, sort=orders["x"], axis=alt.Axis(labelAngle=0)),
        y=alt.Y("y:N", title=view.rows, sort=orders["y"][::-1]),
        tooltip=_tooltip(measure, alt.Tooltip("told:N", title=view.over)),
    )
    middle = (table["mean"].min() + table["mean"].max()) / 2
    legend = alt.Legend(title=titled(measure), gradientLength=_HEAT_HEIGHT - 40)
    drawn = base.mark_rect().encode(
        color=alt.Color("mean:Q", scale=alt.Scale(scheme="blues"), legend=legend)
    )
    dark = alt.condition(alt.datum.mean > middle, alt.value("white"), alt.value("black"))
    numbers = base.mark_text().encode(text=alt.Text("mean:Q", format=".1f"), color=dark)
    return alt.layer(drawn, numbers).properties(height=_HEAT_HEIGHT)


def _scale(measure: str, table: pd.DataFrame, *, zero: bool = False) -> alt.Scale:
    """Return the vertical scale: all intervals in whole tens, and no percent above 100."""
    if measure in COSTS:
        return alt.Scale(zero=zero, padding=20)
    ends = [end for name in ("mean", "low", "high") for end in table[name].dropna()]
    least, most = (10 * floor(min(ends) / 10), 10 * ceil(max(ends) / 10))
    return alt.Scale(domain=[0 if zero else least, max(most, least + 10)], nice=False, zero=zero)


def _tooltip(measure: str, x: alt.Tooltip) -> list[alt.Tooltip]:
    """Return the tooltip of a point: retriever, `x`, mean and interval."""
    return [
        alt.Tooltip("retriever", title="Retriever"),
        x,
        alt.Tooltip("mean", title=LABELS.get(measure, measure), format=",.1f"),
        alt.Tooltip("interval", title="95% interval"),
    ]


def _colour_encoding(points: Sequence[Point]) -> alt.Color:
    """Return the colour encoding: a retriever has the tint of its family.

    Others of a family are lighter.
    """
    tints = {one.series: mark_tint_of(str(one.line.asked)) for one in points}
    scale = alt.Scale(domain=list(tints), range=shades(list(tints.values())))
    legend = alt.Legend(
        orient="bottom",
        direction="vertical",
        columns=_LEGEND_COLUMNS,
        title=None,
        labelLimit=320,
        symbolLimit=0,
        symbolOpacity=1,
        symbolStrokeWidth=0,
    )
    return alt.Color("retriever:N", scale=scale, legend=legend)


def _dash_encoding(table: pd.DataFrame) -> alt.StrokeDash:
    """Return the dash encoding that distinguishes lines of equal colour."""
    names = list(dict.fromkeys(table["retriever"]))
    dashes = [_DASHES[number % len(_DASHES)] for number in range(len(names))]
    return alt.StrokeDash("retriever:N", scale=alt.Scale(domain=names, range=dashes), legend=None)
