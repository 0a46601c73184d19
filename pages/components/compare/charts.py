"""The bump chart: how each passage's rank changes from one retriever to the next."""

from collections.abc import Iterator
from typing import Any, Literal

import altair as alt
import pandas as pd

from pages.components.compare.run import Comparison
from pages.components.shell.tints import tint

GOLD = "datum.gold == 'yes'"
GOLD_LINE = "#E69F00"
ROW = 24  # pixels a rank


def bump_chart(found: Comparison) -> alt.LayerChart | alt.FacetChart:
    """Ranks downwards, a column a retriever, a line a passage; gold lines are thick and starred."""
    ranks = max(len(column.hits) for column in found.answered)
    limit = 125 if len(found.answered) > 3 else 210  # pixels, beside the outer columns
    table = pd.DataFrame(_points(found))
    names = [column.name for column in found.answered]
    colours = [tint(column.card) for column in found.answered]
    x = alt.X(
        "retriever:N",
        sort=names,
        scale=alt.Scale(padding=0.9),
        title=None,
        axis=alt.Axis(orient="top", labelAngle=0, ticks=False, domain=False, labelFontWeight=600),
    )
    y = alt.Y(
        "rank:Q",
        scale=alt.Scale(domain=[0.5, ranks + 0.5], reverse=True, nice=False),
        axis=alt.Axis(tickMinStep=1, tickCount=ranks, grid=False, domain=False, format="d"),
        title="Rank",
    )
    what = [
        alt.Tooltip("passage:N", title="Passage"),
        alt.Tooltip("retriever:N", title="Retriever"),
        alt.Tooltip("rank:Q", title="Rank"),
        alt.Tooltip("score:Q", title="Score", format=".3f"),
        alt.Tooltip("gold:N", title="Gold"),
    ]
    base = alt.Chart(table).encode(x=x, y=y, tooltip=what)
    lines = base.mark_line(interpolate="monotone").encode(
        detail="line:N",
        color=alt.condition(GOLD, alt.value(GOLD_LINE), alt.value("#8a93a0")),
        size=alt.condition(GOLD, alt.value(4), alt.value(1.3)),
        opacity=alt.condition(GOLD, alt.value(1), alt.value(0.55)),
    )
    points = base.mark_point(filled=True, opacity=1).encode(
        color=alt.Color("retriever:N", scale=alt.Scale(domain=names, range=colours), legend=None),
        shape=alt.Shape(
            "gold:N",
            scale=alt.Scale(domain=["yes", "no"], range=[_STAR, "circle"]),
            legend=None,
        ),
        size=alt.condition(GOLD, alt.value(210), alt.value(75)),
    )
    return alt.layer(
        lines,
        points,
        *_names(base, "datum.first", "right", -12, limit),
        *_names(base, "datum.last", "left", 12, limit),
    ).properties(height=ROW * ranks + 40)


def _names(
    base: alt.Chart, where: str, align: Literal["left", "right"], dx: int, limit: int
) -> tuple[alt.Chart, alt.Chart]:
    """Titles beside the points of one column, those of gold in bold."""
    names = base.transform_filter(where).encode(text="passage:N")
    look: dict[str, Any] = {"align": align, "dx": dx, "limit": limit, "color": "gray"}
    return (
        names.transform_filter(GOLD).mark_text(fontWeight="bold", **look),
        names.transform_filter(f"!({GOLD})").mark_text(fontWeight="normal", **look),
    )


_STAR = (
    "M0,-1.1L0.31,-0.41L1.05,-0.34L0.49,0.16L0.65,0.89L0,0.51"
    "L-0.65,0.89L-0.49,0.16L-1.05,-0.34L-0.31,-0.41Z"
)


def _points(found: Comparison) -> Iterator[dict[str, object]]:
    # A line ends where the next retriever has no such passage, and begins anew after it.
    before: dict[str, str] = {}
    for number, column in enumerate(found.answered):
        lines: dict[str, str] = {}
        for rank, hit in enumerate(column.hits, 1):
            passage = found.index.passage(hit.passage_id)
            lines[passage.id] = before.get(passage.id, f"{number} {passage.id}")
            yield {
                "line": lines[passage.id],
                "passage": passage.title or passage.id,
                "retriever": column.name,
                "rank": rank,
                "score": hit.score,
                "gold": "yes" if found.is_gold(passage.id) else "no",
                "first": column is found.answered[0],
                "last": column is found.answered[-1],
            }
        before = lines
