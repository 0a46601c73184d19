"""The Evaluate page: a run is begun, followed, looked at from all sides, renamed and deleted."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import jobs
from core.artefacts.workbench import Workbench
from core.errors import Cancelled
from core.funnel.flow import between, through
from core.marks import set_gold
from core.retrievers import Spec
from core.reviews import Change, Reviews
from core.runs import MEASURES, Other, Row, Run, Runs
from core.runs.analysis.slices import fields_of, slices
from core.runs.analysis.stage_flows import stage_pairs
from core.runs.analysis.standings import Interval, Standing, against, standings
from core.runs.measuring import begin, measure
from core.runs.question_sets import own_questions
from core.store.index import Index
from core.store.locking.sqlite_file import SmallFile
from pages.components.evaluate import baseline
from pages.components.evaluate.analysis import curves, funnel
from pages.components.evaluate.cached_results import MORE, SHOWN, USUAL
from pages.components.evaluate.questions import question_selection
from pages.components.evaluate.questions.question_selection import picked
from pages.components.evaluate.state import BOARDS, View
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from tests.core.runs.hand_made import hand_made
from tests.pages.conftest import QUESTION, TINY
from tests.pages.journeys import checked, here, labels, opened, raw, words

SPECS = ("dense", "bm25", "hoprag-similarity")


@pytest.fixture
def runs(tiny_home: Path) -> Runs:
    return Runs(tiny_home / "indexes" / TINY)


@pytest.fixture
def bench(tiny_index: Index) -> Workbench:
    return Workbench(tiny_index, WordEmbedder(), making=silent)


def begun(bench: Workbench, name: str = "First") -> Run:
    return begin(bench, own_questions(bench.index), list(map(Spec.parse, SPECS)), name=name)


@pytest.fixture
def run(bench: Workbench) -> Run:
    made = begun(bench)
    measure(made, bench)
    return made


def page(**params: str) -> AppTest:
    return opened("evaluate", index=TINY, **params)


def test_a_run_that_is_not_there_is_said(run: Run) -> None:
    told = "The run in this link does not exist. Showing First."
    assert [one.value.replace("\\", "") for one in page(run="gone").info] == [told]
    assert not page(run=run.id).info


def row_labels(app: AppTest) -> list[str]:
    return [b.label for b in app.button if (b.key or "").startswith("evaluate_row_")]


def test_without_a_run_the_form_is_open_and_begins_one(runs: Runs, inline_jobs: list[jobs.Job]):
    app = page()
    app.multiselect(key="evaluate_retrievers").set_value(["bm25", "dense"])
    checked(app.button(key="evaluate_start").click().run())
    (made,) = runs.all()
    assert made.retrievers == ("bm25", "dense")
    assert made.state == "finished"
    assert [job.kind for job in inline_jobs] == ["evaluate"]
    assert app.query_params["run"] == made.id
    board = app.dataframe[0].value
    assert list(board["Retriever"]) == ["BM · BM25", "DE · Dense"]
    assert "Time" not in board
    checked(app.segmented_control(key="evaluate_face").set_value("cost").run())
    assert app.query_params["board"] == "cost"
    board = app.dataframe[0].value
    assert "points" not in board
    assert list(board["Configuration"]) == [made.configuration(one) for one in made.retrievers]


def test_settings_are_written_as_one_word(runs: Runs, inline_jobs: list[jobs.Job]):
    app = page()
    app.multiselect(key="evaluate_retrievers").set_value(["bm25(top_k=1)", "bm25"])
    checked(app.button(key="evaluate_start").click().run())
    assert runs.all()[0].retrievers == ("bm25(top_k=1)", "bm25")


def test_what_is_no_retriever_is_said_and_begins_nothing(tiny_home: Path):
    app = page()
    app.multiselect(key="evaluate_retrievers").set_value(["nothing"])
    checked(app.run())
    assert "nothing" in app.error[0].value
    assert app.button(key="evaluate_start").disabled


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
    def standing(name: str, place: int) -> Standing:
        shares = {each: 100.0 * (each == USUAL) for each in SHOWN}
        measures = {each: Interval(1, share if place else 50.0) for each, share in shares.items()}
        return Standing(name, "", 1, measures, None, None, 0.0, 0.0, 0.0)

    found = [standing(name, place) for place, name in enumerate(SPECS)]
    monkeypatch.setattr(baseline, "standings_of", lambda *_: found)
    at_first = {page(measure=each).selectbox(key="evaluate_base").value for each in SHOWN}
    assert at_first == {Other(run.id, "bm25")}


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


def test_the_newest_run_is_opened_and_not_that_which_was_reviewed(tiny_index: Index, run: Run):
    said = Change(QUESTION.text, run.retrievers[0], verdict="fail", run=run.id)
    Reviews(tiny_index.path).say("ann", [said])
    bench = Workbench(tiny_index, WordEmbedder(), making=silent)
    newer = begin(bench, [QUESTION], [Spec("bm25")], name="newer", question_set="x")
    measure(newer, bench)
    assert page().query_params["run"] == newer.id


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


def test_renamed_and_deleted_with_a_way_back(run: Run, runs: Runs):
    app = page()
    checked(app.button(key="evaluate_rename_button").click().run())
    (wish,) = [one for one in app.text_input if one.label == "New name"]
    wish.set_value("After the mend")
    press = [one for one in app.button if one.label == "Rename"][-1]
    checked(press.click().run())
    assert runs.all()[0].name == "After the mend"
    checked(app.button(key="evaluate_delete_button").click().run())
    assert "Save the run" in labels(app, "download_button")
    checked(app.button(key="evaluate_delete_not").click().run())
    assert runs.all()
    checked(app.button(key="evaluate_delete_button").click().run())
    checked(app.button(key="evaluate_delete_now").click().run())
    assert runs.all() == []


def test_gold_that_was_marked_after_a_run_is_said_and_it_is_measured_again(
    bench: Workbench, runs: Runs, inline_jobs: list[jobs.Job]
):
    specs = [Spec("dense"), Spec.parse("hoprag-similarity(n_hop=2)")]
    first = begin(bench, own_questions(bench.index), specs, name="First")
    measure(first, bench)
    set_gold(bench.index, QUESTION.text, "singer", gold=True)
    for name in ("errors", "evaluate"):
        app = opened(name, index=TINY)
        said = "1 gold passage was marked after this run. A new run counts it."
        assert said in [one.value.replace("\\", "") for one in app.warning], name
    checked(app.button(key="measure_again_now").click().run())
    assert here(app) == "Evaluate"
    assert app.multiselect(key="evaluate_retrievers").value == list(map(str, specs))
    checked(app.button(key="evaluate_start").click().run())
    assert [one.retrievers for one in runs.all()] == [first.retrievers] * 2
    assert [one.value for one in app.warning] == []


def test_a_run_that_cannot_be_read_says_so_and_the_others_stay(
    run: Run, bench: Workbench, runs: Runs
):
    other = begun(bench, "Second")
    measure(other, bench)
    with SmallFile(runs.path, ()).writing() as written:
        written.execute("UPDATE rows SET fates = '[{}]' WHERE run = ?", (run.id,))
    for name in ("evaluate", "errors"):
        shown = [opened(name, index=TINY, run=one.id, which="all").error for one in (run, other)]
        told = [[each.value.replace("\\", "") for each in errors] for errors in shown]
        assert "Could not read some results of First" in told[0][0], name
        assert told[1] == [], name


def test_a_run_that_was_stopped_is_resumed(
    bench: Workbench, runs: Runs, inline_jobs: list[jobs.Job]
):
    made = begun(bench)

    def stop(done: int, total: int) -> None:
        if done == 1:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        measure(made, bench, stop)
    app = page()
    assert any("Stopped" in each.value for each in app.warning)
    checked(app.button(key="evaluate_resume").click().run())
    assert runs.get(made.id).state == "finished"
    assert [one.value for one in app.warning] == []


def test_an_old_address_shows_the_newest(run: Run):
    app = page(run="gone")
    assert app.selectbox(key="evaluate_run").value == run.id


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
    for standing in standings(runs, run):
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


def test_against_a_run_before_each_is_paired_with_itself(run: Run):
    pick = question_selection.of_cell(run, "bm25", "worse", "R@5", Other("before", ""))
    assert pick.where.other == Other("before", "bm25")
    assert pick.title == "BM25: worse than before by R@5"


def test_a_slice_leads_to_its_questions(run: Run, runs: Runs):
    pick = question_selection.of_slice(run, "bm25", "type", "bridge", "R@5")
    assert [row.question.id for row in runs.rows(run.id, "bm25", pick.where)] == ["q1"]
    assert (
        runs.count(
            run.id, "bm25", question_selection.of_slice(run, "bm25", "type", "x", "R@5").where
        )
        == 0
    )


def test_without_an_index_it_says_where_to_begin(empty_home: Path):
    app = opened("evaluate")
    assert "Go to Start" in labels(app, "button")
    assert "No index yet" in words(app)


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


def test_points_that_take_nearly_the_same_stand_where_they_were_measured() -> None:
    measures = {"R@5": Interval(9, 50.0, 40.0, 60.0)}
    found = [
        Standing(name, "", 9, measures, seconds, seconds, 0.0, 0.0, 0.0)
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
    (drawn, *_) = curves.cost_charts(standings(runs, run), "R@5")
    axes = [one["encoding"]["y"].get("axis") for one in drawn.to_dict()["layer"]]
    assert next(one for one in axes if one) == {"format": ",~f"}


def lines_of(run: Run, question: str, *passages: str) -> bytes:
    return "\n".join(f"{question} Q0 {p} 1 {-n} x" for n, p in enumerate(passages)).encode()


def test_a_run_of_unknown_ids_is_added_only_if_one_insists(runs: Runs, run: Run):
    question = runs.questions(run.id)[0]
    app = page(run=run.id)
    made = lines_of(run, question.id, "town", "unknown-passage-1")
    app.file_uploader[0].upload("own.trec", made)
    checked(app.run())
    told = " ".join(one.value for one in app.text)
    assert "1 of 2 passage ids is not in the index: unknown-passage-1" in told
    assert app.button(key="evaluate_import_now").disabled
    app.checkbox(key=f"evaluate_force_{run.id}").check()
    checked(app.run())
    checked(app.button(key="evaluate_import_now").click().run())
    assert runs.get(run.id).retrievers[-1] == "own"


def test_the_first_run_can_be_the_results_of_another_pipeline(runs: Runs, run: Run):
    """Its own chunks are shown on Errors, with what they were matched by."""
    asked = runs.questions(run.id)[0]
    for known in runs.all():
        runs.delete(known.id)
    app = page()
    app.segmented_control(key="evaluate_way").set_value("Import results")
    checked(app.run())
    assert "evaluate_start" not in {one.key for one in app.button}
    chunk = "A ferry crosses twice a day from the north pier to the island."
    made = json.dumps([{"question": asked.text, "contexts": [chunk]}]).encode()
    app.file_uploader(key="evaluate_import_new").upload("mine.json", made)
    checked(app.run())
    told = " ".join(one.value for one in app.text)
    assert "1 different texts: 1 not in the index" in told
    checked(app.button(key="evaluate_import_now").click().run())
    (begun,) = runs.all()
    assert (begun.name, begun.retrievers) == ("mine", ("mine",))
    kept = runs.contexts(begun.id, "mine", asked.id)
    assert [one.text for one in kept.values()] == [chunk]


def test_an_imported_column_has_the_name_that_was_typed(runs: Runs, run: Run):
    app = page(run=run.id)
    made = lines_of(run, runs.questions(run.id)[0].id, "town")
    app.file_uploader[0].upload("results.trec", made)
    checked(app.run())
    (name,) = (one for one in app.text_input if one.key.startswith("evaluate_import_name_"))
    assert (name.label, name.value) == ("Name", "results")
    name.set_value("Our own  search")
    checked(app.run())
    checked(app.button(key="evaluate_import_now").click().run())
    assert runs.get(run.id).retrievers[-1] == "Our own search"


def test_a_retriever_is_removed_once_that_is_confirmed(runs: Runs, run: Run):
    app = page(run=run.id)
    app.selectbox(key=f"evaluate_removed_{run.id}").select("bm25")
    checked(app.run())
    checked(app.button(key="evaluate_remove_button").click().run())
    assert "bm25" in runs.get(run.id).retrievers
    checked(app.button(key="evaluate_remove_now").click().run())
    assert "bm25" not in runs.get(run.id).retrievers


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
