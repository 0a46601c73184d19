"""Corpus: files that are added to an index, their gold, and what becomes of the uploads."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import jobs
from core.store.index import Index
from tests.pages.corpus.test_corpus import gold_of_questions, jsonl, upload
from tests.pages.journeys import checked, opened, words

CORPUS = [
    {"id": "p1", "title": "Ash", "text": "Ash is a river. It meets the sea at Port Selby."},
    {"id": "p2", "title": "Port Selby", "text": "Port Selby is a port. It was founded in 1204."},
]
ASKED = [
    {"id": "q1", "question": "Where does the Ash end?", "gold": ["Ash", "Port Selby"]},
    {"id": "q2", "question": "How old is the port?", "gold": ["Port Selbi"]},
]
CORRECTED = [ASKED[0], {**ASKED[1], "gold": ["Port Selby"]}]


def plain(texts: list[str]) -> str:
    return " ".join(texts).replace("\\", "")


def told(app: AppTest) -> str:
    return plain([each.value for kind in (app.caption, app.warning, app.text) for each in kind])


@pytest.fixture
def built(tiny_home: Path, inline_jobs: list[jobs.Job]) -> AppTest:
    """The app after a build of two documents and two questions, one of them with misspelt gold."""
    app = upload(opened("corpus"), ("ports.jsonl", jsonl(CORPUS)), ("ask.jsonl", jsonl(ASKED)))
    return checked(app.button(key="corpus_build").click().run())


def adding(*files: tuple[str, bytes]) -> AppTest:
    return upload(opened("corpus", index="ports", add="1"), *files)


@pytest.mark.usefixtures("built")
def test_gold_of_questions_alone_is_looked_up_in_the_index(tiny_home: Path) -> None:
    app = adding(("ask.jsonl", jsonl(CORRECTED)))
    first, second = gold_of_questions(app)
    assert "2 of 2 found" in first
    assert "1 of 1 found" in second
    assert not app.warning
    assert "Replaces the gold of 1 question" in told(app)


@pytest.mark.usefixtures("built")
def test_before_any_file_the_page_names_the_index_and_the_way_out() -> None:
    app = opened("corpus", index="ports", add="1")
    assert "Add files to the index 'ports'." in words(app)
    assert "How an index is built" not in words(app)
    (instead,) = [each for each in app.button if each.label == "Build a new index instead"]
    app = checked(instead.click().run())
    assert "add" not in app.query_params
    assert "How an index is built" in words(app)


@pytest.mark.usefixtures("built")
def test_a_document_of_index_and_upload_counts_once(tiny_home: Path) -> None:
    app = adding(("ports.jsonl", jsonl(CORPUS)), ("ask.jsonl", jsonl(CORRECTED)))
    assert all("one passage" in each for each in gold_of_questions(app))
    assert "No new documents or questions for ports." in told(app)


@pytest.mark.usefixtures("built")
def test_questions_under_another_name_say_that_gold_is_kept(inline_jobs: list[jobs.Job]) -> None:
    app = adding(("fixed.jsonl", jsonl(CORRECTED)))
    assert "Adds to the gold of 1 question that a file with another name added" in told(app)
    checked(app.button(key="corpus_add").click().run())
    assert "gold of 1 question extended" in words(opened("build", index="ports"))


@pytest.mark.usefixtures("built")
def test_build_says_what_was_added(tiny_home: Path) -> None:
    more = {"id": "q3", "question": "Who swims?", "gold": ["Ash"]}
    app = adding(("ask.jsonl", jsonl([*CORRECTED, more])))
    checked(app.button(key="corpus_add").click().run())
    shown = words(opened("build", index="ports"))
    assert "1 question added, gold of 1 question replaced" in shown
    assert "documents added" not in shown
    index = Index.open(tiny_home / "indexes" / "ports")
    assert [query.gold for query in index.questions[:2]] == [("p1", "p2"), ("p2",)]


def test_a_corrected_file_replaces_the_one_chosen_before(tiny_home: Path) -> None:
    app = upload(opened("corpus"), ("ports.jsonl", jsonl(CORPUS)), ("ask.jsonl", jsonl(ASKED)))
    app = upload(app, ("ask.jsonl", jsonl(CORRECTED)))
    assert not app.warning
    assert "its last version replaces the gold of 1 question" in told(app)


def test_uploads_of_a_finished_build_are_set_aside(built: AppTest, tiny_home: Path) -> None:
    app = opened("corpus", index="ports", add="1")
    for name in ("corpus_used", "corpus_chosen", "corpus_folder", "corpus_round"):
        if name in built.session_state:
            app.session_state[name] = built.session_state[name]
    checked(app.run())
    assert "2 files were used for ports: ports.jsonl, ask.jsonl" in told(app)
    assert not gold_of_questions(app)
    checked(app.button(key="corpus_choose_again").click().run())
    assert "2 files read" in words(app)


@pytest.mark.usefixtures("built", "inline_jobs")
def test_a_removed_document_that_would_come_back_is_named(tiny_home: Path) -> None:
    folder = tiny_home / "indexes" / "ports"
    jobs.run(jobs.Job("remove", folder, documents=("p1",)))
    app = adding(("ports.jsonl", jsonl(CORPUS)))
    assert "'Ash' was removed from this index. Adding these files restores them." in told(app)
    assert "New to ports: 1 document." in told(app)


def test_a_misspelt_title_is_named_and_mended_by_a_click(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    app = upload(opened("corpus"), ("ports.jsonl", jsonl(CORPUS)), ("ask.jsonl", jsonl(ASKED)))
    assert "no retriever can find it: 'Port Selbi'" in told(app)
    checked(app.button(key="corpus_gold_use_0_0").click().run())
    assert "'Port Selbi' is read as 'Port Selby' in the gold of 1 question." in told(app)
    assert not app.warning
    checked(app.button(key="corpus_gold_undo_0").click().run())
    assert "no retriever can find it: 'Port Selbi'" in told(app)
    checked(app.button(key="corpus_gold_use_0_0").click().run())
    checked(app.button(key="corpus_build").click().run())
    assert dict(inline_jobs[-1].gold_names) == {"Port Selbi": "Port Selby"}
    kept = jobs.Job.from_dict(inline_jobs[-1].to_dict(), inline_jobs[-1].index)
    assert kept.gold_names == inline_jobs[-1].gold_names
    index = Index.open(tiny_home / "indexes" / "ports")
    assert [query.gold for query in index.questions] == [("p1", "p2"), ("p2",)]


@pytest.mark.usefixtures("built")
def test_a_misspelt_title_means_a_document_of_the_index(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    app = adding(("ask.jsonl", jsonl(ASKED)))
    checked(app.button(key="corpus_gold_use_0_0").click().run())
    assert "Replaces the gold of 1 question" in told(app)
    checked(app.button(key="corpus_add").click().run())
    index = Index.open(tiny_home / "indexes" / "ports")
    assert index.questions[1].gold == ("p2",)
