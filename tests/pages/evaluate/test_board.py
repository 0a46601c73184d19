"""The table of measures on Evaluate, its baseline, and the drawings below it."""

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.artefacts.workbench import Workbench
from core.evaluation.role_costs import RoleCost
from core.funnel.flow import through
from core.marks import set_gold
from core.retrievers import Spec
from core.reviews import Change, Reviews
from core.runs import Other, Row, Run, Runs
from core.runs.analysis.leaderboard import Interval, LeaderboardRow, leaderboard_rows
from core.runs.measuring import begin, measure
from core.store.index import Index
from pages.components.evaluate import baseline
from pages.components.evaluate.analysis import curves, funnel
from pages.components.evaluate.cached_results import MORE, SHOWN, USUAL
from pages.components.evaluate.questions import question_selection
from pages.components.evaluate.state import BOARDS
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from tests.pages.conftest import QUESTION, TINY
from tests.pages.evaluate.evaluate_page import SPECS, begun, page
from tests.pages.journeys import checked, opened, raw, words


def test_a_run_that_is_not_there_is_said(run: Run) -> None:
    told = "The run in this link does not exist. Showing First."
    assert [one.value.replace("\\", "") for one in page(run="gone").info] == [told]
    assert not page(run=run.id).info


def test_the_board_pairs_with_the_baseline(run: Run):
    app = page()
    board = app.dataframe[0].value.set_index("Retriever")
    assert board["better"].isna().tolist() == [True, False, False]
    app.selectbox(key="evaluate_base").select(Other(run.id, "bm25"))
    checked(app.run())
    assert app.dataframe[0].value["better"].isna().tolist() == [False, True, False]


def board_width(app: AppTest) -> int:
    """Of the columns that are shown, and the frame of the table, in pixels."""
    columns = json.loads(app.dataframe[0].proto.columns)
    return 2 + sum(columns[name]["width"] for name in app.dataframe[0].value)


NARROW = 780  # pixels that a window of 1024 has beside the menu


@pytest.mark.parametrize("measure_", SHOWN)
@pytest.mark.parametrize("board", BOARDS)
def test_no_column_of_the_board_is_cut_off_in_a_narrow_window(run: Run, board: str, measure_: str):
    assert board_width(page(board=board, measure=measure_)) <= NARROW


def test_all_measures_stand_side_by_side(run: Run):
    app = page(board="measures", measure="R@10")
    assert set(app.dataframe[0].value) == {"Retriever", *SHOWN}


@pytest.mark.parametrize("measure_", [*SHOWN, *MORE])
def test_every_measure_can_be_chosen_and_orders_the_questions(run: Run, measure_: str):
    app = page(measure=measure_, board="hits")
    assert measure_ in app.dataframe[0].value
    assert f"worst first by {measure_}" in words(app)


def test_a_measure_of_the_list_takes_its_place_beside_the_others(run: Run):
    app = page()
    app.selectbox(key="evaluate_more_measures").select("F1@10")
    checked(app.run())
    assert app.query_params["measure"] == "F1@10"
    assert "F1@10" in app.dataframe[0].value


def test_gold_by_hand_is_counted_where_a_run_asked_with_it(bench: Workbench):
    measure(begun(bench, "Before"), bench)
    set_gold(bench.index, QUESTION.text, "singer", gold=True)
    assert "by hand" not in told_of_gold(page())
    measure(begun(bench, "After"), bench)
    assert "with gold (1 by hand)." in told_of_gold(page())


def told_of_gold(app: AppTest) -> str:
    (told,) = [each.value for each in app.caption if "in percent, over" in each.value]
    return told.replace("\\", "")


def back_from_another_page(app: AppTest) -> AppTest:
    for name in ("explore", "evaluate"):
        app.query_params.clear()
        app.switch_page(f"pages/{name}.py")
        checked(app.run())
    return app


def test_what_a_run_is_set_against_stays_when_one_comes_back(bench: Workbench):
    first, second = begun(bench, "First"), begun(bench, "Second")
    for each in (first, second):
        measure(each, bench)
    app = page(run=second.id)
    usual = app.selectbox(key="evaluate_base").value
    other = next(Other(second.id, one) for one in SPECS if one != usual.retriever)
    app.selectbox(key="evaluate_base").select(other)
    checked(app.run())
    assert back_from_another_page(app).selectbox(key="evaluate_base").value == other
    assert "".join(app.query_params["base"]) == other.retriever
    app.selectbox(key="evaluate_run").set_value(first.id)
    checked(app.run())
    assert app.selectbox(key="evaluate_base").value == Other(first.id, usual.retriever)
    app.selectbox(key="evaluate_run").set_value(second.id)
    checked(app.run())
    assert app.selectbox(key="evaluate_base").value == other


def test_what_a_run_is_set_against_at_first_is_the_same_for_every_measure(
    run: Run, monkeypatch: pytest.MonkeyPatch
):
    def standing(name: str, place: int) -> LeaderboardRow:
        shares = {each: 100.0 * (each == USUAL) for each in SHOWN}
        measures = {each: Interval(1, share if place else 50.0) for each, share in shares.items()}
        return LeaderboardRow(name, "", 1, measures, None, None, 0.0, 0.0, 0.0)

    found = [standing(name, place) for place, name in enumerate(SPECS)]
    monkeypatch.setattr(baseline, "standings_of", lambda *_: found)
    at_first = {page(measure=each).selectbox(key="evaluate_base").value for each in SHOWN}
    assert at_first == {Other(run.id, "bm25")}


def test_the_newest_run_is_opened_and_not_that_which_was_reviewed(tiny_index: Index, run: Run):
    said = Change(QUESTION.text, run.retrievers[0], verdict="fail", run=run.id)
    Reviews(tiny_index.path).say("ann", [said])
    bench = Workbench(tiny_index, WordEmbedder(), making=silent)
    newer = begin(bench, [QUESTION], [Spec("bm25")], name="newer", question_set="x")
    measure(newer, bench)
    assert page().query_params["run"] == newer.id


@pytest.mark.usefixtures("valid_charts")
def test_every_side_is_drawn(run: Run):
    app = page()
    for side in ("Slices", "Curves", "Cost", "Questions"):
        app.segmented_control(key="evaluate_side").set_value(side)
        checked(app.run())


def test_labels_of_a_funnel_cross_no_other_node():
    flow = through({"absent": 1, "unranked": 7, "kept": 2}, "log")
    (series,) = funnel.drawn(flow, "#000")["series"]
    at = {node["name"]: node["label"]["position"] for node in series["data"]}
    assert (at["absent"], at["unranked"], at["result"]) == ("bottom", "right", "right")


def test_two_runs_are_set_against_one_another(run: Run, bench: Workbench):
    later = begun(bench, "Second")
    measure(later, bench)
    app = page(run=later.id)
    app.selectbox(key="evaluate_base").select(Other(run.id, ""))
    checked(app.run())
    board = app.dataframe[0].value
    assert board["equal"].tolist() == [1, 1, 1]


def test_compare_shows_what_was_counted_under_the_same_configuration(run: Run, runs: Runs):
    compared = opened(
        "compare", index=TINY, q=QUESTION.text, **{"with": ",".join(SPECS), "k": "20"}
    )
    shown = " ".join(raw(compared))
    for retriever in SPECS:
        assert f"configuration {run.configuration(retriever)}" in shown
        row = runs.row(run.id, retriever, QUESTION.id)
        assert row
        kept = sum(rank is not None for rank in row.ranks.values())
        assert f"<b>{kept} of {len(row.ranks)}</b>" in shown


def test_an_old_address_shows_the_newest(run: Run):
    app = page(run="gone")
    assert app.selectbox(key="evaluate_run").value == run.id


def test_against_a_run_before_each_is_paired_with_itself(run: Run):
    pick = question_selection.of_cell(run, "bm25", "worse", "R@5", Other("before", ""))
    assert pick.where.other == Other("before", "bm25")
    assert pick.title == "BM25: worse than before by R@5"


def test_points_that_take_nearly_the_same_stand_where_they_were_measured() -> None:
    measures = {"R@5": Interval(9, 50.0, 40.0, 60.0)}
    found = [
        LeaderboardRow(name, "", 9, measures, seconds, seconds, 0.0, 0.0, 0.0)
        for name, seconds in (("bm25", 0.003), ("dense", 0.005), ("hybrid", 0.2))
    ]
    (drawn,) = curves.cost_charts(found, "R@5")
    layers = drawn.to_dict()["layer"]
    points = [one["mark"] for one in layers if one["mark"]["type"] == "point"]
    assert not any("xOffset" in mark for mark in points)
    letters = [one["mark"]["xOffset"] for one in layers if one["mark"]["type"] == "text"]
    assert letters[0] < letters[1]
    assert letters[2] == 0


def test_an_axis_of_one_value_has_no_more_decimals_than_it_needs(runs: Runs, run: Run):
    (drawn, *_) = curves.cost_charts(leaderboard_rows(runs, run), "R@5")
    axes = [one["encoding"]["y"].get("axis") for one in drawn.to_dict()["layer"]]
    assert next(one for one in axes if one) == {"format": ",~f"}


def test_answers_are_sliced_by_their_own_measures(bench: Workbench, runs: Runs):
    """Two types of questions, answered and judged by hand."""
    asked = [replace(QUESTION, id=name, type=name, text=f"{name}?") for name in ("bridge", "other")]
    run = begin(bench, asked, [Spec("bm25")], name="Judged", question_set="file")
    for query, em, judge in zip(asked, (0.0, 1.0), (1.0, 1.0), strict=True):
        row = Row("bm25", query, dict.fromkeys(query.gold), ("club",), em=em, f1=em)
        runs.append(run.id, [replace(row, answer="a", accuracy=em, judge=judge)])
    runs.end(run.id, "finished")
    app = page(side="Slices", split="type", board="measures")
    board, sliced = app.dataframe[0].value, app.dataframe[1].value
    assert [board[name].tolist() for name in ("EM", "Judge", "Agreement")] == [[50], [100], [50]]
    assert sliced["bm25"].tolist() == [0, 0]  # R@5
    chosen = next(one for one in app.segmented_control if "slices_by" in str(one.key))
    checked(chosen.set_value("Judge").run())
    assert app.dataframe[1].value["bm25"].tolist() == [100, 100]


def test_model_calls_are_listed_by_role(bench: Workbench, runs: Runs):
    run = begin(bench, [QUESTION], [Spec("bm25")], name="Read", question_set="file")
    row = Row("bm25", QUESTION, dict.fromkeys(QUESTION.gold), ("club",), calls=3, tokens=70)
    costs = (RoleCost("reader", "big", 1, 0, 40, 10, 0.5, 0.002), RoleCost("judge", "small", 2))
    runs.append(run.id, [replace(row, costs=costs)])
    runs.end(run.id, "finished")
    app = page(board="measures")
    roles = next(one.value for one in app.dataframe if "Role" in one.value)
    assert roles["Role"].tolist() == ["reader", "judge"]
    assert roles["$ per 1,000 questions"].tolist()[0] == 2
    assert roles["Tokens in"].tolist() == [40, 0]
