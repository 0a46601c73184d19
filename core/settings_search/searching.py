"""Asking a question set with many settings of one retriever, as a run that can be resumed."""

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.evaluation.running import Counted
from core.measures import MEASURES
from core.retrievers import Spec
from core.runs.configuration import configuration
from core.runs.measuring import begin, measure
from core.runs.question_sets import OWN
from core.runs.reused_rows import take_over
from core.runs.run import Column, Run
from core.runs.store import MAX_NAME, Runs
from core.settings_search.findings import mean_of, scores_of
from core.settings_search.grid import (
    MOST,
    Axis,
    axes_of,
    read_axis,
    reserved,
    single_changes,
    together,
)
from core.settings_search.halves import Half, halves
from core.types import Query

MEASURE = "R@20"


def begin_search(
    workbench: Workbench,
    questions: Sequence[Query],
    base: Spec,
    axes: Sequence[Axis] = (),
    *,
    name: str = "",
    most: int = MOST,
    seed: int = 0,
    measured_by: str = MEASURE,
    question_set: str = OWN,
    by: str = "",
    runs: Runs | None = None,
) -> Run:
    """Store a new search; rows of earlier runs with the same configuration are taken over.

    Parameters
    ----------
    axes : the settings and values to try; without, a small grid of each numeric setting.
    most : how many settings are tried, the base not counted.
    seed : of the split into halves.
    runs : where it is stored; without, beside the index.

    Raises
    ------
    InputError : no question has gold, there is no setting to try, or nothing is measured so.
    StoreError : it cannot be written.
    """
    if not any(question.gold for question in questions):
        raise InputError("No question has gold, so no setting can be better than another.")
    if measured_by not in MEASURES:
        known = ", ".join(MEASURES)
        raise InputError(f"Unknown measure {measured_by!r}. Choose one of {known}.")
    wanted = tuple(axes) or axes_of(base)
    specs = single_changes(base, wanted, _alone(wanted, most))
    if not specs:
        raise InputError(f"{base} has no other setting to try. Name one, such as top_k=10,30.")
    kept = runs or Runs(workbench.index.path)
    run = begin(
        workbench,
        questions,
        [base, *specs],
        name=name or f"Search of {base}"[:MAX_NAME],
        question_set=question_set,
        baseline=str(base),
        by=by,
        more={
            "search": str(base),
            "search_axes": json.dumps([str(each) for each in wanted]),
            "search_most": most,
            "search_seed": seed,
            "search_measure": measured_by,
        },
        runs=kept,
    )
    take_over(workbench, kept, run)
    return run


def search(
    run: Run, workbench: Workbench, on_progress: Counted | None = None, *, runs: Runs | None = None
) -> None:
    """Run the remaining settings: each single change, then the best two together.

    Parameters
    ----------
    on_progress, runs : as for `core.runs.measuring.measure`. An exception from `on_progress` ends
        the search; finished results are kept, and the search can be resumed.

    Raises
    ------
    InputError : the index is another one than when the search began.
    HopRagError : what ended it early.
    """
    kept = runs or Runs(workbench.index.path)
    axes = json.loads(str(run.settings["search_axes"]))
    planned = run.questions * (1 + int(run.settings["search_most"]))

    def so_far(done: int, total: int) -> None:
        if on_progress:
            on_progress(done, max(planned, total) if len(axes) > 1 else total)

    measure(run, workbench, so_far, runs=kept)
    more = [one for one in _together(kept, run) if str(one) not in run.retrievers]
    for spec in more:
        kept.add_column(run.id, Column(str(spec), configuration(workbench, spec)))
    whole = kept.get(run.id)
    take_over(workbench, kept, whole)
    measure(whole, workbench, on_progress, runs=kept)


def _alone(axes: Sequence[Axis], most: int) -> int:
    """Return how many settings are tried one at a time; pairs need two axes."""
    return most - reserved(most) if len(axes) > 1 else most


def _together(runs: Runs, run: Run) -> list[Spec]:
    """Return the best pairs of each half, to be tested on the other half."""
    base, most = Spec.parse(str(run.settings["search"])), int(run.settings["search_most"])
    axes = [read_axis(one, base) for one in json.loads(str(run.settings["search_axes"]))]
    alone = single_changes(base, axes, _alone(axes, most))
    measured_by = str(run.settings["search_measure"])
    scores = {one: scores_of(runs, run, str(one), measured_by) for one in (base, *alone)}
    first, second = halves(runs.questions(run.id), int(run.settings["search_seed"]))
    pairs = most - len(alone)
    by_half = [together(base, axes, _gains(scores, base, half), pairs) for half in (first, second)]
    in_turn = (one for each in zip_longest(*by_half) for one in each if one)
    return list(dict.fromkeys(in_turn))[:pairs]


def _gains(scores: Mapping[Spec, Mapping[str, float]], base: Spec, half: Half) -> dict[Spec, float]:
    now = mean_of(scores[base], half)
    return {spec: mean_of(each, half) - now for spec, each in scores.items() if spec != base}
