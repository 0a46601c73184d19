import json
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st

from core import jobs
from core.ceiling.hubs import hubs
from core.graph_report import report
from core.jobs.journal import Journal
from core.progress import Progress
from core.store.index import Index
from core.store.locking.writer_lock import writer_lock
from core.store.records.record import PUBLISHED
from pages.components.building import ceiling
from pages.components.shell import resources
from tests.pages.journeys import checked, frames, labels, opened, words


@pytest.fixture
def folder(empty_home: Path) -> Path:
    """Where an index is to be built."""
    path = empty_home / "indexes" / "big"
    path.mkdir(parents=True)
    return path


@pytest.fixture
def running(folder: Path) -> Iterator[Journal]:
    """A build that runs, in the stage of embedding."""
    with writer_lock(folder, "a build"):
        journal = Journal(folder)
        journal.start(jobs.Job("build", folder, files=(folder / "corpus.txt",)))
        journal.progress(Progress("read", 0, 1))
        journal.progress(Progress("read", 1, 1))
        journal.progress(Progress("embed", 0, 400))
        journal.write("progress", stage="embed", done=100, total=400)
        yield journal


@pytest.mark.usefixtures("valid_charts")
def test_the_report_is_like_table_7(tiny_home: Path, tiny_index: Index) -> None:
    app = opened("build", index="tiny")
    edges = tiny_index.meta.counts.edges
    length = sum(len(passage.text) for passage in tiny_index.passages) / 6
    assert app.table[0].value.iloc[0].to_dict() == {
        "Index": "tiny",
        "Documents": "6",
        "Passages": "6",
        "Edges": str(edges),
        "Average text length": f"{length:.1f}",
        "Average out-degree": f"{edges / 6:.2f}",
        "Dropped edges": "0",
    }
    assert len(app.get("vega_lite_chart")) == 2
    assert "Components 1 connected component In the largest" in words(app)
    assert "Orphans 0 passages without edges" in words(app)
    assert (
        "passages with fewer than 4 out-questions (common in short passages; one is enough)"
        in words(app)
    )


@pytest.mark.usefixtures("running")
def test_a_build_is_shown_before_all_indexes_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "entries", lambda: st.stop())
    assert "Building big" in words(opened("build", index="big"))


def test_the_time_of_a_build_is_that_of_its_whole_job(tiny_home: Path) -> None:
    folder = tiny_home / "indexes" / "tiny"
    journal = Journal(folder)
    journal.start(jobs.Job("add", folder, files=(folder / "corpus.txt",)))
    journal.write("finished", counts={})
    lines = (folder / "journal.jsonl").read_text().splitlines()
    begun, ended = (json.loads(line) for line in lines)
    begun["time"] = ended["time"] - 72
    (folder / "journal.jsonl").write_text(f"{json.dumps(begun)}\n{json.dumps(ended)}\n")
    shown = words(opened("build", index="tiny"))
    assert re.search(r"documents added .* in 1 min 12 s · automatic chunking", shown)


def test_why_most_passages_have_no_edge_is_said(
    tiny_home: Path, tiny_index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not any("have no edge" in each.value for each in opened("build", index="tiny").warning)
    found = report(tiny_index)
    bare = replace(found, orphans=tuple(each.id for each in tiny_index.passages[:4]))
    monkeypatch.setattr("pages.components.building.build_report.report", lambda _: bare)
    st.cache_resource.clear()
    said = " ".join(each.value for each in checked(opened("build", index="tiny")).warning)
    assert "4 of 6 passages have no edge" in said
    assert "see Settings" in said


def test_what_the_graph_can_reach(tiny_home: Path) -> None:
    app = opened("build", index="tiny")
    shown = words(app)
    assert "Gold within 1 hop 100.0% all passages: 100%" in shown
    assert "Lost by the graph 0 gold out of reach" in shown
    assert any("retrieves 2 of 2 gold passages in its top 6" in text.value for text in app.text)
    reach = next(frame for frame in frames(app) if "h4" in frame.columns)
    assert reach["of"][0] == "of 2 gold"
    assert reach["h4"][0] == 100.0
    assert "python -m core ceiling" in app.code[0].value


def test_a_large_index_is_measured_when_asked(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.components.building.ceiling._AT_ONCE", 0)
    app = opened("build", index="tiny")
    assert not any("h4" in frame.columns for frame in frames(app))
    assert app.button(key="build_ceiling").label == "Measure with 1 question"
    app.button(key="build_ceiling").click().run()
    assert any("h4" in frame.columns for frame in frames(checked(app)))
    assert "build_ceiling" not in {button.key for button in app.button}


def test_without_gold_it_is_said_how_to_get_it(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Index, "questions", ())
    texts = [text.value for text in opened("build", index="tiny").text]
    assert any("Rebuild it with a question file next to the documents" in text for text in texts)


def test_the_hubs_are_listed_where_there_are_other_passages(
    tiny_home: Path, tiny_index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = hubs(tiny_index, 2)
    monkeypatch.setattr(ceiling, "hubs", lambda _: some)
    listed = next(frame for frame in frames(opened("build", index="tiny")) if "Arriving" in frame)
    assert list(listed["Passage"]) == [hub.title for hub in some]
    assert list(listed["Edges"]) == [hub.arriving + hub.leaving for hub in some]
    every = some[:1] * len(tiny_index.ids)
    monkeypatch.setattr(ceiling, "hubs", lambda _: every)
    assert not any("Arriving" in frame for frame in frames(opened("build", index="tiny")))


def test_sampled_questions_are_shown_with_their_shares(tiny_home: Path, tiny_index: Index) -> None:
    app = opened("build", index="tiny")
    table = next(frame for frame in frames(app) if "question" in frame.columns)
    assert len(table) == min(50, len(tiny_index.graph.all_pseudo_queries))
    assert set(table["own"]) <= {"yes", "no", "–"}
    assert f"0% of {len(table)} sampled" in words(app)


def test_documents_are_searched(tiny_home: Path) -> None:
    app = opened("build", index="tiny")
    documents = next(frame for frame in frames(app) if "added" in frame.columns)
    assert len(documents) == 6
    app.text_input(key="build_search").set_value("QUIST").run()
    documents = next(frame for frame in frames(app) if "added" in frame.columns)
    assert documents["title"].tolist() == ["Mara Quist"]
    app.text_input(key="build_search").set_value("nowhere").run()
    assert app.info[0].value == "No document has 'nowhere' in its title, id or file."


def test_documents_are_taken_out_after_a_question(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    app = opened("build", index="tiny")
    # The harness cannot click a table's row: this is what the click and the button do.
    app.session_state["open_dialog"] = ("build_remove", ("club", "sly"))
    app.run()
    said = [text.value for text in app.text]
    assert any("This removes 2 documents of 6 from tiny" in text for text in said)
    assert "· Harbour Rovers\n· <b>Sly</b>" in said
    assert not app.warning
    app.button(key="build_remove_now").click().run()
    checked(app)
    assert inline_jobs[0].documents == ("club", "sly")
    assert app.table[0].value["Documents"].tolist() == ["4"]


def test_who_removes_a_gold_document_is_warned(tiny_home: Path) -> None:
    app = opened("build", index="tiny")
    app.session_state["open_dialog"] = ("build_remove", ("owner",))
    assert [warning.value for warning in app.run().warning] == [
        "1 question has gold in this document, so its recall can no longer reach 100%."
    ]


def test_not_every_document_is_taken_out(tiny_home: Path, tiny_index: Index) -> None:
    app = opened("build", index="tiny")
    everything = tuple(document.id for document in tiny_index.documents)
    app.session_state["open_dialog"] = ("build_remove", everything)
    app.run()
    assert "delete the index" in checked(app).warning[0].value
    assert "Remove them" not in labels(app, "button")


def test_a_running_build_shows_stage_rate_and_cancel(running: Journal, folder: Path) -> None:
    app = opened("build", index="big")
    shown = words(app)
    # Of 100 parts: 4 + 2 + 10 before embedding, and a quarter of its 60.
    assert "Building big: 31%" in shown
    assert "▸ Embed 100 of 400 texts · " in shown
    assert "/s · " in shown
    assert "continues if you close this page" in app.caption[0].value
    app.button(key="build_cancel").click().run()
    assert (folder / "cancel").exists()
    assert not app.table


def test_a_silent_build_is_said_to_stall(running: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.components.building.job_progress._STALLED", -1)
    assert "Stalled at 'Embed'" in opened("build", index="big").warning[0].value


def test_the_commands_can_be_pasted_whatever_the_name(tiny_home: Path) -> None:
    name = "it's $(touch x); a b"
    (tiny_home / "indexes" / "tiny").rename(tiny_home / "indexes" / name)
    for command in opened("build", index=name).code[0].value.splitlines():
        assert shlex.split(command)[5] == str(tiny_home / "indexes" / name)


def test_a_failed_build_says_why_and_resumes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(folder)
    journal.start(jobs.Job("build", folder, files=(folder / "<b>corpus</b>.txt",)))
    journal.write("failed", message="There is no file <b>corpus</b>.txt.")
    app = opened("build", index="big")
    assert "big failed" in words(app)
    assert app.error[0].value == r"There is no file \<b\>corpus\</b\>\.txt\."
    resumed: list[Path] = []
    monkeypatch.setattr(jobs, "resume", lambda index, *_: resumed.append(index))
    app.button(key="build_resume").click().run()
    assert resumed == [folder]


def test_an_index_of_another_version_says_what_to_do(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tiny_home / "indexes" / "tiny"
    journal = Journal(folder)
    journal.start(jobs.Job("build", folder, files=(folder / "corpus.txt",)))
    journal.write("finished", counts={})
    monkeypatch.setattr("core.store.schema.SCHEMA_VERSION", 0)
    assert "Rebuild it" in opened("build", index="tiny").info[0].value


def test_what_a_job_left_out_is_listed(
    tiny_home: Path, tmp_path: Path, inline_jobs: list[jobs.Job]
) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.pdf"
    good.write_text("Lindry is a town on the coast. It trades in salt.")
    bad.write_bytes(b"no pdf")
    jobs.start(jobs.Job("add", tiny_home / "indexes" / "tiny", (good, bad)))
    app = opened("build", index="tiny")
    assert labels(app, "expander")[0] == "Skipped items (1)"
    listed = next(frame for frame in frames(app) if "Reason" in frame.columns)
    assert listed["File"].tolist() == ["bad.pdf"]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(
    "table", [PUBLISHED, "documents", "passages", "pseudo_queries", "edges", "questions"]
)
def test_the_page_survives_tables_that_vanish(tiny_home: Path, table: str, when: str) -> None:
    if when == "after":
        checked(opened("build", index="tiny"))
    gone = tiny_home / "indexes" / "tiny" / table
    gone.unlink() if table == PUBLISHED else shutil.rmtree(gone.with_suffix(".lance"))
    checked(opened("build", index="tiny"))
