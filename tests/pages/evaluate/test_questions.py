"""The list of questions on Evaluate, what leads to it, and where its rows lead."""

from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.funnel.flow import between, through
from core.retrievers import Spec
from core.runs import MEASURES, Other, Run, Runs
from core.runs.analysis.leaderboard import against, leaderboard_rows
from core.runs.analysis.slices import fields_of, slices
from core.runs.analysis.stage_flows import stage_pairs
from core.runs.measuring import begin, measure
from core.runs.question_sets import own_questions
from pages.components.evaluate.cached_results import SHOWN
from pages.components.evaluate.questions import question_selection
from pages.components.evaluate.questions.question_selection import picked
from pages.components.evaluate.state import View
from tests.core.runs.hand_made import hand_made
from tests.pages.conftest import QUESTION
from tests.pages.evaluate.evaluate_page import page, row_labels
from tests.pages.journeys import checked, here, words


def test_a_question_opens_its_film(run: Run):
    app = page()
    assert row_labels(app)[0].startswith("In which town")
    checked(app.button(key="evaluate_row_0").click().run())
    assert here(app) == "Trace"
    assert app.query_params["q"] == QUESTION.text
    assert app.query_params["retriever"] == "hoprag-similarity"


def test_a_lost_passage_leads_to_the_film_that_keeps_it(bench: Workbench):
    made = begin(bench, own_questions(bench.index), [Spec.parse("bm25(top_k=1)")], name="Short")
    measure(made, bench)
    app = page(run=made.id)
    checked(app.button(key="evaluate_lost_0").click().run())
    assert "Port Selby" in words(app)
    assert "below the top" in words(app)
    checked(app.button(key="evaluate_rescue").click().run())
    assert "instead of 1: rank" in words(app)
    assert not [one for one in app.button if one.key == "evaluate_rescue"]
    checked(app.button(key="evaluate_saved_0").click().run())
    assert here(app) == "Trace"
    assert app.query_params["q"] == QUESTION.text
    assert Spec.parse(app.query_params["retriever"]).values["top_k"] > 1


def test_the_questions_of_a_number_are_reviewed_in_errors(run: Run):
    app = page()
    checked(app.button(key="evaluate_review").click().run())
    assert here(app) == "Errors"
    assert app.query_params["run"] == run.id
    assert app.query_params["retriever"] == "hoprag-similarity"


def test_what_is_reviewed_is_at_the_stage_of_the_list(run: Run):
    app = page()
    (stage,) = [one for one in app.selectbox if one.label == "Stage"]
    checked(stage.set_value("below").run())
    checked(app.button(key="evaluate_review").click().run())
    assert app.query_params["stage"] == "below"


def test_filters_narrow_the_questions(run: Run):
    app = page()
    (search,) = [one for one in app.text_input if one.placeholder == "Search the questions"]
    checked(search.set_value("no such words").run())
    assert row_labels(app) == []
    assert any("No question matches these filters" in each.value for each in app.caption)


@pytest.mark.parametrize(
    ("column", "order", "won"),
    [
        ("better", "apart", "better"),
        ("equal", "apart", "equal"),
        ("worse", "apart", "worse"),
        ("p", "regressions", ""),
        ("R@2", "worst", ""),
        ("Tokens", "best", ""),
        ("Asked", "worst", ""),
    ],
)
def test_a_number_leads_to_as_many_questions(
    run: Run, runs: Runs, column: str, order: str, won: str
):
    base = Other(run.id, "dense")
    pick = question_selection.of_cell(run, "bm25", column, "R@5", base)
    assert (pick.order, pick.where.won) == (order, won)
    rows = runs.rows(run.id, pick.retriever, pick.where, order=pick.order)
    assert len(rows) == runs.count(run.id, pick.retriever, pick.where)


def test_every_number_of_the_board_is_of_the_questions_it_leads_to(tmp_path: Path):
    runs = Runs(tmp_path)
    run = hand_made(runs)
    base = Other(run.id, "bm25")
    for standing in leaderboard_rows(runs, run):
        name = standing.retriever
        pair = against(runs, run, base, "R@5").get(name)
        for won in ("better", "equal", "worse") if pair else ():
            pick = question_selection.of_cell(run, name, won, "R@5", base)
            assert runs.count(run.id, name, pick.where) == getattr(pair, won)
        for measure_ in SHOWN:
            pick = question_selection.of_cell(run, name, measure_, "R@5", base)
            rows = runs.measures(run.id, name, pick.where)
            told = [each[MEASURES.index(measure_)] for each in rows.values()]
            known = [share for share in told if share is not None]
            assert standing.measures[measure_].mean == pytest.approx(100 * sum(known) / len(known))
    for field in fields_of(runs, run):
        for each in slices(runs, run, field, "R@5"):
            for name, interval in each.by.items():
                pick = question_selection.of_slice(run, name, field, each.value, "R@5")
                rows = runs.rows(run.id, name, pick.where)
                assert interval.n == sum(bool(row.ranks) for row in rows)
                assert each.questions == len(rows)


def test_a_slice_leads_to_its_questions(run: Run, runs: Runs):
    pick = question_selection.of_slice(run, "bm25", "type", "bridge", "R@5")
    assert [row.question.id for row in runs.rows(run.id, "bm25", pick.where)] == ["q1"]
    assert (
        runs.count(
            run.id, "bm25", question_selection.of_slice(run, "bm25", "type", "x", "R@5").where
        )
        == 0
    )


def test_the_funnel_of_one_and_of_two_leads_to_its_questions(runs: Runs, run: Run):
    app = page()
    app.segmented_control(key="evaluate_side").set_value("Funnel")
    app = checked(app.run())
    assert any("stream" in each.value for each in app.caption)
    app.selectbox(key="evaluate_funnel_beside").set_value("bm25")
    checked(app.run())
    counted = stage_pairs(runs, run.id, "dense", "bm25")
    assert sum(counted.values()) == sum(runs.stages(run.id, "dense").values())
    flow, base = between(counted), Other(run.id, "dense")
    for link in flow.links:
        streams = {"stages": ",".join(link.one), "there": ",".join(link.other)}
        view = View(run=run.id, retriever="dense", beside="bm25", **streams)
        chosen = picked(run, runs, view, base)
        assert 0 < runs.count(run.id, "dense", chosen.where) <= link.count
    gate, *_ = through(runs.stages(run.id, "dense"), "dense").nodes
    view = View(run=run.id, retriever="dense", stages=",".join(gate.one))
    assert runs.count(run.id, "dense", picked(run, runs, view, base).where) == 1


def test_a_stage_that_was_clicked_narrows_the_list(runs: Runs, run: Run):
    app = page(stages="absent")
    assert row_labels(app) == []
    assert any("No question matches these filters" in each.value for each in app.caption)


def test_funnel_and_list_speak_of_one_retriever(run: Run):
    app = page(side="Funnel", retriever="bm25")
    assert app.selectbox(key="evaluate_funnel_retriever").value == "bm25"
    assert "Questions · BM25" in words(app)
    app.selectbox(key="evaluate_funnel_retriever").set_value("hoprag-similarity")
    checked(app.run())
    assert "Questions · HopRAG (similarity)" in words(app)
    assert app.query_params["retriever"] == "hoprag-similarity"


def test_all_that_is_chosen_is_in_the_address_and_travels_to_errors(run: Run):
    app = page()
    app.segmented_control(key="evaluate_side").set_value("Slices")
    checked(app.run())
    app.segmented_control(key="evaluate_measure").set_value("R@2")
    checked(app.run())
    (search,) = [one for one in app.text_input if one.placeholder == "Search the questions"]
    checked(search.set_value("town").run())
    outcome = app.selectbox(key="evaluate_outcome")
    checked(outcome.set_value("found").run())
    there = {name: "".join(value) for name, value in app.query_params.items()}
    again = page(**{name: value for name, value in there.items() if name != "index"})
    assert again.segmented_control(key="evaluate_side").value == "Slices"
    assert again.segmented_control(key="evaluate_measure").value == "R@2"
    assert again.selectbox(key="evaluate_outcome").value == "found"
    assert row_labels(again) == row_labels(app)
    checked(again.button(key="evaluate_review").click().run())
    assert here(again) == "Errors"
    kept = {name: again.query_params[name] for name in ("text", "outcome", "measure")}
    assert kept == {"text": "town", "outcome": "found", "measure": "R@2"}
    assert any("questions containing 'town'" in each.value for each in again.caption)
