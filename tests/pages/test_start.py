import json
import re
import shutil
from pathlib import Path

import pytest

from core import jobs
from core.errors import StoreError
from core.jobs.journal import Journal
from core.library import catalogue
from core.marks import set_gold
from core.progress import Progress
from core.reviews import Change, Reviews
from core.runs import Runs
from core.runs.question_sets import own_questions
from core.shipping import sample
from core.store.index import Index
from core.store.locking.record_writes import reset
from core.store.locking.writer_lock import writer_lock
from core.store.records.record import PUBLISHED
from core.store.schema import SCHEMA_VERSION
from core.traces import dump, record
from pages.components.indexes import index_dialogs
from pages.components.shell import nav, resources
from tests.core.runs.hand_made import hand_made
from tests.core.worlds import ScriptedRetriever, WorldIndex
from tests.pages.journeys import checked, labels, opened, raw, words


@pytest.fixture
def went(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, str]]]:
    """Where the page sent its reader; the page itself is not opened."""
    gone: list[tuple[str, dict[str, str]]] = []

    def go(name: str, **params: str) -> None:
        gone.append((name, params))

    monkeypatch.setattr(nav, "go", go)
    return gone


def test_an_empty_home_has_four_ways_to_begin_and_questions_to_try(
    empty_home: Path, went: list[object]
) -> None:
    app = opened("start")
    assert [told.replace("\\", "") for told in labels(app, "button")] == [
        "Try the sample",
        "Use your own documents",
        "Test your own pipeline",
        "Open a trace file",
        *sample.suggested()[:4],
    ]
    checked(app.button(key="start_pipeline").click().run())
    assert went == [("help", {"topic": "custom-retrievers"})]


def test_results_of_a_pipeline_are_imported_on_evaluate(
    tiny_home: Path, went: list[object]
) -> None:
    app = opened("start")
    app = checked(app.button(key="start_pipeline").click().run())
    assert went == [("evaluate", {})]
    assert app.session_state["evaluate_way"] == "Import results"


@pytest.mark.parametrize("page", ["start", "trace", "build"])
def test_a_storage_that_is_away_is_said(
    page: str, tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(root: Path, *_: object) -> list[catalogue.Listed]:
        raise StoreError("s3://bucket cannot be used: The storage does not answer.")

    monkeypatch.setattr(catalogue, "entries", away)
    assert "storage does not answer" in opened(page).error[0].value


def test_the_list_tells_what_an_index_holds(tiny_home: Path) -> None:
    shown = words(opened("start"))
    assert "1 index tiny 6 documents · 6 passages · 8 edges · 1 question · " in shown
    assert re.search(r"built (just now|\d+ minutes? ago)", shown)  # by how fast tests run


def test_a_question_with_gold_by_hand_counts_as_on_evaluate(tiny_index: Index) -> None:
    set_gold(tiny_index, "Who toured with the Low Tide Band?", "singer", gold=True)
    assert f"· {len(own_questions(tiny_index))} questions · " in words(opened("start"))


def test_open_goes_to_the_trace_page(
    tiny_home: Path, went: list[tuple[str, dict[str, str]]]
) -> None:
    opened("start").button(key="start_open_tiny").click().run()
    assert went == [("trace", {"index": "tiny"})]


def test_a_recent_run_is_a_click_away(
    tiny_home: Path, tiny_index: Index, went: list[tuple[str, dict[str, str]]]
) -> None:
    run = hand_made(Runs(tiny_index.path))
    app = opened("start")
    assert "Recent runs First tiny · 4 questions · BM25 · " in words(app)
    app.button(key=f"start_open_run_{run.id}").click().run()
    assert went == [("evaluate", {"index": "tiny", "run": run.id})]


def test_the_sample_is_unpacked_and_opened_with_a_good_question(
    empty_home: Path, inline_jobs: list[jobs.Job], went: list[tuple[str, dict[str, str]]]
) -> None:
    """It is there at once: nothing is built."""
    app = checked(opened("start").button(key="start_sample").click().run())
    app.button(key="start_sample").click().run()
    assert inline_jobs == []
    begun = {
        "index": "sample",
        "q": sample.suggested()[0],
        "retriever": "hoprag-similarity",
        "stop": "1",
    }
    assert went == 2 * [("trace", begun)]
    assert (empty_home / "indexes" / "sample" / "published.json").is_file()


def test_a_first_visit_has_the_same_columns_and_questions_that_open_the_sample(
    empty_home: Path, inline_jobs: list[jobs.Job], went: list[tuple[str, dict[str, str]]]
) -> None:
    """The tour keeps its size when the sample becomes an index."""
    app = opened("start")
    first = [column.weight for column in app.columns]
    app.button(key="start_ask_1").click().run()
    assert inline_jobs == []
    asked = {"index": "sample", "q": sample.suggested()[1], "stop": "1"}
    assert went == [("trace", asked)]
    assert [column.weight for column in checked(app.run()).columns][: len(first)] == first
    assert len(first) == 6  # four actions, the tour and what is beside it


def test_for_another_embedder_the_sample_is_built(
    empty_home: Path, inline_jobs: list[jobs.Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "chosen_embedder", lambda: "another")
    checked(opened("start").button(key="start_sample").click().run())
    (job,) = inline_jobs
    assert (job.index.name, job.embedder) == ("sample", "another")
    assert job.files == (sample.CORPUS, sample.QUESTIONS)


def test_an_index_called_sample_is_opened_whatever_it_was_built_of(
    tiny_home: Path,
    inline_jobs: list[jobs.Job],
    went: list[tuple[str, dict[str, str]]],
) -> None:
    indexes = tiny_home / "indexes"
    there = shutil.copytree(indexes / "tiny", indexes / sample.NAME)
    checked(opened("start").button(key="start_sample").click().run())
    (there / "published.json").write_bytes(b"torn")  # a damaged one may hold marks and runs, too
    checked(opened("start").button(key="start_sample").click().run())
    assert inline_jobs == []
    assert [page for page, _ in went] == ["trace", "trace"]


def test_a_running_build_is_shown_with_its_share(empty_home: Path) -> None:
    folder = empty_home / "indexes" / "big"
    with writer_lock(folder, "a build"):
        journal = Journal(folder)
        journal.start(jobs.Job("build", folder, files=(Path("corpus.txt"),)))
        journal.progress(Progress("embed", 50, 100))
        app = opened("start")
        # Of 100 parts reading has 4, cutting 2, asking 10 and embedding 60, half of which is done.
        assert "big building, 46%" in words(app)
        assert app.button(key="start_rename_big").disabled
        assert app.button(key="start_delete_big").disabled


def test_a_build_that_died_can_be_resumed(
    empty_home: Path,
    monkeypatch: pytest.MonkeyPatch,
    went: list[tuple[str, dict[str, str]]],
) -> None:
    folder = empty_home / "indexes" / "big"
    folder.mkdir(parents=True)
    Journal(folder).start(jobs.Job("build", folder, files=(Path("corpus.txt"),)))
    resumed: list[Path] = []
    monkeypatch.setattr(jobs, "resume", lambda index, *_: resumed.append(index))
    app = opened("start")
    assert "big stopped early" in words(app)
    assert "was killed" in words(app)
    app.button(key="start_resume_big").click().run()
    assert resumed == [folder]
    assert went == [("build", {"index": "big"})]


def test_rename(tiny_home: Path) -> None:
    app = opened("start").button(key="start_rename_tiny").click().run()
    app.text_input[0].set_value("small")
    checked(app.button(key="start_rename_now").click().run())
    assert (tiny_home / "indexes" / "small").is_dir()
    assert not (tiny_home / "indexes" / "tiny").exists()


def test_a_name_that_cannot_be_is_refused(tiny_home: Path) -> None:
    app = opened("start").button(key="start_rename_tiny").click().run()
    app.text_input[0].set_value("../out")
    app.button(key="start_rename_now").click().run()
    assert "cannot be the name of an index" in app.error[0].value
    assert (tiny_home / "indexes" / "tiny").is_dir()


def test_what_people_have_put_in_is_named_before_it_is_deleted(
    tiny_home: Path, tiny_index: Index
) -> None:
    name = tiny_index.passages[0].id
    set_gold(tiny_index, "Where?", name, gold=True)
    app = checked(opened("start").button(key="start_delete_tiny").click().run())
    assert "1 mark by hand" in app.warning[0].value
    assert app.button(key="start_delete_not").proto.type == "primary"


def test_reviews_can_be_saved_before_an_index_is_deleted(
    tiny_home: Path, tiny_index: Index
) -> None:
    note = Change("Where?", "bm25", verdict="fail", note="Took the brewer")
    Reviews(tiny_index.path).say("ada", [note])
    app = checked(opened("start").button(key="start_delete_tiny").click().run())
    assert "1 review" in app.warning[0].value
    (save,) = [one for one in app.get("download_button") if one.key == "start_delete_reviews"]
    assert save.label == "Save reviews"
    (line,) = index_dialogs.reviews_file("tiny").splitlines()
    assert json.loads(line)["note"] == "Took the brewer"


def test_delete_asks_first(tiny_home: Path) -> None:
    app = opened("start").button(key="start_delete_tiny").click().run()
    assert (tiny_home / "indexes" / "tiny").is_dir()
    assert app.text[0].value.startswith("This permanently deletes tiny")
    checked(app.button(key="start_delete_now").click().run())
    assert not (tiny_home / "indexes" / "tiny").exists()


def test_a_trace_file_is_opened(empty_home: Path, went: list[tuple[str, dict[str, str]]]) -> None:
    trace = record(ScriptedRetriever(), "Where?", WorldIndex())
    app = opened("start").button(key="start_trace").click().run()
    app.file_uploader(key="start_trace_file").set_value(("t.jsonl", dump(trace), "text/plain"))
    checked(app.run())
    assert app.session_state["trace_file"] == trace
    assert went == [("trace", {})]


def test_a_file_that_is_no_trace_is_refused(empty_home: Path) -> None:
    app = opened("start").button(key="start_trace").click().run()
    app.file_uploader(key="start_trace_file").set_value(("t.jsonl", b"{}", "text/plain")).run()
    assert "not the header" in app.error[0].value
    assert "trace_file" not in app.session_state


def test_a_name_with_markup_stays_text(tiny_home: Path) -> None:
    name = "<img src=x>"
    (tiny_home / "indexes" / "tiny").rename(tiny_home / "indexes" / name)
    app = opened("start")
    assert name in words(app)
    assert not any(name in body for body in raw(app))


@pytest.mark.parametrize("stage", ["embed", "no such stage"])
def test_an_index_with_malformed_records_is_listed_and_deleted(
    tiny_home: Path, inline_jobs: list[jobs.Job], stage: str
) -> None:
    indexes = tiny_home / "indexes"
    shutil.copytree(indexes / "tiny", indexes / "broken")
    content = json.dumps({"schema": SCHEMA_VERSION, "finished_at": "never"})
    reset(indexes / "broken", PUBLISHED, content)
    job = {"event": "started", "time": 1.0, "job": jobs.Job("build", indexes).to_dict()}
    step = {"event": "progress", "time": float("nan"), "stage": stage, "done": 1, "total": 2}
    lines = (job, step, {**step, "time": 2.0})
    (indexes / "broken" / "journal.jsonl").write_text("\n".join(map(json.dumps, lines)))
    app = opened("start")
    assert "broken stopped early" in words(app)
    checked(app.button(key="start_anew_broken").click().run())
    assert (inline_jobs[0].index.name, inline_jobs[0].restart) == ("broken", True)
    checked(opened("build", index="broken"))
    app = checked(opened("start").button(key="start_delete_broken").click().run())
    checked(app.button(key="start_delete_now").click().run())
    assert not (indexes / "broken").exists()
