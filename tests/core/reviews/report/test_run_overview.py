"""The report says how the whole run did: measures, gold by gate, groups with what would keep it."""

from markdown_it import MarkdownIt

from core.artefacts.workbench import Workbench
from core.retrievers import Spec
from core.reviews import Review
from core.reviews.report.markdown import escape
from core.reviews.report.markdown_report import report
from core.reviews.report.run_overview import overview
from core.runs import Runs
from core.runs.analysis.leaderboard import leaderboard_rows
from core.runs.fixes import lost_of, rescued
from core.runs.measuring import begin, measure
from core.runs.question_sets import own_questions
from tests.core.five import QUESTION

NARROW, WALK = "bm25(top_k=1)", "hoprag-similarity(top_k=1,n_hop=1)"


def test_the_report_has_the_measures_the_gates_and_the_groups_of_its_run(workbench: Workbench):
    specs = [Spec.parse(text) for text in (NARROW, WALK)]
    run = begin(workbench, own_questions(workbench.index), specs, name="First *run*")
    measure(run, workbench)
    runs = Runs(workbench.index.path)
    row = runs.row(run.id, NARROW, QUESTION.id)
    assert row

    (before,) = overview(run, workbench, {NARROW}).groups[NARROW]
    assert before.alike.questions == (QUESTION.id,)
    assert len(lost_of(row)) == 2
    assert before.kept[-1] == "No search for a fix has been run for either of them yet."
    rescued(run, row, workbench)
    whole = overview(run, workbench, {NARROW})
    (group,) = whole.groups[NARROW]
    assert any(" retrieved; " in sentence for sentence in group.kept)

    reviews = [Review("ada", QUESTION.text, NARROW, "fail", run=run.id)]
    told = report("five", reviews, {}, {}, listed=1, date="2026-01-02", overview=whole)
    assert "\n1 question of the index, started " in told
    assert "## Run: First \\*run\\*" in told
    for one in leaderboard_rows(runs, run):
        cells = [f"{one.measures[name].mean:.1f}" for name in ("R@5", "R@20", "all@20", "nDCG@10")]
        assert f"| {one.retriever} | 1 | 1 | {' | '.join(cells)} | " in told
    gates = [rung.said for rung in whole.ladders[WALK]]
    assert f"| retriever | {' | '.join(gates)} |" in told  # of the one that walks, which has more
    lefts = {rung.name: str(rung.left) for rung in whole.ladders[NARROW]}
    cells = [lefts.get(rung.name, "") for rung in whole.ladders[WALK]]
    assert f"| {NARROW} | {' | '.join(cells)} |" in told
    assert f"| 1 | 2 | {escape(group.alike.name)} | {' '.join(group.kept)} |" in told
    html = MarkdownIt("commonmark").enable("table").render(told)
    assert html.count("<table>") == told.count("\n| --- |")
