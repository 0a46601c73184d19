"""What models took for each question of a run, by role and model."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.cli.evaluation_tables import costs_table
from core.evaluation.role_costs import RoleCost, mean_costs
from core.jobs.maker import metered
from core.models.leave import Leave
from core.models.money.budget import Budget
from core.retrievers import Spec
from core.runs import Run, Runs
from core.runs.analysis.leaderboard import model_costs
from core.runs.evaluation_report import report_of
from core.runs.measuring import begin, measure
from core.runs.reused_rows import take_over
from core.runs.store.listing import ALL, clauses, column
from core.runs.store.model_costs import TABLE
from core.settings import settings
from core.types import Query
from tests.core.five import QUESTION
from tests.llm.server import Answer, ChatServer, Request, endpoint

PLANS = "logicrag(over=bm25)"
OPEN = Query("q3", "Where does it lie?", gold=("town",))
PRICES = "[scripted]\nin = 1\nout = 10\n[reader]\nin = 100\nout = 1000\n"
IN, OUT = 100, 20  # tokens of a call
CHEAP, DEAR = (1 * IN + 10 * OUT) / 1e6, (100 * IN + 1000 * OUT) / 1e6


def script(request: Request) -> Answer:
    data = request.data
    if "references" in data:
        said: object = {"reason": "", "correct": True}
    elif "passages" in data:
        said = {"reasoning": "", "citations": [], "found": True, "answer": "a clock"}
    elif "most" in data:
        said = {"questions": [data["question"]]}
    else:
        said = {"memory": "", "enough": True, "next": None, "answers": [""]}
    return Answer(json.dumps(said), tokens=(IN, OUT))


@pytest.fixture
def bench(
    workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workbench]:
    """One model plans and judges, another one reads; both have a price."""
    (tmp_path / "prices.toml").write_text(PRICES)
    monkeypatch.setenv("HOPRAG_PRICES", str(tmp_path / "prices.toml"))
    settings.cache_clear()
    with ChatServer(script) as server:
        one = endpoint(server)
        two = replace(one, reader=replace(one, model="reader"))
        oracle, _ = metered(workbench.index.path, two, Leave("a test"), Budget())
        yield workbench.with_oracle(oracle)
    settings.cache_clear()


def measured(bench: Workbench, *specs: str, judge: bool = False, name: str = "Two") -> Run:
    run = begin(
        bench,
        [QUESTION, OPEN],
        [Spec.parse(text) for text in specs],
        name=name,
        answers=True,
        judge=judge,
    )
    measure(run, bench)
    return run


def values(runs: Runs, run: Run, retriever: str, measure: str) -> list[float | None]:
    sql, given = clauses(run.id, retriever, ALL)
    rows = runs.read(f"SELECT {column(measure)}{sql} ORDER BY q.number", *given)
    return [value for (value,) in rows]


def test_each_role_has_its_calls_tokens_and_price(bench: Workbench):
    """Two calls plan and remember, one reads the answer of the question that has one."""
    run = measured(bench, PLANS, "bm25", judge=True)
    runs = Runs(bench.index.path)
    plans, bm25 = (runs.model_costs(run.id, key) for key in (PLANS, "bm25"))
    assert [(one.role, one.model, one.calls) for one in plans["q1"]] == [
        ("judge", "scripted", 1),
        ("reader", "reader", 1),
        ("retriever", "scripted", 2),
    ]
    by_role = {one.role: one for one in plans["q1"]}
    assert by_role["retriever"].tokens == 2 * (IN + OUT)
    assert by_role["retriever"].price == pytest.approx(2 * CHEAP)
    assert by_role["reader"].price == pytest.approx(DEAR)
    assert by_role["reader"].seconds > 0
    assert [one.role for one in plans["q3"]] == ["retriever"]  # nobody knows its answer
    assert [one.role for one in bm25["q1"]] == ["judge", "reader"]
    assert bm25["q3"] == ()


def test_the_roles_add_up_to_the_calls_and_tokens_of_a_row(bench: Workbench):
    run = measured(bench, PLANS, "bm25")
    runs = Runs(bench.index.path)
    for retriever in run.retrievers:
        costs = runs.model_costs(run.id, retriever)
        for row in runs.every(run.id, retriever):
            assert sum(one.calls for one in costs[row.question.id]) == row.calls
            assert sum(one.tokens for one in costs[row.question.id]) == row.tokens


def test_they_are_measures_of_a_question(bench: Workbench):
    run = measured(bench, PLANS, "bm25")
    runs = Runs(bench.index.path)
    assert values(runs, run, PLANS, "retriever calls") == [2, 2]
    assert values(runs, run, PLANS, "reader tokens") == [IN + OUT, None]
    assert values(runs, run, PLANS, "price") == pytest.approx([2 * CHEAP + DEAR, 2 * CHEAP])
    assert values(runs, run, "bm25", "retriever tokens") == [0, 0]
    assert values(runs, run, "bm25", "price") == pytest.approx([DEAR, 0])


def test_a_run_shows_their_means_per_question(bench: Workbench):
    run = measured(bench, PLANS)
    runs = Runs(bench.index.path)
    means = {one.role: one for _, one in model_costs(runs, run)}
    assert (means["retriever"].calls, means["reader"].calls) == (2, 0.5)
    assert means["reader"].price == pytest.approx(DEAR / 2)
    report = report_of(runs, run)
    written = report.to_json()["retrievers"][PLANS]
    assert [one["role"] for one in written["costs"]] == ["retriever", "reader"]
    assert written["by_question"][0]["costs"]
    table = costs_table(report)
    assert table
    assert table.row_count == 2


def test_a_run_that_takes_rows_over_takes_their_costs(bench: Workbench):
    first = measured(bench, PLANS)
    runs = Runs(bench.index.path)
    second = begin(bench, [QUESTION], [Spec.parse(PLANS)], name="Again", answers=True)
    take_over(bench, runs, second)
    expected = runs.model_costs(first.id, PLANS)["q1"]
    assert runs.model_costs(second.id, PLANS) == {"q1": expected}


def test_runs_of_earlier_versions_have_none(bench: Workbench):
    run = measured(bench, PLANS, "bm25")
    runs = Runs(bench.index.path)
    with runs._file.transaction() as written:
        written.execute(f"DROP TABLE {TABLE}")
    assert runs.model_costs(run.id, PLANS) == {}
    assert values(runs, run, PLANS, "retriever tokens") == [None, None]
    assert values(runs, run, PLANS, "price") == [None, None]
    assert model_costs(runs, run) == []
    assert costs_table(report_of(runs, run)) is None


def test_a_price_that_is_not_known_for_all_is_known_for_none():
    known = RoleCost("reader", "m", calls=1, price=0.5)
    assert mean_costs([(known,), (replace(known, price=None),)])[0].price is None
    assert mean_costs([(known,), None, ()])[0].price == 0.25
