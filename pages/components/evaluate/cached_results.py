"""Cached results of runs, recomputed when something is written."""

import streamlit as st

from core.evaluation.paired import Difference
from core.marks import Marks
from core.measures import MEASURES
from core.measures import USUAL as USUAL_MEASURES
from core.places import Place
from core.runs import Other, Run, Runs
from core.runs.analysis.chain_slices import CHAIN, Slice, chain_slices, cutoff_of
from core.runs.analysis.cross_index import CrossIndex, Side, compare_indexes
from core.runs.analysis.leaderboard import LeaderboardRow, against, leaderboard_rows
from core.runs.analysis.slices import fields_of, found_by_round, recall_curve, slices
from core.runs.gold_changes import Remarked, asked_by_hand, remarked_since
from core.runs.store.listing import ANSWERS
from core.store.index import Index
from core.studies.conclusion import conclusion_of_run

SHOWN = USUAL_MEASURES
"""Measures in the order in which they stand side by side."""
MORE = tuple(name for name in MEASURES if name not in SHOWN)
"""Measures that are chosen from a list."""
USUAL = "R@5"


def standings_of(runs: Runs, run: Run) -> list[LeaderboardRow]:
    """Return the leaderboard rows of the retrievers in `run`, which may leave some out."""
    found = _leaderboard_rows(runs.path.parent, run.id, runs.stamp())
    return [each for each in found if each.retriever in run.retrievers]


@st.cache_data(max_entries=20, show_spinner=False)
def _leaderboard_rows(folder: Place, run: str, stamp: str) -> list[LeaderboardRow]:  # noqa: ARG001
    runs = Runs(folder)
    return leaderboard_rows(runs, runs.get(run))


def differences_of(runs: Runs, run: Run, baseline: Other, measure: str) -> dict[str, Difference]:
    return _differences(runs.path.parent, run.id, baseline, measure, runs.stamp())


@st.cache_data(max_entries=50, show_spinner=False)
def _differences(
    folder: Place,
    run: str,
    baseline: Other,
    measure: str,
    stamp: str,  # noqa: ARG001
) -> dict[str, Difference]:
    """Return each retriever's difference from the baseline, which may belong to another run."""
    runs = Runs(folder)
    found = runs.get(run)
    if baseline.run == run:
        return against(runs, found, baseline, measure)
    # Each retriever with itself as it was in the other run.
    pairs = {}
    for retriever in found.retrievers:
        each = against(runs, found, Other(baseline.run, baseline.retriever or retriever), measure)
        if retriever in each:
            pairs[retriever] = each[retriever]
    return pairs


def sweep_conclusion(runs: Runs, run: Run, measure: str, retrievers: tuple[str, ...]) -> str:
    """Return the conclusion of a sweep over settings of one retriever."""
    return _sweep_conclusion(runs.path.parent, run.id, measure, retrievers, runs.stamp())


@st.cache_data(max_entries=50, show_spinner=False)
def _sweep_conclusion(
    folder: Place,
    run: str,
    measure: str,
    retrievers: tuple[str, ...],
    stamp: str,  # noqa: ARG001
) -> str:
    """Return the first sentence of a sweep's conclusion; empty if the run is no sweep."""
    runs = Runs(folder)
    told = conclusion_of_run(runs, runs.get(run), measure, retrievers)
    return told.lead if told else ""


def remarked_of(runs: Runs, run: Run, index: Index) -> Remarked:
    marked = Marks(index.path).stamp()
    return _gold_changes(run, index, (run.id, runs.stamp(), marked, index.meta.finished_at))


@st.cache_data(max_entries=50, show_spinner=False)
def _gold_changes(_run: Run, _index: Index, key: tuple[object, ...]) -> Remarked:  # noqa: ARG001
    return remarked_since(_run, _index)


def by_hand_of(runs: Runs, run: Run, index: Index) -> int:
    """Return how many questions of `run` had gold that was marked by hand."""
    marked = Marks(index.path).stamp()
    return _by_hand(run, index, (run.id, runs.stamp(), marked, index.meta.finished_at))


@st.cache_data(max_entries=50, show_spinner=False)
def _by_hand(_run: Run, _index: Index, key: tuple[object, ...]) -> int:  # noqa: ARG001
    return asked_by_hand(_run, _index)


def slices_of(runs: Runs, run: Run, field: str, measure: str) -> list[Slice]:
    return _slices(runs.path.parent, run.id, field, measure, runs.stamp())


@st.cache_data(max_entries=50, show_spinner=False)
def _slices(folder: Place, run: str, field: str, measure: str, stamp: str) -> list[Slice]:  # noqa: ARG001
    """Return the measure in each slice of `field`; a chain is sliced by evidence position."""
    runs = Runs(folder)
    if field == CHAIN:
        return chain_slices(runs, runs.get(run), cutoff_of(measure))
    return slices(runs, runs.get(run), field, ANSWERS.get(measure, measure))


def cross_index(ours: Side, theirs: Side) -> CrossIndex:
    """Compare runs of two indexes; InputError where they cannot be compared."""
    sides = (ours, theirs)
    key = tuple((one.run.id, one.runs.stamp(), one.index.meta.finished_at) for one in sides)
    return _cross_index(ours, theirs, key)


@st.cache_resource(max_entries=20, show_spinner="Comparing the indexes…")
def _cross_index(_ours: Side, _theirs: Side, key: tuple[object, ...]) -> CrossIndex:  # noqa: ARG001
    return compare_indexes(_ours, _theirs)


def fields(runs: Runs, run: Run) -> list[str]:
    return _fields(runs.path.parent, run.id)


@st.cache_data(max_entries=50, show_spinner=False)
def _fields(folder: Place, run: str) -> list[str]:
    runs = Runs(folder)
    return fields_of(runs, runs.get(run))


Curves = tuple[dict[str, list[tuple[int, float]]], dict[str, list[float]]]


def curves_of(runs: Runs, run: Run) -> Curves:
    """Return, by retriever, recall at each k and the gold found after each round."""
    recall, rounds = _curves(runs.path.parent, run.id, runs.stamp())
    return (
        {name: recall[name] for name in run.retrievers},
        {name: rounds[name] for name in run.retrievers},
    )


@st.cache_data(max_entries=20, show_spinner=False)
def _curves(folder: Place, run: str, stamp: str) -> Curves:  # noqa: ARG001
    """Return each retriever's recall curve, and its gold found after each round."""
    runs = Runs(folder)
    names = runs.get(run).retrievers
    return (
        {name: recall_curve(runs, runs.get(run), name) for name in names},
        {name: found_by_round(runs, runs.get(run), name) for name in names},
    )
