"""The Studies page: studies are listed, run, shown, added and deleted; a setting is swept."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import jobs
from core.jobs.study import studies_folder
from core.runs import Runs
from core.studies.shelf import study_files
from tests.core.fakes import WordEmbedder
from tests.core.studies.examples import TEXT
from tests.pages.conftest import TINY
from tests.pages.journeys import checked, opened, raw, words

OWN = TEXT.replace('[data]\nquestions = "asked.jsonl"\n', "")


@pytest.fixture
def own(tiny_home: Path, words_of_jobs: None) -> Path:
    """A study that a user added."""
    studies_folder().mkdir(parents=True)
    path = studies_folder() / "mine.toml"
    path.write_text(OWN)
    return path


@pytest.fixture
def words_of_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.models.embedder.load_embedder", lambda name: WordEmbedder())


def test_all_studies_are_listed(own: Path) -> None:
    app = opened("studies", index=TINY)
    told = words(app)
    assert told.count("not run") == len(study_files(own.parent))
    app.button(key="study_mine").click()
    assert "A small study." in words(checked(app.run()))


@pytest.mark.usefixtures("valid_charts")
def test_a_study_is_run_and_shown(own: Path, inline_jobs: list[jobs.Job]) -> None:
    app = opened("studies", index=TINY, study="mine")
    app.button(key="study_run").click()
    checked(app.run())
    assert [job.kind for job in inline_jobs] == ["study"]
    (run,) = Runs(own.parents[1] / "indexes" / TINY).all()
    assert (run.state, len(run.columns)) == ("finished", 6)
    sections = [body for body in raw(app) if "hop-section" in body]
    assert len(sections) == 5 + 1  # views and a published table
    assert "Published: A paper, Table 1" in words(app)
    table = app.dataframe[0].value
    assert table["Retriever"].iloc[0] == "BM25 (top k 2)"
    published = app.dataframe[len(app.dataframe) - 1].value
    assert [*published.columns][:3] == [
        ("", "System"),
        ("This study", "Retriever"),
        ("This study", "This study: retrieval F1"),
    ]
    assert "study_run" not in [button.key for button in app.button]
    (own.parent / "alone.toml").write_text(OWN.replace("1..2", "1..3"))
    keys = [str(button.key) for button in opened("studies", index=TINY).button]
    cards = [key for key in keys if key.startswith("study_")]
    assert cards[:2] == ["study_mine", "study_alone"]  # the finished one is first


def test_a_broken_study_says_what_is_wrong(own: Path) -> None:
    own.write_text(OWN.replace("bm25", "bm26"))
    for params in ({}, {"study": "mine"}):
        app = opened("studies", index=TINY, **params)
        assert any("Unknown retriever" in error.value for error in app.error)


def test_a_link_to_no_study(own: Path) -> None:
    app = opened("studies", index=TINY, study="gone")
    assert any("No study named" in warning.value for warning in app.warning)


def test_a_study_is_added_by_upload_and_deleted(own: Path) -> None:
    app = opened("studies", index=TINY)
    app.file_uploader(key="studies_file").set_value(("new.toml", OWN.encode(), "text/plain"))
    checked(app.run())
    assert (own.parent / "new.toml").read_text() == OWN
    app = opened("studies", index=TINY, study="new")
    app.button(key="study_delete").click()
    checked(app.run())
    assert not (own.parent / "new.toml").exists()


def test_an_upload_that_reads_files_of_the_server_is_refused(own: Path) -> None:
    app = opened("studies", index=TINY)
    content = OWN + '\n[data]\nquestions = "/etc/passwd"\n'
    app.file_uploader(key="studies_file").set_value(("new.toml", content.encode(), "text/plain"))
    app.run()
    assert any("may not read" in error.value for error in app.error)
    assert not (own.parent / "new.toml").exists()


def test_a_setting_is_swept_in_two_clicks(own: Path, inline_jobs: list[jobs.Job]) -> None:
    app = opened("studies", index=TINY, study="mine")
    app.button(key="study_run").click()
    checked(app.run())
    (run,) = Runs(own.parents[1] / "indexes" / TINY).all()
    app = opened("evaluate", index=TINY, run=run.id, retriever=run.retrievers[-1])
    app.button(key="evaluate_sweep_n_hop").click()
    checked(app.run())
    assert [job.kind for job in inline_jobs] == ["study", "study"]
    assert "HopRAG (similarity): hops" in words(app)
    newest = Runs(own.parents[1] / "indexes" / TINY).all()[0]
    assert newest.state == "finished"
    assert len(newest.columns) == 6
    assert newest.is_trial  # so that Errors and Evaluate still open with the run that was swept


def captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption).replace("\\", "")


def test_what_needs_a_model_is_said_before_and_after_a_run(
    own: Path, inline_jobs: list[jobs.Job]
) -> None:
    own.write_text(OWN.replace('["bm25"', '["bm25", "hoprag-llm(n_hop=2)"'))
    before = opened("studies", index=TINY, study="mine")
    assert "6 of 8 retrievers can run without a model" in captions(before)
    assert "HopRAG (model) needs a model." in captions(before)
    before.button(key="study_run").click()
    after = captions(checked(before.run()))
    assert "6 of 8 retrievers" in after
    assert "HopRAG (model) needs a model and was not run." in after
