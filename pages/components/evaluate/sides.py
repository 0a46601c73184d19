"""A run from several sides: slices by a field, curves, and what it took."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.runs import Run, Runs
from core.runs.board import Interval
from pages.components.evaluate import charts
from pages.components.evaluate.funnel import show_funnel
from pages.components.evaluate.names import badged
from pages.components.evaluate.reading import curves_of, fields, slices_of, standings_of
from pages.components.evaluate.view import SIDES, change, press, viewed

_ROW, _HEAD, _MOST = 35, 37, 12
_SIDE, _FIELD = "evaluate_side", "evaluate_field"


def show_sides(runs: Runs, run: Run, measure: str) -> None:
    """One side at a time, above the questions."""
    st.session_state[_SIDE] = side = viewed().side
    row = st.container(horizontal=True, gap="small", key="evaluate_sides")
    row.segmented_control(
        "Side",
        SIDES,
        key=_SIDE,
        required=True,
        label_visibility="collapsed",
        width="content",
        on_change=lambda: change(side=st.session_state[_SIDE]),
    )
    if side == "Funnel":
        show_funnel(runs, run, row)
    elif side == "Curves":
        _curves(runs, run)
    elif side == "Cost":
        st.altair_chart(charts.cost_chart(standings_of(runs, run), measure), width="stretch")
        st.caption(
            "Lines are 95 % intervals. Of retrievers that take about the same those that take more "
            "are moved to the right, so that none covers another; each tells its own number."
        )
    elif side == "Slices":
        _slices(runs, run, measure)


def _slices(runs: Runs, run: Run, measure: str) -> None:
    names = fields(runs, run)
    if not names:
        st.caption("Nothing tells these questions apart: no data set, type, hops or other field.")
        return
    st.session_state[_FIELD] = name = viewed().split if viewed().split in names else names[0]
    st.segmented_control(
        "By",
        names,
        key=_FIELD,
        required=True,
        label_visibility="collapsed",
        on_change=lambda: change(split=st.session_state[_FIELD]),
    )
    found = slices_of(runs, run, name, measure)
    table = pd.DataFrame(
        [
            {
                name: each.value,
                "Questions": each.questions,
                **{one: _spread(each.by[one]) for one in run.retrievers if one in each.by},
            }
            for each in found
        ]
    )
    number = st.column_config.NumberColumn
    key = f"evaluate_slices_{run.id}_{measure}_{name}"
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        placeholder="",
        height=_HEAD + _ROW * min(len(found), _MOST),
        column_config={
            "Questions": number(width=80),
            **{
                one: st.column_config.TextColumn(badged(one), help="Mean, and its 95 % interval")
                for one in run.retrievers
            },
        },
        on_select=partial(_take, key, run, name, [each.value for each in found]),
        selection_mode="single-cell",
    )


def _spread(found: Interval) -> str:
    """The mean with its 95 % interval, or of how many questions it is where there is none."""
    if found.mean is None:
        return ""
    if found.low is None or found.high is None:
        return f"{found.mean:.1f} (n = {found.n})"
    return f"{found.mean:.1f} ({found.low:.1f} to {found.high:.1f})"


def _take(key: str, run: Run, field: str, values: Sequence[str]) -> None:
    """List the questions of the number that was clicked."""
    if cells := st.session_state[key].selection.cells:
        row, column = cells[0]
        retriever = column if column in run.retrievers else viewed().retriever
        press(retriever=retriever, field=field, value=values[row])


def _curves(runs: Runs, run: Run) -> None:
    recall, rounds = curves_of(runs, run)
    left, right = st.columns(2, gap="large")
    curves = {badged(name): curve for name, curve in recall.items()}
    left.altair_chart(charts.recall_chart(curves), width="stretch")
    walks = {badged(name): course for name, course in rounds.items() if len(course) > 1}
    if walks:
        right.altair_chart(charts.round_chart(walks, list(curves)), width="stretch")
    else:
        right.caption("None of these retrievers goes by rounds.")
