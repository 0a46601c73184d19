"""Which questions a number stands for: what a click on it lists."""

from dataclasses import dataclass, replace
from typing import Literal

import streamlit as st

from core.runs import ALL, MEASURES, Order, Other, Run, Where
from core.runs.slices import within
from pages.components.evaluate.names import named

_PICK, _PRESSED = "evaluate_pick", "evaluate_pressed"
PAGE = "evaluate_page"
Won = Literal["better", "equal", "worse"]
_WON: dict[str, Won] = {"better": "better", "equal": "equal", "worse": "worse"}
COSTS = {"Time": "seconds", "Judged": "judgements", "Calls": "calls", "Tokens": "tokens"}
"""Columns of what it cost, with what they are measured by."""
ANSWERS = {"EM": "em", "F1": "f1"}
"""Columns of answers likewise."""


@dataclass(frozen=True)
class Pick:
    """Questions of one retriever of a run, and the words that say which."""

    run: str
    retriever: str
    title: str
    where: Where = ALL
    order: Order = "worst"


def worst_of(run: Run, retriever: str, measure: str) -> Pick:
    """All of a retriever, those first of which it found least."""
    title = f"{named(retriever)}: worst first by {measure}"
    return Pick(run.id, retriever, title, Where(measured_by=measure))


def of_cell(run: Run, retriever: str, column: str, measure: str, baseline: Other) -> Pick:
    """What stands behind the number of `retriever` in `column` of the board."""
    pick = worst_of(run, retriever, measure)
    other = Other(baseline.run, baseline.retriever or retriever)
    against = Where(other=other, measured_by=measure)
    whom = named(other.retriever) if baseline.retriever else "before"
    if won := _WON.get(column):
        title = (
            f"{named(retriever)}: {won} {'to' if won == 'equal' else 'than'} {whom} by {measure}"
        )
        return replace(pick, title=title, where=replace(against, won=won), order="apart")
    if column in ("points", "between", "p"):
        title = f"{named(retriever)} against {whom}: lost most {measure} first"
        return replace(pick, title=title, where=against, order="regressions")
    if column in COSTS:
        by = COSTS[column]
        title = f"{named(retriever)}: most {by} first"
        return replace(pick, title=title, where=Where(measured_by=by), order="best")
    if column in ANSWERS:
        return replace(worst_of(run, retriever, column), where=Where(measured_by=ANSWERS[column]))
    return worst_of(run, retriever, column) if column in MEASURES else pick


def of_slice(run: Run, retriever: str, field: str, value: str, measure: str) -> Pick:
    """The questions of one value of a field."""
    pick = worst_of(run, retriever, measure)
    title = f"{named(retriever)}: {field} {value}, worst first by {measure}"
    return replace(pick, title=title, where=within(pick.where, field, value))


def put(pick: Pick) -> None:
    """List these questions from now on."""
    st.session_state[_PRESSED] = presses() + 1
    if st.session_state.get(_PICK) != pick:
        st.session_state[_PICK] = pick
        st.session_state[PAGE] = 0


def presses() -> int:
    """How often a number was pressed in this session."""
    return int(st.session_state.get(_PRESSED, 0))


def picked(run: Run, measure: str) -> Pick | None:
    """What is listed of a run: the first retriever's worst until a number is clicked."""
    pick: Pick | None = st.session_state.get(_PICK)
    if pick and pick.run == run.id and pick.retriever in run.retrievers:
        return pick
    return worst_of(run, run.retrievers[0], measure) if run.retrievers else None
