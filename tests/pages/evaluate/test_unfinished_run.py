"""Evaluate while a run is measured: each retriever has all, some or none of its questions."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core import jobs
from core.artefacts.workbench import Workbench
from core.jobs.journal import Journal
from core.retrievers import Spec
from core.runs import Row, Run, Runs
from core.runs.measuring import begin
from core.store.locking.writer_lock import writer_lock
from core.types import Query
from tests.pages.conftest import QUESTION
from tests.pages.evaluate.evaluate_page import SPECS, page
from tests.pages.journeys import raw

ASKED = [replace(QUESTION, id=name, type=name, text=f"{name}?") for name in ("bridge", "other")]


def measured(bench: Workbench, runs: Runs, asked: Sequence[Sequence[Query]]) -> Run:
    """Return a run in which each retriever was asked some questions, and found one passage."""
    specs = list(map(Spec.parse, SPECS))
    run = begin(bench, ASKED, specs, name="Begun", question_set="file")
    for name, queries in zip(run.retrievers, asked, strict=True):
        rows = [Row(name, query, dict.fromkeys(query.gold, 1), ("club",)) for query in queries]
        runs.append(run.id, rows)
    return run


DRAWN = ("Funnel", "Slices", "Curves", "Cost")
FIRST, LAST = ASKED
BARE = replace(FIRST, gold=())


SHARES = [
    pytest.param([[], [], []], id="none"),
    pytest.param([ASKED, [], []], id="only the first"),
    pytest.param([ASKED, [FIRST], []], id="a part of the second"),
    pytest.param([[FIRST], [], []], id="a part of the first"),
    pytest.param([[FIRST], [LAST], []], id="different questions"),
    pytest.param([[FIRST], [FIRST], [FIRST]], id="one question"),
    pytest.param([[BARE], [], []], id="a question without gold"),
]


@pytest.mark.usefixtures("valid_charts")
@pytest.mark.parametrize("asked", SHARES)
def test_charts_are_drawn_while_a_run_is_measured(
    bench: Workbench, runs: Runs, asked: Sequence[Sequence[Query]]
) -> None:
    run = measured(bench, runs, asked)
    place = jobs.evaluation_place(bench.index.path)
    place.mkdir(exist_ok=True)
    Journal(place).start(jobs.Job("evaluate", bench.index.path, run=run.id))
    with writer_lock(place, "an evaluation"):
        for side in DRAWN:
            page(run=run.id, side=side)


@pytest.mark.usefixtures("valid_charts")
@pytest.mark.parametrize("asked", SHARES)
def test_charts_are_drawn_of_a_run_that_was_stopped(
    bench: Workbench, runs: Runs, asked: Sequence[Sequence[Query]]
) -> None:
    run = measured(bench, runs, asked)
    runs.end(run.id, "stopped")
    for side in DRAWN:
        page(run=run.id, side=side)


@pytest.mark.usefixtures("valid_charts")
def test_a_finished_retriever_alone_has_its_measure_and_no_differences(
    bench: Workbench, runs: Runs
) -> None:
    run = measured(bench, runs, [ASKED, [FIRST], []])
    titles = " ".join(raw(page(run=run.id)))
    assert "R@5, % with 95% interval" in titles
    assert "Points from" not in titles
