"""Charts of a run: recall at k, gold found after each round, and quality against cost."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

import altair as alt
import pandas as pd

from core.evaluation.paired import NO_INTERVAL, interval_text
from core.runs.analysis.leaderboard import LeaderboardRow
from pages.components.evaluate.column_names import CHOICES, are_told_apart, badged, letters
from pages.components.shell.figures import AXIS_NUMBERS
from pages.components.shell.retriever_colours import mark_tint_of

_HEIGHT = 300  # of the plot, axes and all
_LEGEND_COLUMNS = 2
_APART = 18  # pixels between the letters of those that take nearly the same
_ALIKE = 0.05  # of the most that any takes
_LINE = 6  # percent, as high as letters are
_BESIDE = 24  # pixels from the ends of an axis to points, so that letters stand clear of it
_ABOVE = 9  # pixels from an interval to the letters above it
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
"""Of the lines of one tint, which are those of one family."""
_COSTS: dict[str, str | list[str]] = {
    "Median time": "Median retrieval time per question, ms",
    CHOICES: [f"{CHOICES} per question, mean", "(walks: one per passage)"],
    "Model calls": "Model calls per question, mean",
    "Tokens": "Tokens per question, mean",
}


def recall_chart(
    curves: Mapping[str, Sequence[tuple[int, float]]],
) -> alt.LayerChart | alt.FacetChart:
    """Return a chart of recall among the first k, up to the last rank with gold, by retriever."""
    last = max((k for curve in curves.values() for k, _ in curve), default=1)
    rows = [
        {"retriever": badged(name), "k": k, "recall": share}
        for name, curve in curves.items()
        for k, share in _recall_at_every_k(curve, last)
    ]
    return _lines(rows, list(curves), "k", "k", "recall", "Recall@k, %")


def round_chart(courses: Mapping[str, Sequence[float]]) -> alt.LayerChart | alt.FacetChart:
    """Return a chart of the share of gold reached after the start and after each round.

    By retriever.
    """
    rows = [
        {"retriever": badged(name), "round": number, "found": share}
        for name, course in courses.items()
        for number, share in enumerate(course)
    ]
    return _lines(
        rows, list(courses), "round", "Round (0 is the start)", "found", "Gold reached, %"
    )


def cost_charts(
    found: Sequence[LeaderboardRow], measure: str
) -> list[alt.LayerChart | alt.FacetChart]:
    """Return charts of the measure over time, choices, calls and tokens.

    A kind of cost that no retriever has gets no chart.
    """
    rows = [row for each in found for row in _costs(each, measure)]
    names = [each.retriever for each in found]
    used = [cost for cost in _COSTS if any(row["cost"] == cost and row["amount"] for row in rows)]
    columns = ["retriever", "cost", "amount", "mean", "low", "high", "interval"]
    table = pd.DataFrame(rows, columns=columns)
    return [_cost(table[table["cost"] == cost], cost, measure, names) for cost in used]


def _costs(one: LeaderboardRow, measure: str) -> Iterable[dict[str, object]]:
    """Yield a chart row for each kind of cost; none if the retriever's time is unknown."""
    if one.seconds_p50 is None:
        return
    here = one.measures[measure]
    amounts = (1000 * one.seconds_p50, one.judgements, one.calls, one.tokens)
    for cost, amount in zip(_COSTS, amounts, strict=True):
        yield {
            "retriever": badged(one.retriever),
            "cost": cost,
            "amount": amount,
            "mean": here.mean,
            "low": here.low,
            "high": here.high,
            "interval": interval_text(here.low, here.high) or NO_INTERVAL,
        }


def _cost(
    table: pd.DataFrame, cost: str, measure: str, names: Sequence[str]
) -> alt.LayerChart | alt.FacetChart:
    """Chart a point with its interval for each retriever; a thin line joins it to its letters."""
    scale, colour = alt.Scale(zero=False), _colour_encoding(names)
    layers: list[alt.Chart] = []
    for row, (aside, top) in zip(table.to_dict("records"), _letters_at(table), strict=True):
        base = alt.Chart(pd.DataFrame([{**row, "top": top}])).encode(
            x=alt.X(
                "amount:Q",
                title=_COSTS[cost],
                axis=alt.Axis(labelBound=True),
                scale=alt.Scale(padding=_BESIDE, nice=False),
            ),
            color=colour,
            tooltip=[
                alt.Tooltip("retriever"),
                alt.Tooltip("amount", format=",.1f"),
                alt.Tooltip("mean", format=".1f"),
                alt.Tooltip("interval", title="95% interval"),
            ],
        )
        above = alt.Y("top:Q", scale=scale)
        layers += [
            base.mark_rule(strokeWidth=2).encode(
                y=alt.Y("low:Q", scale=scale), y2=alt.Y2("high:Q")
            ),
            base.mark_rule(strokeWidth=0.8, x2Offset=aside, y2Offset=-_ABOVE / 2).encode(
                x2=alt.X2("amount:Q"), y=alt.Y("high:Q", scale=scale), y2=alt.Y2("top:Q")
            ),
            base.mark_point(filled=True, size=110, opacity=0.8).encode(
                y=alt.Y(
                    "mean:Q",
                    scale=scale,
                    title=f"{measure}, %",
                    axis=alt.Axis(format=AXIS_NUMBERS),
                )
            ),
            base.mark_text(
                dy=-_ABOVE,
                fontWeight="bold",
                xOffset=aside,
                text=letters(str(row["retriever"])),
            ).encode(y=above),
        ]
    return alt.layer(*layers).properties(height=_HEIGHT)


def _letters_at(table: pd.DataFrame) -> list[tuple[float, float]]:
    """Return the position of each row's letters: horizontal offset in pixels and height.

    Letters of nearly equal costs are placed side by side above the highest of their intervals.
    """
    near = _ALIKE * max(table["amount"], default=0)
    amounts, highs = list(table["amount"]), list(table["high"].fillna(table["mean"]))
    groups: list[list[int]] = []
    for at in sorted(range(len(amounts)), key=amounts.__getitem__):
        if groups and amounts[at] - amounts[groups[-1][-1]] <= near:
            groups[-1].append(at)
        else:
            groups.append([at])
    found = {}
    for group in groups:
        top = max(highs[at] for at in group)
        for place, at in enumerate(group):
            found[at] = (_APART * (place - (len(group) - 1) / 2), top)
    return [found[at] for at in range(len(amounts))]


def _ends(table: pd.DataFrame, x: str, y: str) -> pd.DataFrame:
    """Return the last point of each line, with its letters, so far apart that they can be read."""
    ends = table.sort_values(x).groupby("retriever", sort=False).tail(1).sort_values(y)
    told = ends["retriever"].map(letters)
    return ends.assign(letters=told, height=_spaced_values(list(ends[y])))


def _spaced_values(values: Sequence[float]) -> list[float]:
    """Return ascending values moved as little as possible to be a line apart and at most 100.

    >>> _spaced_values([10.0, 50.0, 50.0]), _spaced_values([100.0, 100.0])
    ([10.0, 47.0, 53.0], [94.0, 100.0])
    """
    groups: list[list[float]] = []
    for at, value in enumerate(values):
        groups.append([value - at * _LINE])
        while len(groups) > 1 and fmean(groups[-2]) > fmean(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    lowest = [fmean(group) for group in groups for _ in group]
    most = 100.0 - _LINE * (len(values) - 1)
    return [min(one, most) + at * _LINE for at, one in enumerate(lowest)]


def _lines(
    rows: Sequence[dict[str, object]],
    names: Sequence[str],
    x: str,
    x_title: str,
    y: str,
    y_title: str,
) -> alt.LayerChart | alt.FacetChart:
    """Chart a line for each retriever on an axis from 0 to 100%, with its letters at the end."""
    table, colours = pd.DataFrame(rows, columns=["retriever", x, y]), _colour_encoding(names)
    base = alt.Chart(table).encode(
        x=alt.X(f"{x}:Q", title=x_title, axis=alt.Axis(tickMinStep=1, format="d", grid=False)),
        y=alt.Y(f"{y}:Q", title=y_title, scale=alt.Scale(domain=[0, 100])),
        color=colours,
        tooltip=[alt.Tooltip("retriever"), alt.Tooltip(x), alt.Tooltip(y, format=".1f")],
    )
    lines = base.mark_line(strokeWidth=2).encode(strokeDash=_dash_encoding(names))
    ends = (
        alt.Chart(_ends(table, x, y))
        .mark_text(align="left", dx=7, fontWeight="bold")
        .encode(x=alt.X(f"{x}:Q"), y=alt.Y("height:Q"), text=alt.Text("letters:N"), color=colours)
    )
    drawn = alt.layer(lines, base.mark_point(filled=True, size=28), ends)
    return drawn.properties(height=_HEIGHT)


def _colour_encoding(names: Sequence[str]) -> alt.Color:
    """Return the colour encoding: a retriever has the tint of its family."""
    shown = [badged(name) for name in names]
    scale = alt.Scale(domain=shown, range=[mark_tint_of(name) for name in names])
    return alt.Color("retriever:N", scale=scale, legend=_legend(shown))


def _dash_encoding(names: Sequence[str]) -> alt.StrokeDash:
    """Return the dash patterns that distinguish lines of equal colour."""
    shown, tints = [badged(name) for name in names], [mark_tint_of(name) for name in names]
    places = [tints[:at].count(one) for at, one in enumerate(tints)]
    scale = alt.Scale(domain=shown, range=[_DASHES[at % len(_DASHES)] for at in places])
    return alt.StrokeDash("retriever:N", scale=scale, legend=_legend(shown))


def _legend(names: Sequence[str]) -> alt.Legend | None:
    """Return the legend; None if letters at lines and points identify the retrievers."""
    if are_told_apart(names):
        return None
    return alt.Legend(orient="bottom", columns=_LEGEND_COLUMNS, title=None, labelLimit=260)


def _recall_at_every_k(curve: Sequence[tuple[int, float]], last: int) -> list[tuple[int, float]]:
    """Return the recall at every k from 1 to `last`; between two known values it is constant."""
    known, found, so_far = dict(curve), [], 0.0
    for k in range(1, last + 1):
        so_far = known.get(k, so_far)
        found.append((k, so_far))
    return found
