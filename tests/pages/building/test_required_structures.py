"""What a retriever stands on: said before it is built, built on a click, listed and dropped."""

import shutil
from pathlib import Path

import streamlit as st
from streamlit.testing.v1 import AppTest

from core import jobs
from core.corpus.types import Corpus
from core.indexing.updates import build
from core.jobs.journal import Journal
from core.progress import Progress
from core.store.artefact_tables import shelved
from core.store.locking.writer_lock import writer_lock
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import TEXTS, silent
from tests.pages.conftest import QUESTION, TINY
from tests.pages.journeys import checked, labels, last_words, opened, words

KEY = "hipporag2"


def traced() -> AppTest:
    return opened("trace", index=TINY, q=QUESTION.text, retriever=KEY)


def texts(app: AppTest) -> str:
    return " ".join(text.value for text in app.text)


def folder(home: Path) -> Path:
    return home / "indexes" / TINY


def test_it_is_said_built_on_a_click_and_then_it_goes_on(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    app = traced()
    assert "needs structures that this index does not have" in texts(app)
    assert "Entities: The names in passages" in words(app)
    assert "Facts: What each sentence states" in words(app)
    assert inline_jobs == []
    assert last_words(app) == ""

    app.button(key="trace_build").click().run()
    assert inline_jobs[0].artefacts == ("entities", "facts")
    assert "retrieved" in last_words(checked(app))
    assert "trace_build" not in {button.key for button in app.button}
    assert set(shelved(folder(tiny_home))) == {"entities", "facts"}


def test_a_retriever_that_stands_on_nothing_waits_for_nothing(tiny_home: Path) -> None:
    app = opened("trace", index=TINY, q=QUESTION.text, retriever="bm25")
    assert "trace_build" not in {button.key for button in app.button}
    assert "Both gold passages are retrieved" in last_words(app)


def test_while_it_is_built_the_page_shows_how_far_it_is(tiny_home: Path) -> None:
    place = folder(tiny_home)
    with writer_lock(place, "making entities"):
        journal = Journal(place)
        journal.start(jobs.Job("make", place, artefacts=("entities", "facts")))
        journal.progress(Progress("entities", 0, 1))
        journal.progress(Progress("entities", 1, 1))
        journal.progress(Progress("facts", 0, 400))
        journal.write("progress", stage="facts", done=100, total=400)
        app = traced()
        shown = words(app)
        assert "Building retriever data for tiny: 62%" in shown
        assert "✓ Entities" in shown
        assert "▸ Facts 100 of 400" in shown
        assert "Cancel" in labels(app, "button")
        assert "Build it" not in labels(app, "button")
        app.button(key="trace_needs_cancel").click().run()
        assert (place / "cancel").exists()
    assert "Resume" in labels(checked(app.run()), "button")


def test_one_column_waits_and_the_others_show(tiny_home: Path, inline_jobs: list[jobs.Job]) -> None:
    app = opened("compare", index=TINY, q=QUESTION.text, **{"with": f"bm25,{KEY}"})
    assert labels(app, "button").count("Build it") == 1
    assert "It found no passage" not in words(app)
    assert "Show walkthrough" in labels(app, "button")
    app.button(key="compare_1_build").click().run()
    assert "Build it" not in labels(checked(app), "button")
    assert labels(app, "button").count("Show walkthrough") == 2


def test_the_shelf_is_empty_at_first(tiny_home: Path) -> None:
    app = opened("settings", index=TINY)
    assert any("Nothing has been built for retrievers yet" in c.value for c in app.caption)


def test_the_shelf_lists_what_lies_there_and_drops_it(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    traced().button(key="trace_build").click().run()
    app = opened("settings", index=TINY)
    shown = words(app)
    assert "Entities up to date The names in passages" in shown
    assert "built just now" in shown
    assert "HippoRAG 2" in shown

    app.button(key="settings_drop_entities").click().run()
    assert "reuses cached embeddings and model replies" in texts(app)
    assert set(shelved(folder(tiny_home))) == {"entities", "facts"}
    app.button(key="settings_drop_now").click().run()
    assert set(shelved(folder(tiny_home))) == {"facts"}
    assert "settings_drop_entities" not in {button.key for button in checked(app).button}


def test_what_is_made_of_an_older_content_is_stale(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    traced().button(key="trace_build").click().run()
    fewer = tuple(Document(key, *TEXTS[key]) for key in ("club", "owner"))
    build(folder(tiny_home), Corpus(documents=fewer, queries=()), WordEmbedder(), silent)
    assert "Entities stale" in words(opened("settings", index=TINY))
    assert "Build it" in labels(traced(), "button")


def test_damage_says_what_to_do_and_can_be_dropped(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    traced().button(key="trace_build").click().run()
    for table in folder(tiny_home).glob("artefact_*.lance"):
        shutil.rmtree(table)
    st.cache_resource.clear()
    assert "Delete it and build it again" in traced().error[0].value.replace("\\", "")
    assert "settings_drop_facts" in {button.key for button in opened("settings").button}


def test_compare_says_at_the_top_who_is_left_out_and_builds_it_there(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    app = opened("compare", index=TINY, q=QUESTION.text, **{"with": f"bm25,dense,{KEY}"})
    (line,) = [one.value for one in app.warning if "not in this comparison" in one.value]
    assert "HippoRAG 2 is not in this comparison" in line
    assert "the index lacks entities, facts" in line
    checked(app.button(key="compare_2_top_build").click().run())
    assert inline_jobs[0].artefacts == ("entities", "facts")
    assert not [one for one in app.warning if "not in this comparison" in one.value]
