"""An evaluation that goes on, in every tab; one that was killed; a ranking made elsewhere."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import jobs
from core.artefacts.workbench import Workbench
from core.errors import Cancelled, IndexLocked
from core.jobs.journal import Journal
from core.progress import Progress, Spending
from core.retrievers import Spec
from core.runs import Run, Runs
from core.runs.measuring import begin, measure
from core.runs.question_sets import own_questions
from core.store.index import Index
from core.store.locking.writer_lock import writer_lock
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from tests.llm.configured import configured
from tests.llm.replies import answered
from tests.llm.server import Answer
from tests.pages.conftest import QUESTION, TINY
from tests.pages.journeys import checked, opened, words

SPECS = ("bm25", "dense")


@pytest.fixture
def bench(tiny_index: Index) -> Workbench:
    return Workbench(tiny_index, WordEmbedder(), making=silent)


@pytest.fixture
def runs(bench: Workbench) -> Runs:
    return Runs(bench.index.path)


@pytest.fixture
def begun(bench: Workbench) -> Run:
    return begin(bench, own_questions(bench.index), list(map(Spec.parse, SPECS)), name="First")


@pytest.fixture
def place(bench: Workbench, begun: Run) -> Path:
    """Where the evaluation tells of itself; one of its two rows is there."""
    folder = jobs.evaluation_place(bench.index.path)
    folder.mkdir(exist_ok=True)
    journal = Journal(folder)
    journal.start(jobs.Job("evaluate", bench.index.path, run=begun.id))
    journal.progress(Progress("ask", 0, 2))
    spent = asdict(Spending(calls=3, tokens_in=40, tokens_out=2))
    journal.write("progress", stage="ask", done=1, total=2, spending=spent)
    return folder


@pytest.fixture
def going(place: Path) -> Iterator[Path]:
    with writer_lock(place, "an evaluation"):
        yield place


def page() -> AppTest:
    return opened("evaluate", index=TINY)


def keys(app: AppTest) -> set[str]:
    return {each.key for each in app.button if each.key}


def told(app: AppTest) -> str:
    return " ".join(each.value for each in app.caption)


def test_every_tab_shows_how_far_it_is_and_can_end_it(going: Path):
    one, other = page(), page()
    for tab in (one, other):
        assert "In progress: First" in words(tab)
        (bar,) = tab.get("progress")
        assert "1 of 2 results" in bar.proto.text
        assert "3 calls, 42 tokens" in told(tab)
        assert "continues if you close this page" in told(tab)
        assert not keys(tab) & {"evaluate_start", "evaluate_resume"}
    other.button(key="evaluate_cancel").click().run()
    assert (going / "cancel").exists()


def test_a_tab_that_is_late_begins_no_second_one(
    bench: Workbench, runs: Runs, begun: Run, monkeypatch: pytest.MonkeyPatch
):
    def locked(job: jobs.Job, environ: object) -> None:
        raise IndexLocked("The index is being measured.")

    measure(begun, bench)
    monkeypatch.setattr(jobs, "start", locked)
    late = page()
    late.toggle(key="evaluate_new_open").set_value(True).run()
    late.multiselect(key="evaluate_retrievers").set_value(["bm25"])
    checked(late.run())
    checked(late.button(key="evaluate_start").click().run())
    assert "being measured" in late.error[0].value
    assert [run.name for run in runs.all()] == ["First"]


def test_a_silent_one_is_said_to_be_silent(going: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pages.components.evaluate.run_progress._STALLED", -1)
    assert "No progress for" in told(page())


def test_one_that_was_killed_says_so_and_goes_on(
    place: Path, runs: Runs, begun: Run, inline_jobs: list[jobs.Job]
):
    app = page()
    assert "evaluate_panel" not in str(app)
    assert len(app.warning) == 1
    checked(app.button(key="evaluate_resume").click().run())
    assert runs.get(begun.id).state == "finished"
    assert [job.run for job in inline_jobs] == [begun.id]
    assert not app.warning


def test_a_run_that_is_measured_is_not_deleted(place: Path, runs: Runs):
    app = page()
    checked(app.button(key="evaluate_delete_button").click().run())
    with writer_lock(place, "an evaluation"):  # begun in another tab meanwhile
        checked(app.button(key="evaluate_delete_now").click().run())
        assert "in progress" in app.error[0].value
    assert runs.all()


def test_only_what_is_done_is_shown_while_the_rest_is_measured(
    going: Path, bench: Workbench, begun: Run, runs: Runs
):
    def end(done: int, total: int) -> None:
        if done == begun.questions:
            raise Cancelled("Stopped.")

    app = page()
    assert "In progress: First" in words(app)
    assert not app.dataframe
    assert not keys(app) & {"evaluate_review", "evaluate_rename_button", "evaluate_delete_button"}
    with pytest.raises(Cancelled):
        measure(begun, bench, end)
    checked(app.run())
    assert app.dataframe[0].value["Retriever"].tolist() == ["BM · BM25"]
    assert "1 of 2 retrievers" in app.info[0].value
    assert "evaluate_review" in keys(app)
    assert not keys(app) & {"evaluate_rename_button", "evaluate_delete_button"}
    # The best so far need not stay the best, neither as the baseline nor in the list.
    assert not {"base", "retriever"} & {*app.query_params}


def test_errors_says_of_a_run_that_is_measured_that_there_is_nothing_yet(going: Path):
    app = opened("errors", index=TINY)
    assert [one.value for one in app.info] == ["First is still running. No results match yet."]


def test_a_run_that_ended_before_any_question_has_no_board(begun: Run, bench: Workbench):
    app = page()
    assert len(app.warning) == 1
    assert not app.dataframe
    assert "evaluate_delete_button" in keys(app)


def test_answers_are_foreseen_before_they_are_paid_for(
    runs: Runs, inline_jobs: list[jobs.Job], monkeypatch: pytest.MonkeyPatch
):
    with configured(
        lambda request: Answer(json.dumps(answered(request.data))), monkeypatch
    ) as server:
        app = page()
        app.multiselect(key="evaluate_retrievers").set_value(["bm25"])
        assert not checked(app.run()).button(key="evaluate_start").disabled
        checked(app.toggle(key="evaluate_answers").set_value(True).run())
        assert app.button(key="evaluate_start").disabled
        checked(app.button(key="evaluate_forecast").click().run())
        assert r"about 1 call \(at most 2\)" in told(app)  # escaped Markdown
        assert server.requests == []
        checked(app.button(key="evaluate_start").click().run())
        assert len(server.requests) == 1
    (made,) = runs.all()
    assert made.state == "finished"
    checked(app.segmented_control(key="evaluate_face").set_value("measures").run())
    assert app.dataframe[0].value["EM"].tolist() == [100]
    assert app.dataframe[0].value["Accuracy"].tolist() == [100]
    assert not {"Judge", "Agreement"} & set(app.dataframe[0].value)
    assert runs.stages(made.id, "bm25") == {"kept": 1, "unused": 1}


def test_answers_need_a_model(runs: Runs):
    assert page().toggle(key="evaluate_answers").disabled


def test_a_ranking_from_elsewhere_is_a_column(bench: Workbench, begun: Run, runs: Runs):
    measure(begun, bench)
    app = page()
    content = b"".join(
        b"%s Q0 %s 1 %d x\n" % (QUESTION.id.encode(), name, score)
        for name, score in ((b"town", 2), (b"owner", 3), (b"nobody", 9))
    )
    name = "`a` ![b](http:c.invalid) <i>d.run"
    app.file_uploader(key=f"evaluate_import_{begun.id}").set_value((name, content, ""))
    checked(app.run())
    checked(app.checkbox(key=f"evaluate_force_{begun.id}").check().run())  # 'nobody' is unknown
    checked(app.button(key="evaluate_import_now").click().run())
    checked(app.segmented_control(key="evaluate_face").set_value("measures").run())
    board = app.dataframe[0].value.set_index("Retriever")
    assert board.loc[name.removesuffix(".run"), "R@2"] == 50
    assert runs.get(begun.id).retrievers[:-1] == SPECS
    for measure_ in ("R@2", "RR"):
        app.segmented_control(key="evaluate_measure").set_value(measure_)
        checked(app.run())
    assert "![b](http" not in told(app)


@pytest.mark.parametrize(
    "content", [b"nothing", b"q9 Q0 town 1 1 x", b"\xff\xfe\x00", b"", b"%s Q0 town 1 nan x"]
)
def test_what_is_no_ranking_is_said_and_changes_nothing(
    bench: Workbench, begun: Run, runs: Runs, content: bytes
):
    measure(begun, bench)
    app = page()
    content = content.replace(b"%s", QUESTION.id.encode())
    app.file_uploader(key=f"evaluate_import_{begun.id}").set_value(("x.run", content, ""))
    checked(app.run())
    assert "evaluate_import_now" not in keys(app)
    assert len(app.error) == 1
    assert "made.run" not in app.error[0].value
    assert runs.get(begun.id).retrievers == SPECS
