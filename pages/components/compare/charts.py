"""The bump chart: how each passage's rank changes from one retriever to the next."""

from collections.abc import Iterator
from typing import Any, Literal

import altair as alt
import pandas as pd
import streamlit as st

from core.colours import LETTERS
from core.marks import Sayer
from pages.components.compare.comparison import Comparison
from pages.components.shell.retriever_colours import INK, tint

GOLD = "datum.gold != 'no'"
ROW = 24  # pixels a rank


def bump_chart(found: Comparison) -> alt.LayerChart | alt.FacetChart:
    """Return a chart of ranks downwards, with a column per retriever and a line per passage.

    A point has the tint and the letters of its retriever's badge.
    """
    table = pd.DataFrame(_points(found))
    ranks = int(table["rank"].max())  # with the rows below, where gold that was not kept stands
    kept = int(table["rank"][table["kept"]].max())
    limit = 125 if len(found.answered) > 3 else 210  # pixels, beside the outer columns
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
        axis=alt.Axis(
            tickMinStep=1,
            tickCount=ranks,
            grid=False,
            domain=False,
            format="d",
            labelExpr=f"datum.value > {kept} ? 'not retrieved' : datum.label",
        ),
        title="Rank",
    )
    what = [
        alt.Tooltip("passage:N", title="Passage"),
        alt.Tooltip("retriever:N", title="Retriever"),
        alt.Tooltip("standing:N", title="Rank"),
        alt.Tooltip("score:Q", title="Score", format=".3f"),
        alt.Tooltip("gold:N", title="Gold"),
    ]
    base = alt.Chart(table).encode(x=x, y=y, tooltip=what)
    gold = LETTERS["gold"].of(st.context.theme.type)
    lines = base.mark_line(interpolate="monotone").encode(
        alt.Detail("line:N"),
        _conditional_channel(alt.ColorValue, GOLD, gold, "#8a93a0"),
        _conditional_channel(alt.SizeValue, GOLD, 4, 1.3),
        _conditional_channel(alt.OpacityValue, GOLD, 1, 0.55),
    )
    points = base.mark_point(filled=True).encode(
        _conditional_channel(alt.OpacityValue, "datum.kept", 1, 0.4),
        alt.Color("retriever:N", scale=alt.Scale(domain=names, range=colours), legend=None),
        alt.Shape(
            "gold:N",
            scale=alt.Scale(domain=[*_SAYS.values(), "no"], range=[_STAR, _STAR, _OPEN, "square"]),
            legend=None,
        ),
        _conditional_channel(alt.SizeValue, GOLD, 210, 290),
    )
    # Retrievers of one family have one tint: the letters say which it is, in grey too.
    letters = (
        base.transform_filter(f"!({GOLD})")
        .mark_text(fontSize=9, fontWeight="bold", color=INK)
        .encode(alt.Text("badge:N"))
    )
    return alt.layer(
        lines,
        points,
        letters,
        *_names(base, "datum.first", "right", -14, limit),
        *_names(base, "datum.last", "left", 14, limit),
    ).properties(height=ROW * ranks + 40)


def _conditional_channel(channel: type[Any], test: str, value: object, other: object) -> Any:
    """Return a channel of `value` where `test` holds, else of `other`.

    `alt.condition` and names of channels take Altair 3 to 9 ms each: it tries every schema.
    """
    return channel(other, condition={"test": test, "value": value})


def _names(
    base: alt.Chart, where: str, align: Literal["left", "right"], dx: int, limit: int
) -> tuple[alt.Chart, alt.Chart]:
    """Return the layers with titles beside the points of one column, gold titles in bold."""
    names = base.transform_filter(where).encode(alt.Text("passage:N"))
    look: dict[str, Any] = {"align": align, "dx": dx, "limit": limit, "color": "currentColor"}
    return (
        names.transform_filter(GOLD).mark_text(fontWeight="bold", **look),
        names.transform_filter(f"!({GOLD})").mark_text(fontWeight="normal", **look),
    )


_STAR = (
    "M0,-1.1L0.31,-0.41L1.05,-0.34L0.49,0.16L0.65,0.89L0,0.51"
    "L-0.65,0.89L-0.49,0.16L-1.05,-0.34L-0.31,-0.41Z"
)

# The same with a smaller one within it, which winds against it.
_OPEN = (
    f"{_STAR}M0,-0.62L-0.17,-0.23L-0.59,-0.19L-0.27,0.09L-0.36,0.5L0,0.29"
    "L0.36,0.5L0.27,0.09L0.59,-0.19L0.17,-0.23Z"
)
_SAYS: dict[Sayer, str] = {"given": "given", "rules": "by rules", "hand": "by hand"}


def _points(found: Comparison) -> Iterator[dict[str, object]]:
    """Yield a point for each rank; lost gold is below the ranks, each in its own row."""
    kept = [column.ranking for column in found.answered]
    below = max(map(len, kept)) + 1
    gold = [p for p in dict.fromkeys(p for ranking in kept for p in ranking) if found.is_gold(p)]
    before: dict[str, str] = {}
    for number, column in enumerate(found.answered):
        # A line ends where the next retriever has no such passage, and begins anew after it.
        lines: dict[str, str] = {}
        scores = {hit.passage_id: hit.score for hit in column.hits}
        ranked = [(rank, name) for rank, name in enumerate(column.ranking, 1)]
        missed = [(below + row, name) for row, name in enumerate(gold) if name not in scores]
        for rank, name in (*ranked, *missed):
            passage = found.passage(name)
            lines[name] = name if name in gold else before.get(name, f"{number} {name}")
            yield {
                "line": lines[name],
                "passage": passage.title or passage.id,
                "retriever": column.name,
                "badge": column.card.badge,
                "rank": rank,
                "standing": str(rank) if name in scores else "not retrieved",
                "score": scores.get(name),
                "gold": _SAYS[found.said.author_of(name)] if name in gold else "no",
                "kept": name in scores,
                "first": column is found.answered[0],
                "last": column is found.answered[-1],
            }
        before = lines
