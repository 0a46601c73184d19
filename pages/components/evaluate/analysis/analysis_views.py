"""Analysis views of a run: slices by a field, curves, and costs."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.evaluation.paired import NO_INTERVAL, interval_text
from core.runs import Run, Runs
from core.runs.analysis.chain_slices import CHAIN, cutoff_of
from core.runs.analysis.leaderboard import Interval
from core.runs.analysis.slices import is_number
from core.runs.store.listing import ANSWERS
from core.store.index import Index
from pages.components.evaluate.analysis import curves
from pages.components.evaluate.analysis.funnel import show_funnel
from pages.components.evaluate.analysis.other_index import show_other_index
from pages.components.evaluate.analysis.slice_panels import show_slice_panels, slice_name
from pages.components.evaluate.cached_results import curves_of, fields, slices_of, standings_of
from pages.components.evaluate.column_names import are_told_apart, badged, letters, named
from pages.components.evaluate.state import SIDES, change, press, viewed
from pages.components.shell import layout
from pages.components.shell.charts import show_chart
from pages.components.shell.client_input.selections import selected_cell
from pages.components.shell.glossary import hint

_ROW, _HEAD, _MOST = 35, 37, 12
_SPREAD = "spread "
"""Of the name of a column: the interval of the retriever that follows."""
_SIDE, _FIELD = "evaluate_side", "evaluate_field"


def show_sides(runs: Runs, run: Run, measure: str, index: Index, row: DeltaGenerator) -> None:
    """Draw one of the analysis views above the questions; the choice is drawn in `row`."""
    st.session_state[_SIDE] = side = viewed().side
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
        _costs(runs, run, measure)
    elif side == "Slices":
        _slices(runs, run, measure)
    elif side == "Other index":
        show_other_index(run, index)


def _costs(runs: Runs, run: Run, measure: str) -> None:
    """Draw a chart for each kind of cost, two in a row, with the measure over the cost."""
    drawn = curves.cost_charts(standings_of(runs, run), measure)
    for first in range(0, len(drawn), 2):
        pair = drawn[first : first + 2]
        for chart, place in zip(pair, st.columns(len(pair), gap="large"), strict=True):
            show_chart(chart, place)
    st.caption(
        f"{_key(run.retrievers)}Vertical lines are 95% intervals of {measure}. "
        "Overlapping letters are drawn side by side, each with a thin line to its point."
    )


def _slices(runs: Runs, run: Run, measure: str) -> None:
    """Draw the measure of each slice as panels and as a table; a click lists the questions."""
    names = fields(runs, run)
    if not names:
        st.caption("These questions have no fields to slice by, such as data set, type or hops.")
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
    measure = _measure_of_slices(runs, run, measure)
    what = f"{measure} of each slice"
    if name == CHAIN:
        what = f"R@{cutoff_of(measure)} of the evidence at each position of the reasoning chain"
    st.caption(f"Mean {what}, in percent, with its 95% interval.", help=hint("slice"))
    found = slices_of(runs, run, name, measure)
    key = f"evaluate_slices_{run.id}_{measure}_{name}"
    with st.container(key="evaluate_slice_panels"):
        show_slice_panels(run, name, found, f"{key}_panel")
    numbers = all(map(is_number, (each.value for each in found)))
    table = pd.DataFrame(
        [
            {
                name: float(each.value) if numbers else slice_name(name, each.value),
                "Questions": each.questions,
                **{
                    place: cell
                    for one in run.retrievers
                    if one in each.by
                    for place, cell in _cells(one, each.by[one]).items()
                },
            }
            for each in found
        ]
    )
    number = st.column_config.NumberColumn
    heads = {one: badged(one) for one in run.retrievers}
    if are_told_apart([*heads.values()]):
        heads = {one: letters(name) for one, name in heads.items()}
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        placeholder="",
        height=_HEAD + _ROW * min(len(found), _MOST),
        column_config={
            **({name: number(name, width=70, format="%g")} if numbers else {}),
            "Questions": number(width=74),
            **{
                one: number(head, format="%.1f", width=58, help=f"{named(one)}: {what}, %")
                for one, head in heads.items()
            },
            **{
                _SPREAD + one: st.column_config.TextColumn(
                    "95% interval",
                    width=100,
                    help=f"95% interval of the mean, or n: {NO_INTERVAL}",
                )
                for one in run.retrievers
            },
        },
        on_select=partial(_list_questions, key, run, name, [each.value for each in found]),
        selection_mode="single-cell",
    )


def _measure_of_slices(runs: Runs, run: Run, measure: str) -> str:
    """Return the page's measure, or a measure of answers that the user selects."""
    found = standings_of(runs, run)
    known = [name for name in ANSWERS if any(one.answers.get(name) is not None for one in found)]
    if not known:
        return measure
    chosen = st.segmented_control(
        "Measure of the slices",
        (measure, *known),
        key=f"evaluate_slices_by_{measure}",
        default=measure,
        required=True,
        label_visibility="collapsed",
    )
    return str(chosen)


def _cells(retriever: str, found: Interval) -> dict[str, object]:
    """Return the mean, by which a column is sorted, and its interval if known."""
    few = f"n = {found.n}" if found.mean is not None else ""
    return {
        retriever: found.mean,
        _SPREAD + retriever: interval_text(found.low, found.high) or few,
    }


def _list_questions(key: str, run: Run, field: str, values: Sequence[str]) -> None:
    """List the questions behind the clicked number."""
    if cell := selected_cell(st.session_state[key], values):
        value, column = cell
        of = column.removeprefix(_SPREAD)
        retriever = of if of in run.retrievers else viewed().retriever
        press(retriever=retriever, field=field, value=value)


def _curves(runs: Runs, run: Run) -> None:
    """Draw recall over k and, for retrievers that work in rounds, gold found by round."""
    recall, rounds = curves_of(runs, run)
    left, right = st.columns(2, gap="large")
    show_chart(curves.recall_chart(recall), left)
    walks = {name: course for name, course in rounds.items() if len(course) > 1}
    if walks:
        show_chart(curves.round_chart(walks), right)
    else:
        right.caption("None of these retrievers works in rounds.")
    st.caption(
        layout.literal(
            f"{_key(run.retrievers)}The right chart shows retrievers that work in rounds."
        )
    )


def _key(retrievers: Sequence[str]) -> str:
    """Explain the letters in a chart; empty if it has a legend."""
    names = {badged(name): named(name) for name in retrievers}
    if not are_told_apart([*names]):
        return ""
    return f"{', '.join(f'{letters(one)}: {name}' for one, name in names.items())}. "
