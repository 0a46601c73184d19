"""A search over the settings of a retriever: started from a run, with its findings."""

import altair as alt
import pandas as pd
import streamlit as st

from core.artefacts.workbench import Workbench
from core.evaluation.paired import UNTESTED, interval_text
from core.retrievers import Spec
from core.runs import Run, Runs
from core.runs.store import MAX_NAME
from core.settings_search import MOST, Compared, Findings, Tried, findings
from core.settings_search.findings import COSTS, Cost
from core.text.display import plurals
from pages.components.evaluate.column_names import CHOICES, named
from pages.components.evaluate.run_progress import running
from pages.components.shell import layout
from pages.components.shell.actions import run_actions
from pages.components.shell.charts import show_chart
from pages.components.shell.figures import AXIS_NUMBERS
from pages.components.shell.formatting import duration
from pages.components.shell.retriever_colours import mark_tint_of
from pages.components.shell.visitors.visitor import visitor

_COSTS: dict[Cost, tuple[str, str]] = {
    "seconds": ("Time, ms", "Median retrieval time per question, ms"),
    "judgements": (CHOICES, f"{CHOICES} per question, mean"),
    "calls": ("Calls", "Model calls per question, mean"),
    "tokens": ("Tokens", "Tokens per question, mean"),
}
"""By cost the title of its column and of its axis."""
_HEIGHT, _ROW, _HEAD, _ROWS = 320, 35, 37, 10  # pixels, rows
_COST = "evaluate_search_cost"


def offer_search(workbench: Workbench, runs: Runs, run: Run, retriever: str, measure: str) -> str:
    """Draw a button that searches settings of `retriever`; return the id of a started search."""
    spec = Spec.known(retriever) if run.configuration(retriever) else None
    if spec is None or not visitor().may_edit or run.is_search:
        return ""
    told = (
        f"Tries up to {MOST} settings of {named(retriever)}. Half of the questions select the "
        f"best by {measure}; the other half test it."
    )
    if spec.asks_model:
        st.caption(
            f"{named(retriever)} may call a model. Search its settings on the command line, where "
            "search-settings accepts a budget."
        )
        return ""
    pressed = st.button(
        f"Search settings (about {duration(_seconds(runs, run, retriever))})",
        key="evaluate_search",
        help=layout.literal(told),
        disabled=running(workbench.index) is not None,
    )
    if not pressed:
        return ""
    taken = {one.name for one in runs.all()}
    name = f"Search of {named(retriever)}"[: MAX_NAME - 4]
    number = next(n for n in range(1, len(taken) + 2) if f"{name} {n}" not in taken)
    search = run_actions.search_settings(
        *(workbench, runs.questions(run.id), spec),
        name=f"{name} {number}",
        question_set=run.question_set,
        measure=measure,
    )
    return search.id


def _seconds(runs: Runs, run: Run, retriever: str) -> float:
    """Return how long all settings take if each takes as long as `retriever` did."""
    ((seconds,),) = runs.read(
        "SELECT total(seconds) FROM rows WHERE run = ? AND retriever = ?", run.id, retriever
    )
    return MOST * float(seconds)


def show_search(runs: Runs, run: Run) -> None:
    """Draw the decision, recall over cost, and every tried setting."""
    found = _findings(runs, run)
    if not found.tried:
        st.caption("No setting has been tried on all questions yet.")
        return
    st.text(found.decision)
    used = [cost for cost in COSTS if any(one.costs[cost] for one in found.tried)]
    if not used:
        _table(found, used)
        return
    left, right = st.columns((3, 4), gap="medium")
    with left:
        cost = st.segmented_control(
            "Recall against",
            used,
            key=_COST,
            default="judgements" if "judgements" in used else used[0],
            format_func=lambda one: _COSTS[one][0],
            required=True,
        )
        show_chart(_chart(found, cost))
    with right:
        _table(found, used)
    st.caption(
        f"{found.measure} over {plurals.number(found.questions, 'question')} is descriptive. Only "
        "differences on held-out questions are tested. Filled points are Pareto-optimal: no other "
        "setting has the same recall at lower cost. Times depend on the machine's load."
    )


def _findings(runs: Runs, run: Run) -> Findings:
    return _found(str(runs.path.parent), run.id, runs.stamp(), runs)


@st.cache_data(max_entries=20, show_spinner=False)
def _found(folder: str, run: str, stamp: str, _runs: Runs) -> Findings:  # noqa: ARG001
    return findings(_runs, _runs.get(run))


def _table(found: Findings, used: list[Cost]) -> None:
    """Draw every tried setting with its measure, costs and, if tested, its held-out gain."""
    held = {one.retriever: one for one in reversed(found.compared)}
    rows = [_row(one, found.measure, held.get(one.retriever), used) for one in found.tried]
    tested = ["Held out", "95%", "Holm p"] if held else []
    order = ["Setting", found.measure, *tested, *(_COSTS[cost][0] for cost in used)]
    st.dataframe(
        pd.DataFrame(rows, columns=[*order, "half 1", "half 2", "Pareto-best by"]),
        hide_index=True,
        height=_HEAD + _ROW * min(_ROWS, len(rows)),
        column_config={
            "Held out": st.column_config.TextColumn(
                help="Gain over the current settings on held-out questions, in percentage points"
            ),
            "Setting": st.column_config.TextColumn(width=190),
            **{
                name: st.column_config.NumberColumn(format="%.1f")
                for name in (found.measure, "half 1", "half 2", *(_COSTS[c][0] for c in used))
            },
        },
    )


def _row(one: Tried, measure: str, held: Compared | None, used: list[Cost]) -> dict[str, object]:
    """Return a tried setting as a table row; `held` is its comparison on held-out questions."""
    low, high = (held.held_out.low, held.held_out.high) if held else (None, None)
    p = "" if held is None else UNTESTED if held.holm is None else f"{held.holm:.3f}"
    return {
        "Setting": one.told,
        measure: one.mean,
        "Held out": f"{held.held_out.mean:+z.1f}" if held else "",
        "95%": interval_text(low, high, "+z.1f"),
        "Holm p": p,
        **{_COSTS[cost][0]: _amount(one, cost) for cost in used},
        "half 1": one.halves[0],
        "half 2": one.halves[1],
        "Pareto-best by": ", ".join(_COSTS[cost][0].split(",")[0] for cost in one.best_by),
    }


def _amount(one: Tried, cost: Cost) -> float:
    return one.costs[cost] * (1000 if cost == "seconds" else 1)


def _chart(found: Findings, cost: Cost) -> alt.LayerChart | alt.FacetChart:
    """Return a point for each setting, filled where it is Pareto-best,
    with a line through those.
    """
    table = pd.DataFrame(
        {
            "setting": one.told,
            "cost": _amount(one, cost),
            "mean": one.mean,
            "best": cost in one.best_by,
            "now": one.retriever == found.base,
        }
        for one in found.tried
    )
    tint = mark_tint_of(found.base)
    scale, axis = alt.Scale(zero=False, padding=20), alt.Axis(format=AXIS_NUMBERS)
    base = alt.Chart(table).encode(
        x=alt.X("cost:Q", title=_COSTS[cost][1], scale=scale, axis=axis),
        y=alt.Y("mean:Q", title=f"{found.measure}, %", scale=scale, axis=axis),
        tooltip=[
            alt.Tooltip("setting"),
            alt.Tooltip("mean", title=found.measure, format=".1f"),
            alt.Tooltip("cost", title=_COSTS[cost][0], format=",.1f"),
        ],
    )
    best = base.transform_filter("datum.best")
    marked = base.transform_filter("datum.now")
    return alt.layer(
        best.mark_line(color=tint, strokeWidth=1, interpolate="step-after"),
        base.mark_point(color=tint, size=60),
        best.mark_point(color=tint, filled=True, size=90, opacity=1),
        marked.mark_point(color=tint, size=220, shape="square"),
        marked.mark_text(align="left", dx=12, dy=12, text="now", fontWeight="bold", color=tint),
    ).properties(height=_HEIGHT)
