"""The selection of the questions behind a clicked number."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.funnel.stages import stage_words
from core.runs import ALL, MEASURES, Order, Other, Run, Runs, Where, Won
from core.runs.analysis.chain_slices import CHAIN, evidence_by_hop
from core.runs.analysis.slices import within
from core.runs.analysis.stage_flows import questions_at
from core.runs.store.listing import ANSWERS
from pages.components.evaluate.column_names import CHOICES, named
from pages.components.evaluate.state import View
from pages.components.runs.result_list import split

NOTHING = ("",)  # no question has this id
_WON: dict[str, Won] = {"better": "better", "equal": "equal", "worse": "worse"}
COSTS = {"Time": "seconds", CHOICES: "judgements", "Calls": "calls", "Tokens": "tokens"}
"""Columns of what it cost, with what they are measured by."""


@dataclass(frozen=True)
class Pick:
    """Questions of one retriever of a run, and a description of the selection."""

    run: str
    retriever: str
    title: str
    where: Where = ALL
    order: Order = "worst"


def worst_of(run: Run, retriever: str, measure: str) -> Pick:
    """Return all results of a retriever, lowest measure first."""
    title = f"{named(retriever)}: worst first by {measure}"
    return Pick(run.id, retriever, title, Where(measured_by=measure))


def of_cell(run: Run, retriever: str, column: str, measure: str, baseline: Other) -> Pick:
    """Return the questions behind the number of `retriever` in `column` of the leaderboard."""
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
        title = f"{named(retriever)} against {whom}: largest loss of {measure} first"
        return replace(pick, title=title, where=against, order="regressions")
    if column in COSTS:
        by = COSTS[column]
        title = f"{named(retriever)}: most {by} first"
        return replace(pick, title=title, where=Where(measured_by=by), order="best")
    if column in ANSWERS:
        return replace(worst_of(run, retriever, column), where=Where(measured_by=ANSWERS[column]))
    return worst_of(run, retriever, column) if column in MEASURES else pick


def of_slice(run: Run, retriever: str, field: str, value: str, measure: str) -> Pick:
    """Return the questions of one value of a field."""
    pick = worst_of(run, retriever, measure)
    title = f"{named(retriever)}: {field} {value}, worst first by {measure}"
    return replace(pick, title=title, where=within(pick.where, field, value))


def of_hop(run: Run, runs: Runs, retriever: str, hop: str) -> Pick:
    """Return the questions with evidence at a position of the reasoning chain."""
    chains = evidence_by_hop(runs, run)
    ids = tuple(name for name, by_hop in chains.items() if hop in map(str, by_hop))
    title = f"{named(retriever)}: with evidence at hop {hop}, worst first"
    return replace(
        worst_of(run, retriever, "recall"), title=title, where=Where(questions=ids or NOTHING)
    )


def of_pair(run: Run, runs: Runs, view: View) -> Pick:
    """Return the questions that have gold at stages of `view.retriever` and at stages of
    `view.beside`.
    """
    both = ((view.retriever, split(view.stages)), (view.beside, split(view.there)))
    ids = questions_at(runs, run.id, *both)
    said = [f"{named(name)}: {_selection_in_words(stages)}" for name, stages in both if stages]
    return Pick(run.id, view.retriever, "; ".join(said), Where(questions=ids or NOTHING))


def picked(run: Run, runs: Runs, view: View, baseline: Other) -> Pick:
    """Return the questions that `view` lists; the worst ones until a number is selected."""
    if view.beside and (view.stages or view.there):
        return of_pair(run, runs, view)
    if view.field == CHAIN:
        found = of_hop(run, runs, view.retriever, view.value)
    elif view.field:
        found = of_slice(run, view.retriever, view.field, view.value, view.measure)
    else:
        found = of_cell(run, view.retriever, view.column, view.measure, baseline)
    if not view.stages:
        return found
    title = f"{found.title}, with gold {_selection_in_words(split(view.stages))}"
    return replace(found, title=title, where=replace(found.where, stages=split(view.stages)))


def _selection_in_words(stages: Sequence[str]) -> str:
    return ", ".join(map(stage_words, stages))
