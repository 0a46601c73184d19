"""Drawings of a run: recall at k, what was found after each round, quality against what it took."""

from collections.abc import Iterable, Mapping, Sequence

import altair as alt
import pandas as pd

from core.runs.board import Standing
from pages.components.evaluate.names import JUDGEMENTS, are_told_apart, badged, letters

_HEIGHT = 300  # of the plot, axes and all
_LEGEND_COLUMNS = 2
_APART = 18  # pixels between those that take the same; letters are as wide
_ALIKE = 0.05  # of the most that any takes
_LINE = 7  # percent, as high as letters are
_COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"),
    *("#7a7f87", "#8c6bb1", "#a6761d", "#66a61e"),
)
_COSTS = {
    "Median time": "Median time of a question, ms",
    JUDGEMENTS: f"{JUDGEMENTS} a question, mean",
    "Model calls": "Model calls a question, mean",
    "Tokens": "Tokens a question, mean",
}


def recall_chart(
    curves: Mapping[str, Sequence[tuple[int, float]]],
) -> alt.LayerChart | alt.FacetChart:
    """Recall among the first k, k from 1 to the last rank at which gold was kept."""
    last = max((k for curve in curves.values() for k, _ in curve), default=1)
    rows = [
        {"retriever": name, "k": k, "recall": share}
        for name, curve in curves.items()
        for k, share in _stepped(curve, last)
    ]
    return _lines(
        rows, _coloured(curves, list(curves)), "k", "k", "recall", "Recall of the first k, %"
    )


def round_chart(
    courses: Mapping[str, Sequence[float]], all_of_run: Sequence[str]
) -> alt.LayerChart | alt.FacetChart:
    """What of the gold had been reached after the start and after each round.

    A retriever has the colour of its place in `all_of_run`, here as in the other drawings.
    """
    rows = [
        {"retriever": name, "round": number, "found": share}
        for name, course in courses.items()
        for number, share in enumerate(course)
    ]
    colours = _coloured(courses, all_of_run)
    return _lines(rows, colours, "round", "Round (0 is the start)", "found", "Gold reached, %")


def cost_charts(found: Sequence[Standing], measure: str) -> list[alt.LayerChart | alt.FacetChart]:
    """A point for each retriever, with its interval: over time, choices, calls and tokens, each a
    drawing of its own where any retriever takes some of it."""
    rows = [row for each in found for row in _costs(each, measure)]
    names = [badged(each.retriever) for each in found]
    used = [cost for cost in _COSTS if any(row["cost"] == cost and row["amount"] for row in rows)]
    table = pd.DataFrame(rows, columns=["retriever", "cost", "amount", "mean", "low", "high"])
    return [_cost(table[table["cost"] == cost], cost, measure, names) for cost in used]


def _costs(one: Standing, measure: str) -> Iterable[dict[str, object]]:
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
        }


def _cost(
    table: pd.DataFrame, cost: str, measure: str, names: Sequence[str]
) -> alt.LayerChart | alt.FacetChart:
    layers: list[alt.Chart] = []
    scale = alt.Scale(zero=False)
    for name, offset in _offsets(table).items():
        base = alt.Chart(table[table["retriever"] == name]).encode(
            x=alt.X("amount:Q", title=_COSTS[cost]),
            color=_coloured(names, names),
            tooltip=[
                "retriever",
                alt.Tooltip("amount", format=",.1f"),
                alt.Tooltip("mean", format=".1f"),
            ],
        )
        top = alt.Y("high:Q", scale=scale)
        layers += [
            base.mark_rule(strokeWidth=2, xOffset=offset).encode(
                y=alt.Y("low:Q", scale=scale), y2="high:Q"
            ),
            base.mark_point(filled=True, size=110, xOffset=offset).encode(
                y=alt.Y("mean:Q", scale=scale, title=f"{measure}, %")
            ),
            base.mark_text(dy=-8, fontWeight="bold", xOffset=offset, text=letters(name)).encode(
                y=top
            ),
        ]
    return alt.layer(*layers).properties(height=_HEIGHT)


def _offsets(table: pd.DataFrame) -> dict[str, int]:
    """Pixels by which each retriever stands aside of those that take no more than it, or little."""
    found: dict[str, int] = {}
    near, last, offset = _ALIKE * float(table["amount"].max()), None, 0
    for name, amount in sorted(
        zip(table["retriever"], table["amount"], strict=True), key=lambda one: one[1]
    ):
        offset = offset + _APART if last is not None and amount - last < near else 0
        found[name], last = offset, amount
    return found


def _ends(table: pd.DataFrame, x: str, y: str) -> pd.DataFrame:
    """The last point of each line, with its letters, so far apart that they can be read."""
    ends = table.sort_values(x).groupby("retriever", sort=False).tail(1).sort_values(y)
    heights: list[float] = []
    for value in ends[y]:
        heights.append(max(value, heights[-1] + _LINE) if heights else value)
    over = max(0.0, heights[-1] - 100) if heights else 0.0
    told = ends["retriever"].map(letters)
    return ends.assign(letters=told, height=[one - over for one in heights])


def _lines(
    rows: Sequence[dict[str, object]],
    colours: alt.Color,
    x: str,
    x_title: str,
    y: str,
    y_title: str,
) -> alt.LayerChart | alt.FacetChart:
    table = pd.DataFrame(rows, columns=["retriever", x, y])
    base = alt.Chart(table).encode(
        x=alt.X(f"{x}:Q", title=x_title, axis=alt.Axis(tickMinStep=1, format="d", grid=False)),
        y=alt.Y(f"{y}:Q", title=y_title, scale=alt.Scale(domain=[0, 100])),
        color=colours,
        tooltip=["retriever", x, alt.Tooltip(y, format=".1f")],
    )
    lines = base.mark_line(strokeWidth=2)
    ends = (
        alt.Chart(_ends(table, x, y))
        .mark_text(align="left", dx=7, fontWeight="bold")
        .encode(x=f"{x}:Q", y="height:Q", text="letters:N", color=colours)
    )
    drawn = alt.layer(lines, base.mark_point(filled=True, size=28), ends)
    return drawn.properties(height=_HEIGHT)


def _coloured(names: Iterable[str], all_of_run: Sequence[str]) -> alt.Color:
    shown = list(names)
    places = [all_of_run.index(name) for name in shown]
    return alt.Color(
        "retriever:N",
        scale=alt.Scale(domain=shown, range=[_COLOURS[at % len(_COLOURS)] for at in places]),
        legend=_legend(shown),
    )


def _legend(names: Sequence[str]) -> alt.Legend | None:
    """None where the letters at each line and point say whose it is."""
    if are_told_apart(names):
        return None
    return alt.Legend(orient="bottom", columns=_LEGEND_COLUMNS, title=None, labelLimit=260)


def _stepped(curve: Sequence[tuple[int, float]], last: int) -> list[tuple[int, float]]:
    """Every k from 1 to `last`: between two of the curve nothing is added."""
    known, found, so_far = dict(curve), [], 0.0
    for k in range(1, last + 1):
        so_far = known.get(k, so_far)
        found.append((k, so_far))
    return found
