"""Which index a page looks at, the menu for another one, and what is shown when it is not there."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core import jobs
from core.jobs.journal import Journal
from core.progress import Progress
from core.store.index import Index
from core.store.locking.writer_lock import writer_lock
from pages.components.shell import resources
from tests.pages.conftest import QUESTION
from tests.pages.journeys import checked, here, labels, opened, raw, words

PAGES = ("build", "explore", "trace", "compare", "evaluate")


@pytest.mark.parametrize("page", PAGES)
def test_without_any_index_it_leads_to_start(empty_home: Path, page: str) -> None:
    app = opened(page)
    assert "No index yet" in words(app)
    checked(app.button(key="empty_button").click().run())
    assert "Try the sample" in labels(app, "button")


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
    assert f"No index named {name}" in words(app)
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
        assert "Building big: 31%" in words(app)
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


def test_a_damaged_file_is_named_where_the_index_is_described(tiny_home: Path) -> None:
    folder = tiny_home / "indexes" / "tiny"
    (file,) = folder.glob("passages.lance/data/*")
    number = np.float32(Index.open(folder).vectors[0, 0]).tobytes()
    content = file.read_bytes()
    assert content.count(number) == 1
    file.write_bytes(content.replace(number, bytes([number[0] ^ 1]) + number[1:]))
    verified(opened("build", index="tiny"))
    app = opened("build", index="tiny")
    (told,) = [each.value for each in app.error]
    assert f"passages.lance/data/{file.name}" in told.replace("\\", "")
    assert "Restore the file from a backup, or rebuild the index" in told.replace("\\", "")
    assert [each.value for each in app.sidebar.warning] == [
        "A file of this index is damaged. See Start."
    ]
    start = opened("start")
    assert any(f"passages.lance/data/{file.name}" in body for body in raw(start))


def test_files_that_match_their_checksums_are_said_to(tiny_home: Path) -> None:
    verified(opened("build", index="tiny"))
    told = [each.value for each in opened("build", index="tiny").caption]
    assert any(text.startswith("The index is intact (") for text in told)


def test_an_index_without_checksums_says_how_to_get_some(tiny_home: Path) -> None:
    shutil.rmtree(tiny_home / "indexes" / "tiny" / "checksums")
    verified(opened("build", index="tiny"))
    found = " ".join(c.value for c in opened("build", index="tiny").caption).replace("\\", "")
    assert "cannot be verified: it was built before checksums were recorded" in found
    assert "record-checksums" in found


def verified(app: AppTest) -> None:
    """Wait until the files of the index that a page has opened are verified."""
    entry = resources.entry("tiny")
    assert entry.meta is not None
    resources._verifications.wait(entry.path, entry.meta.finished_at)
