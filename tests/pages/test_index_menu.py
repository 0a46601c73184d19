"""Which index a page looks at, the menu for another one, and what is shown when it is not there."""

import shutil
from pathlib import Path

import pytest

from core import jobs
from core.jobs.journal import Journal
from core.progress import Progress
from core.store.lock import writer_lock
from tests.pages.conftest import QUESTION
from tests.pages.journeys import checked, here, opened, raw, words

PAGES = ("build", "explore", "trace", "compare", "evaluate")


@pytest.mark.parametrize("page", PAGES)
def test_without_any_index_it_leads_to_start(empty_home: Path, page: str) -> None:
    app = opened(page)
    assert "No index yet" in words(app)
    checked(app.button(key="empty_button").click().run())
    assert "Try the sample" in words(app)


@pytest.mark.parametrize("page", PAGES)
def test_the_one_there_is_opens_without_being_named(tiny_home: Path, page: str) -> None:
    app = opened(page)
    assert app.selectbox(key="index_menu").value == "tiny"
    assert app.query_params["index"] in ("tiny", ["tiny"])
    assert "No index" not in words(app)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", ["gone", "../../etc", "<b>Sly</b>"])
def test_an_unknown_one_is_said(tiny_home: Path, page: str, name: str) -> None:
    app = opened(page, index=name)
    assert f"There is no index called {name}" in words(app)
    assert not any("<b>Sly" in body for body in raw(app))
    assert app.selectbox(key="index_menu").value is None
    app.selectbox(key="index_menu").set_value("tiny").run()
    assert "There is no index" not in words(checked(app))


def test_another_index_takes_nothing_of_the_address_along(tiny_home: Path) -> None:
    shutil.copytree(tiny_home / "indexes" / "tiny", tiny_home / "indexes" / "twin")
    app = opened("trace", index="tiny", q=QUESTION.text, top_k="3")
    app.selectbox(key="index_menu").set_value("twin").run()
    assert dict(checked(app).query_params) in ({"index": "twin"}, {"index": ["twin"]})
    assert app.text_input(key="ask_question").value == ""


@pytest.mark.parametrize("page", ["explore", "trace", "compare"])
def test_a_first_build_is_followed(empty_home: Path, page: str) -> None:
    folder = empty_home / "indexes" / "big"
    folder.mkdir(parents=True)
    with writer_lock(folder, "a build"):
        journal = Journal(folder)
        journal.start(jobs.Job("build", folder, files=(folder / "corpus.txt",)))
        journal.progress(Progress("embed", 0, 400))
        journal.write("progress", stage="embed", done=100, total=400)
        app = opened(page, index="big")
        assert "Building big: 31 %" in words(app)
        checked(app.button(key="unfinished_build").click().run())
        assert here(app) == "Build"


@pytest.mark.parametrize("page", ["explore", "trace", "compare"])
def test_a_damaged_one_says_what_to_do(tiny_home: Path, page: str) -> None:
    folder = tiny_home / "indexes" / "broken"
    (folder / "meta.lance").mkdir(parents=True)
    (folder / "meta.lance" / "data").write_text("no table")
    app = opened(page, index="broken")
    assert "This index cannot be opened" in words(app)
    assert app.button(key="empty_button").label == "Go to Start"
