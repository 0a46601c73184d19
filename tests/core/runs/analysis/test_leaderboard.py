"""What is summed up over a run, against sums by hand; and what other tools make of it."""

from pathlib import Path

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, RR, R, nDCG

from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.evaluation import pair
from core.evaluation.paired import FEWEST_FOR_INTERVAL, difference, margin_of
from core.pipelines import MOST, import_results, read_results
from core.retrievers import Spec
from core.runs import MEASURES, Other, Run, Runs, Where
from core.runs.analysis.leaderboard import Interval, against, interval, leaderboard_rows
from core.runs.analysis.slices import fields_of, found_by_round, recall_curve, slices, within
from core.runs.evaluation_report import report_of
from core.runs.measuring import begin, evaluate, measure
from core.runs.trec.export import write_trec
from core.types import Query
from tests.core.five import QUESTION
from tests.core.runs.hand_made import hand_made


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


@pytest.fixture
def run(runs: Runs) -> Run:
    return hand_made(runs)


def test_means_have_their_interval():
    shares = np.array([1 / 2, 0, 1, 0, 1 / 2])
    margin = margin_of(shares)
    assert margin
    found = interval([*shares, None])
    assert found.n == 5
    assert found.mean == pytest.approx(100 * (1 / 2 + 0 + 1 + 0 + 1 / 2) / 5)
    assert found.low == max(0.0, 100 * (shares.mean() - margin))
    assert found.high == pytest.approx(min(100, 100 * (shares.mean() + margin)))


@pytest.mark.parametrize("count", [1, 2, FEWEST_FOR_INTERVAL - 1])
def test_too_few_questions_have_a_mean_without_interval(count: int):
    shares = np.full(count, 1 / 3)
    assert interval([*shares]) == Interval(count, pytest.approx(100 / 3))
    assert (difference("R@5", shares).low, difference("R@5", shares).high) == (None, None)


def test_measures_are_means_over_the_questions_with_gold(runs: Runs, run: Run):
    bm25, _ = leaderboard_rows(runs, run)
    found = bm25.measures["R@5"]
    assert (found.n, found.low, found.high) == (3, None, None)
    assert found.mean == pytest.approx(100 * (1 / 2 + 0 + 1) / 3)
    assert bm25.asked == 4
    assert bm25.seconds_p50 == pytest.approx(((1 - 0.5) + (2 - 0.5) + (3 - 0.5) + (4 - 0.5)) / 4)


def test_calls_and_tokens_are_means_over_all_questions(runs: Runs, run: Run):
    walk = leaderboard_rows(runs, run)[1]
    assert (walk.calls, walk.tokens) == (4 / 4, 100 / 4)


def test_wins_ties_and_losses_against_the_baseline(runs: Runs, run: Run):
    found = against(runs, run, Other(run.id, "bm25"), "R@5")["walk"]
    assert (found.better, found.equal, found.worse) == (2, 0, 1)
    assert found.mean == pytest.approx(100 * (1 / 2 + 1 - 1) / 3)
    won = Where(other=Other(run.id, "bm25"), won="better", measured_by="R@5")
    assert {each.question.id for each in runs.rows(run.id, "walk", won)} == {"a", "b"}


def test_against_the_same_retriever_of_another_run(runs: Runs, run: Run):
    found = against(runs, run, Other(run.id, "walk"), "all@20")
    assert set(found) == {"bm25"}


def test_slices_by_any_field(runs: Runs, run: Run):
    assert fields_of(runs, run) == ["dataset", "type", "hops", "level"]
    hard, easy = sorted(slices(runs, run, "level", "R@5"), key=lambda each: each.value != "hard")
    assert (hard.value, hard.questions, easy.questions) == ("hard", 2, 2)
    assert hard.by["bm25"].mean == pytest.approx(100 * (1 / 2 + 1) / 2)
    assert easy.by["walk"].n == 1
    hops = slices(runs, run, "hops", "R@20")
    assert [(each.value, each.questions) for each in hops] == [("0", 1), ("1", 2), ("2", 1)]
    only = leaderboard_rows(runs, run, within(Where(), "dataset", "news"))
    assert only[0].asked == 2


def test_recall_at_k_grows_where_gold_stands(runs: Runs, run: Run):
    assert recall_curve(runs, run, "bm25") == [
        (1, pytest.approx(100 * (1 / 2) / 3)),
        (3, pytest.approx(100 * (1 / 2 + 1) / 3)),
        (7, pytest.approx(100 * (1 + 1) / 3)),
    ]


def test_found_after_each_round(runs: Runs, run: Run):
    assert found_by_round(runs, run, "bm25") == [
        pytest.approx(100 * (1 / 2) / 3),
        pytest.approx(100 * (2 / 2) / 3),
        pytest.approx(100 * (2 / 2 + 1) / 3),
    ]
    assert found_by_round(runs, run, "walk") == []


SPECS = [Spec.parse("bm25"), Spec.parse("hoprag-similarity")]
ASKED = [QUESTION, Query("q 2", "Who toured with the band?", gold=("singer", "stadium"))]


@pytest.fixture
def measured(workbench: Workbench) -> Run:
    run = begin(workbench, ASKED, SPECS, name="Five", question_set="file")
    measure(run, workbench)
    return run


def test_a_run_reports_what_the_command_measures(workbench: Workbench, measured: Run):
    kept = report_of(Runs(workbench.index.path), measured)
    alone = evaluate(ASKED, workbench, SPECS)
    for key in ("bm25", "hoprag-similarity"):
        assert kept.measures(key).shares == alone.measures(key).shares
        assert kept.measures(key).judgements == alone.measures(key).judgements
    assert pair(kept, "bm25") == pair(alone, "bm25")


def test_other_tools_measure_the_same(workbench: Workbench, measured: Run, tmp_path: Path):
    runs = Runs(workbench.index.path)
    qrels, *files = write_trec(runs, measured, tmp_path / "trec", workbench.index)
    assert [path.name for path in files] == ["bm25.run", "hoprag-similarity.run"]
    by_name = {str(each): each for each in (R @ 2, R @ 5, nDCG @ 10, RR, AP)}
    for standing, path in zip(leaderboard_rows(runs, measured), files, strict=True):
        found = ir_measures.calc_aggregate(
            by_name.values(),
            list(ir_measures.read_trec_qrels(str(qrels))),
            list(ir_measures.read_trec_run(str(path))),
        )
        for name, asked in by_name.items():
            assert standing.measures[name].mean == pytest.approx(100 * found[asked])


def test_a_run_made_elsewhere_becomes_a_column(workbench: Workbench, measured: Run, tmp_path: Path):
    runs = Runs(workbench.index.path)
    _, bm25, _ = write_trec(runs, measured, tmp_path, workbench.index)
    found = read_results(bm25, runs.questions(measured.id), workbench.index, "elsewhere")
    column = import_results(runs, measured, found, workbench.index)
    again = runs.get(measured.id)
    ours, _, theirs = leaderboard_rows(runs, again)
    assert theirs.retriever == column.retriever == "elsewhere"
    assert {name: theirs.measures[name] for name in MEASURES} == dict(ours.measures)
    assert theirs.seconds_p50 is None
    assert against(runs, again, Other(again.id, "bm25"), "R@5")["elsewhere"].equal == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no run at all\n", "Line 1 of bad.run is not a line of a TREC run"),
        (b"q1 Q0 town 1 high tag\n", "Line 1 of bad.run is not a line of a TREC run"),
        (b"q1 Q0 town 1 2.0 tag\n\nq1 Q0 owner 2 nan tag\n", "Line 3 .* the score nan"),
        (b"q1 Q0 town 1 inf tag\n", "the score inf"),
        (b"other Q0 town 1 0.5 tag\n", r"none of the 2 questions of the run.*'q1'"),
        (b"q1 Q0 p1 1 0.5 tag\nq1 Q0 p2 2 0.4 tag", "none of the passages of five"),
        (b"\x00\xff\xfe\x80" * 100, "its content is not text"),
        (b"", "bad.run contains no results"),
    ],
)
def test_what_is_no_run_of_these_questions_is_refused(
    workbench: Workbench, measured: Run, tmp_path: Path, content: bytes, said: str
):
    path = tmp_path / "bad.run"
    path.write_bytes(content)
    with pytest.raises(InputError, match=said):
        read_results(path, Runs(workbench.index.path).questions(measured.id), workbench.index)
    assert Runs(workbench.index.path).get(measured.id).retrievers == measured.retrievers


def test_scores_rank_whatever_the_ranks_say(workbench: Workbench, measured: Run, tmp_path: Path):
    """A passage that is there twice has its better score; so many count, however many there are."""
    path = tmp_path / "odd.run"
    more = [f"q1 Q0 other{n} 1 {-n} tag" for n in range(3 * MOST)]
    lines = ["q1 Q0 town 1 0.5 tag", *more, "q1 Q0 owner 1 0.9 tag", "q1 Q0 town 1 0.95 tag"]
    path.write_text("\n".join(lines))
    runs = Runs(workbench.index.path)
    found = read_results(path, runs.questions(measured.id), workbench.index)
    column = import_results(runs, measured, found, workbench.index, force=True)
    row = runs.row(measured.id, column.retriever, "q1")
    assert row
    assert row.hits[:3] == ("town", "owner", "other0")
    assert len(row.hits) == MOST
    assert row.ranks == {"owner": 2, "town": 1}


@pytest.mark.parametrize("name", ["", " ", "x" * 81, "bm25"])
def test_a_column_has_a_name_of_its_own(
    workbench: Workbench, measured: Run, tmp_path: Path, name: str
):
    path = tmp_path / f"{name.strip() or ' '}.run"
    path.write_text("q1 Q0 town 1 0.5 tag\n")
    runs = Runs(workbench.index.path)

    def imported() -> None:
        found = read_results(path, runs.questions(measured.id), workbench.index, name)
        import_results(runs, measured, found, workbench.index)

    with pytest.raises(InputError, match="name"):
        imported()
