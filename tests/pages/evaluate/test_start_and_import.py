"""Starting, resuming and importing runs on Evaluate, renaming and deleting them."""

import json
from pathlib import Path

import pytest

from core import jobs
from core.artefacts.workbench import Workbench
from core.errors import Cancelled
from core.marks import set_gold
from core.retrievers import Spec
from core.runs import Run, Runs
from core.runs.measuring import begin, measure
from core.runs.question_sets import own_questions
from core.store.locking.sqlite_file import SmallFile
from tests.pages.conftest import QUESTION, TINY
from tests.pages.evaluate.evaluate_page import begun, page
from tests.pages.journeys import checked, here, labels, opened, words


def test_without_a_run_the_form_is_open_and_begins_one(runs: Runs, inline_jobs: list[jobs.Job]):
    app = page()
    app.multiselect(key="evaluate_retrievers").set_value(["bm25(top_k=5)"]).run()
    assert not any("can hold all of them" in one.value for one in app.caption)
    app.multiselect(key="evaluate_retrievers").set_value(["bm25", "dense"]).run()
    assert any(
        one.value.startswith("This index has 6 passages, so the top 20 can hold all of them")
        for one in app.caption
    )
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
    with SmallFile(runs.path, ()).transaction() as written:
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


def test_without_an_index_it_says_where_to_begin(empty_home: Path):
    app = opened("evaluate")
    assert "Go to Start" in labels(app, "button")
    assert "No index yet" in words(app)


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
