"""How similar each search of a retrieval is to the one before it."""

import pytest

from core.artefacts.workbench import Workbench
from core.retrievers import Spec
from core.runs import Run, Runs
from core.runs.measuring import begin, measure
from core.runs.reused_rows import take_over
from core.runs.store.listing import ALL, clauses, column
from tests.core.five import QUESTION
from tests.core.retrievers.scripted import sent, walked

SPECS = ("logicrag(over=dense)", "logicrag(over=bm25)", "dense")


@pytest.fixture
def run(workbench: Workbench) -> Run:
    begun = begin(workbench, [QUESTION], [Spec.parse(text) for text in SPECS], name="S")
    measure(begun, workbench)
    return begun


def values(runs: Runs, run: Run, retriever: str, name: str) -> list[float | None]:
    sql, given = clauses(run.id, retriever, ALL)
    return [value for (value,) in runs.read(f"SELECT {column(name)}{sql}", *given)]


def test_it_is_the_cosine_of_consecutive_queries(workbench: Workbench, run: Run):
    first, second = workbench.embedder.encode(sent(walked(workbench, SPECS[0])))
    runs = Runs(workbench.index.path)
    expected = pytest.approx(float(first @ second))
    assert values(runs, run, SPECS[0], "query similarity") == [expected]
    assert values(runs, run, SPECS[0], "query similarity 2") == [expected]
    assert values(runs, run, SPECS[0], "query similarity 3") == [None]


def test_searches_that_embed_nothing_and_single_searches_have_none(workbench: Workbench, run: Run):
    runs = Runs(workbench.index.path)
    assert values(runs, run, SPECS[1], "query similarity") == [None]
    assert values(runs, run, SPECS[2], "query similarity") == [None]


def test_rows_that_are_taken_over_keep_it(workbench: Workbench, run: Run):
    runs = Runs(workbench.index.path)
    again = begin(workbench, [QUESTION], [Spec.parse(SPECS[0])], name="Again")
    take_over(workbench, runs, again)
    assert runs.similarities(again.id, SPECS[0]) == runs.similarities(run.id, SPECS[0]) != {}
