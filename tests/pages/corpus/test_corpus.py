import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import jobs
from core.errors import InputError
from core.settings import settings
from core.store.graph_limits import GraphLimits
from core.store.index import Index
from pages.components.ask.questions.suggested_questions import suggestions
from pages.components.corpus.chosen_files import ChosenFile, listens_beyond_loopback, save_uploads
from pages.components.corpus.file_reading import stamps
from tests.pages.journeys import checked, opened, raw, words

CORPUS = [
    {"id": "p1", "title": "Ash", "text": "Ash is a river. It meets the sea at Selby."},
    {"id": "p2", "title": "Selby", "text": "Selby is a port. It was founded in 1204."},
]
QUESTIONS = [{"id": "q", "question": "Where does the Ash end?", "gold": ["p2"]}]


def jsonl(rows: list[dict[str, object]]) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def upload(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    given = [(name, content, "application/octet-stream") for name, content in files]
    app.file_uploader[0].set_value(given)
    return checked(app.run())


def test_without_a_file_it_says_what_is_recognised(tiny_home: Path) -> None:
    shown = words(opened("corpus"))
    assert "Supported formats" in shown
    for name in ("MuSiQue", "HotpotQA", "BEIR", ".parquet", "HippoRAG"):
        assert name in shown


@pytest.mark.usefixtures("valid_charts")
def test_files_are_recognised_and_counted(tiny_home: Path) -> None:
    app = upload(opened("corpus"), ("corpus.jsonl", jsonl(CORPUS)), ("ask.jsonl", jsonl(QUESTIONS)))
    files = app.dataframe[0].value
    assert files["file"].tolist() == ["corpus.jsonl", "ask.jsonl"]
    assert files["documents"].tolist() == [2, 0]
    assert files["questions"].tolist() == [0, 1]
    assert "Documents 2 Passages 2" in words(app)
    assert "Questions 1 1 with gold" in words(app)
    assert [tab.label for tab in app.tabs] == ["Passages 2", "Files 2", "Questions 1"]


def test_uploads_lie_under_safe_names(tiny_home: Path) -> None:
    app = upload(opened("corpus"), ("../../evil name.jsonl", jsonl(CORPUS)))
    (path,) = (tiny_home / "uploads").rglob("*.jsonl")
    assert path.name == "0001.jsonl"
    assert app.session_state["corpus_chosen"] == (ChosenFile(path, "../../evil name.jsonl"),)


def test_rejected_files_and_duplicates_are_listed_with_the_reason(tiny_home: Path) -> None:
    app = upload(
        opened("corpus"),
        ("one.jsonl", jsonl(CORPUS)),
        ("two.jsonl", jsonl([{**CORPUS[0], "id": "p9"}])),
        ("tool.exe", b"MZ"),
        ("empty.txt", b""),
    )
    left_out = app.warning[0].value.replace("\\", "")
    assert left_out.startswith("2 files left out: tool.exe (unsupported file type")
    assert "; empty.txt (it is empty" in left_out
    shown = words(app)
    assert "tool.exe unsupported file type" in shown
    assert "empty.txt it is empty" in shown
    assert "p9 two.jsonl: same title and text as p1" in shown


def test_a_zip_is_looked_into(tiny_home: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a/ash.txt", CORPUS[0]["text"])
        archive.writestr("../out.txt", "no")
    app = upload(opened("corpus"), ("all.zip", packed.getvalue()))
    assert app.dataframe[0].value["file"].tolist() == ["all.zip/a/ash.txt"]
    assert "points outside the archive" in words(app)


def test_questions_and_answers_alone_are_shown_as_documents(tiny_home: Path) -> None:
    app = upload(opened("corpus"), ("faq.csv", b"Question,Answer\nWho repairs pumps?,Oda Fisk.\n"))
    assert "Documents 1 Passages 1" in words(app)
    assert "A new index will contain each as a document" in words(app)


def test_a_change_of_chunking_shows_other_passages_and_reads_nothing(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = upload(opened("corpus"), ("corpus.jsonl", jsonl(CORPUS)))
    monkeypatch.setattr("pages.components.corpus.file_reading.read_files", None)
    app.segmented_control[0].set_value("sentence").run()
    assert "Documents 2 Passages 4 Median length 20 characters" in words(app)
    assert "Ash part 1 · 15 characters Ash is a river." in words(app)
    app.segmented_control[0].set_value("tokens").run()
    app.number_input(key="corpus_size").set_value(8)
    app.number_input(key="corpus_overlap").set_value(2).run()
    assert "Selby part 2 · " in words(checked(app))


HEADED = b"# Ash\n\nAsh is a river.\n\n## Selby\n\nSelby is a port."


def test_what_will_be_cut_is_said_and_is_what_is_built(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    long = "\n\n".join(["Ash is a river of the north and it is long. " * 12] * 40)
    app = upload(opened("corpus"), ("doc1.md", HEADED), ("tale.txt", long.encode()))
    shown = words(app)
    told = "2 documents are split: 1 at its headings, 1 into passages of about "
    assert any(told in each.value.replace("\\", "") for each in app.caption)
    assert "Documents 2 Passages 42" in shown
    assert "Ash: Selby part 2 · 16 characters Selby is a port." in shown
    assert app.text_input(key="corpus_name").value == "tale-and-1-more"
    app.toggle(key="corpus_longest_first").set_value(True).run()
    assert words(checked(app)).index("tale part 1 ·") < words(app).index("tale part 2 ·")
    assert "Ash: Selby part 2" not in words(app)
    app.number_input(key="corpus_hub_limit").set_value(30).run()
    app.number_input(key="corpus_out_questions").set_value(4).run()
    app.number_input(key="corpus_edge_cap").set_value(3).run()
    app.button(key="corpus_build").click().run()
    checked(app)
    assert (inline_jobs[0].chunking, inline_jobs[0].hub_limit) == ("fit", 30)
    assert inline_jobs[0].limits == GraphLimits(out_questions=4, edge_cap=3)
    index = Index.open(tiny_home / "indexes" / "tale-and-1-more")
    assert len(index.passages) == 42
    assert any(told in each.value.replace("\\", "") for each in app.caption)


def test_a_name_follows_the_files_until_somebody_types_one(tiny_home: Path) -> None:
    app = upload(opened("corpus"), ("doc1.md", HEADED))
    assert app.text_input(key="corpus_name").value == "ash"
    app = upload(app, ("tiny.txt", b"Selby is a port."))
    assert app.text_input(key="corpus_name").value == "tiny-and-1-more"
    app.text_input(key="corpus_name").set_value("mine").run()
    app = upload(app, ("more.txt", b"York is a port."))
    assert app.text_input(key="corpus_name").value == "mine"


def test_an_overlap_that_cannot_be_is_refused(tiny_home: Path) -> None:
    app = upload(opened("corpus"), ("corpus.jsonl", jsonl(CORPUS)))
    app.segmented_control[0].set_value("tokens").run()
    app.number_input(key="corpus_size").set_value(8)
    app.number_input(key="corpus_overlap").set_value(8).run()
    assert "overlap must be smaller than the size" in checked(app).error[0].value


def test_markup_in_a_corpus_stays_text(tiny_home: Path) -> None:
    sly = {"id": "s", "title": "<b>Sly</b>", "text": "<img src=x onerror=alert(1)> [a](http://x)"}
    app = upload(opened("corpus"), ("corpus.jsonl", jsonl([sly])))
    assert not any("<img" in body or "<b>Sly" in body for body in raw(app))
    assert "<img src=x onerror=alert(1)>" in words(app)


def test_a_build_reaches_the_build_page(tiny_home: Path, inline_jobs: list[jobs.Job]) -> None:
    app = upload(opened("corpus"), ("Old towns.jsonl", jsonl(CORPUS)))
    assert app.text_input(key="corpus_name").value == "old-towns"
    app.segmented_control[0].set_value("sentence").run()
    app.button(key="corpus_build").click().run()
    checked(app)
    (job,) = inline_jobs
    assert (job.kind, job.chunking, job.restart) == ("build", "sentence", False)
    assert set(job.names.values()) == {"Old towns.jsonl"}
    index = Index.open(tiny_home / "indexes" / "old-towns")
    assert [passage.id for passage in index.passages] == ["p1#0", "p1#1", "p2#0", "p2#1"]
    assert "Build Check the graph" in words(app)
    assert app.query_params["index"] == "old-towns"


def test_an_index_is_replaced_only_when_told_so(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    app = upload(opened("corpus"), ("corpus.jsonl", jsonl(CORPUS)))
    app.text_input(key="corpus_name").set_value("tiny").run()
    assert app.button(key="corpus_build").disabled
    app.checkbox(key="corpus_replace").check().run()
    app.button(key="corpus_build").click().run()
    checked(app)
    assert inline_jobs[0].restart
    assert len(Index.open(tiny_home / "indexes" / "tiny").documents) == 2


def test_a_name_that_cannot_be_is_refused(tiny_home: Path, inline_jobs: list[jobs.Job]) -> None:
    app = upload(opened("corpus"), ("corpus.jsonl", jsonl(CORPUS)))
    app.text_input(key="corpus_name").set_value("../up").run()
    app.button(key="corpus_build").click().run()
    assert "cannot be the name of an index" in checked(app).error[0].value
    assert not inline_jobs


def test_files_are_added_to_the_open_index(tiny_home: Path, inline_jobs: list[jobs.Job]) -> None:
    app = upload(opened("corpus", index="tiny"), ("corpus.jsonl", jsonl(CORPUS)))
    checked(app.button(key="corpus_to_add").click().run())
    checked(app.button(key="corpus_add").click().run())
    assert inline_jobs[0].kind == "add"
    assert len(Index.open(tiny_home / "indexes" / "tiny").documents) == 6 + 2


@pytest.mark.usefixtures("tiny_home")
def test_who_came_to_add_files_adds_them_as_the_index_is(inline_jobs: list[jobs.Job]) -> None:
    app = upload(opened("corpus", index="tiny", add="1"), ("corpus.jsonl", jsonl(CORPUS)))
    keys = {each.key for kind in (app.button, app.text_input, app.selectbox) for each in kind}
    assert "corpus_add" in keys
    # What is for a new index alone.
    assert not {"corpus_build", "corpus_name", "corpus_embedder"} & keys
    assert "Into tiny Same settings as the index: automatic chunking · pseudo-queries by" in words(
        app
    )
    # It starts nothing: there are still a name and an embedder to be chosen.
    checked(app.button(key="corpus_to_build").click().run())
    assert not inline_jobs
    keys = {each.key for kind in (app.button, app.text_input, app.selectbox) for each in kind}
    assert {"corpus_build", "corpus_name", "corpus_embedder", "corpus_to_add"} <= keys


def test_questions_alone_make_no_index(tiny_home: Path) -> None:
    app = upload(opened("corpus"), ("ask.jsonl", jsonl(QUESTIONS)))
    assert app.button(key="corpus_build").disabled
    assert "nothing to build" in app.info[0].value


def test_removed_uploads_leave_the_disk(tiny_home: Path) -> None:
    app = upload(opened("corpus"), ("corpus.jsonl", jsonl(CORPUS)))
    assert any("Uploads are deleted; indexes stay" in told.value for told in app.caption)
    app.button(key="corpus_forget").click().run()
    assert not list((tiny_home / "uploads").iterdir())
    assert "Supported formats" in words(checked(app))


@pytest.fixture
def rooted(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that server paths may name."""
    root = tiny_home / "shared"
    root.mkdir()
    (root / "corpus.jsonl").write_bytes(jsonl(CORPUS))
    monkeypatch.setenv("HOPRAG_ROOTS", str(root))
    settings.cache_clear()
    return root


def test_server_paths_are_not_offered_without_a_root(tiny_home: Path) -> None:
    assert not opened("corpus").text_area


def test_a_server_path_is_read_where_it_lies(rooted: Path) -> None:
    app = opened("corpus")
    app.text_area[0].set_value("corpus.jsonl")
    app.button[0].click().run()
    assert app.dataframe[0].value["documents"].tolist() == [2]
    assert app.session_state["corpus_chosen"][0].path == (rooted / "corpus.jsonl").resolve()


def test_a_server_path_outside_the_roots_is_refused(rooted: Path) -> None:
    app = opened("corpus")
    app.text_area[0].set_value("/etc/hosts")
    app.button[0].click().run()
    assert "is not inside a folder listed in HOPRAG" in app.error[0].value.replace("\\", "")


def test_server_paths_are_refused_beyond_loopback(
    rooted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "pages.components.corpus.chosen_files.listens_beyond_loopback", lambda address: True
    )
    app = opened("corpus")
    assert not app.text_area
    assert "other machines can reach this server" in app.info[0].value


@pytest.mark.parametrize(
    ("address", "beyond"),
    [
        ("127.0.0.1", False),
        ("::1", False),
        ("[::1]", False),
        ("localhost", False),
        ("0.0.0.0", True),
        ("192.168.0.4", True),
        ("example.org", True),
        (None, True),
        ("", True),
    ],
)
def test_what_can_be_reached_from_elsewhere(address: str | None, beyond: bool) -> None:
    assert listens_beyond_loopback(address) is beyond


def test_uploads_that_cannot_be_kept_are_said(tiny_home: Path) -> None:
    (tiny_home / "uploads").write_text("a file where the folder belongs")
    app = upload(opened("corpus"), ("corpus.jsonl", jsonl(CORPUS)))
    assert app.error[0].value.startswith("Could not save the uploads in ")
    assert "Supported formats" in words(app)


class _Upload:
    def __init__(self, name: str) -> None:
        self.name = name

    def getbuffer(self) -> memoryview:
        return memoryview(b"text")


def test_a_path_keeps_nothing_but_a_known_ending(tmp_path: Path) -> None:
    names = ("a/b\\..\\c.jsonl.gz", "x.exe", "noending", "UPPER.TXT")
    saved = save_uploads([_Upload(name) for name in names], tmp_path, 5)
    assert [each.path.name for each in saved] == ["0005.jsonl.gz", "0006", "0007", "0008.txt"]
    assert [each.name for each in saved] == list(names)


def test_a_file_of_a_known_name_replaces_nothing_unasked(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    app = upload(opened("corpus", index="tiny", add="1"), ("a.jsonl", jsonl(CORPUS[:1])))
    app.button(key="corpus_add").click().run()
    assert inline_jobs[-1].known == "ask"
    app = upload(opened("corpus", index="tiny", add="1"), ("a.jsonl", jsonl(CORPUS[1:])))
    assert any(
        "a.jsonl is already in the index with 1 document; the" in each.value for each in app.text
    )
    assert app.button(key="corpus_add").disabled
    checked(app.radio(key="corpus_known").set_value("keep").run())
    app.button(key="corpus_add").click().run()
    assert inline_jobs[-1].known == "keep"
    held = {each.id for each in Index.open(tiny_home / "indexes" / "tiny").documents}
    assert {"p1", "p2"} <= held


def test_files_that_were_removed_leave_no_name_and_no_choice_behind(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    app = upload(opened("corpus", index="tiny", add="1"), ("a.jsonl", jsonl(CORPUS[:1])))
    app.button(key="corpus_add").click().run()
    app = upload(opened("corpus", index="tiny", add="1"), ("a.jsonl", jsonl(CORPUS[1:])))
    app.radio(key="corpus_known").set_value("replace").run()
    app.button(key="corpus_forget").click().run()
    app = upload(app, ("a.jsonl", jsonl(CORPUS[1:])), ("b.txt", b"Ash is a river."))
    assert app.radio(key="corpus_known").value is None
    assert app.button(key="corpus_add").disabled
    app.button(key="corpus_forget").click().run()
    app = upload(app, ("b.txt", b"Ash is a river."))
    checked(app.button(key="corpus_to_build").click().run())
    assert app.text_input(key="corpus_name").value == "b"


def test_files_that_hold_nothing_lead_to_no_index(tiny_home: Path) -> None:
    app = upload(opened("corpus", index="tiny"), ("a.pdf", b"no PDF"))
    assert "None of these files could be read" in app.info[0].value
    assert not [each for each in app.button if each.key in ("corpus_build", "corpus_add")]


def test_reference_lists_are_kept_when_that_is_chosen(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    page = (
        b"<h1>Selby</h1><p>Selby is a port.<sup>[1]</sup></p><h2>References</h2><p>Colm 1990.</p>"
    )
    app = upload(opened("corpus"), ("a.html", page))
    assert "1 line of reference lists left out by default" in words(app)
    app = checked(app.checkbox(key="corpus_references").check().run())
    assert "Colm 1990." in words(app)
    assert "left out by default" not in words(app)
    app.button(key="corpus_build").click().run()
    assert inline_jobs[-1].references


def test_reading_that_was_stopped_can_be_begun_again(tiny_home: Path) -> None:
    app = upload(opened("corpus"), ("a.txt", b"Ash is a river."))
    app.session_state["corpus_stopped"] = stamps(app.session_state["corpus_chosen"])
    shown = words(checked(app.run()))
    assert "1 file chosen a.txt" in shown
    app.button(key="corpus_again").click().run()
    assert "1 file read" in words(checked(app))


def test_files_that_cannot_be_read_at_all_are_listed(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened("corpus")

    def refused(*_: object, **__: object) -> None:
        raise InputError("Nothing can be read here.")

    monkeypatch.setattr("pages.components.corpus.file_reading.read_files", refused)
    app = upload(app, ("a.txt", b"Ash is a river."), ("<b>.txt", b"Selby is a port."))
    assert app.error[0].value == r"Nothing can be read here\."
    assert "2 files chosen" in words(app)
    assert "a.txt" in words(app)
    monkeypatch.undo()
    app.button(key="corpus_forget").click().run()
    assert "Supported formats" in words(checked(app))


def test_whatever_reading_does_all_can_be_removed(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("pages.components.corpus.file_reading.read_files", broken)
    app = opened("corpus")
    app.file_uploader[0].set_value([("a.txt", b"Ash.", "text/plain")])
    app.run()
    assert app.exception
    app.button(key="corpus_forget").click().run()
    assert "Supported formats" in words(checked(app))


def test_a_long_line_is_cut_before_it_goes_to_the_browser(tiny_home: Path) -> None:
    long = b"Ash is a river. " * 200_000
    app = upload(
        opened("corpus"), ("a.txt", long), ("q.jsonl", jsonl([{"question": "A? " * 9999}]))
    )
    app.segmented_control[0].set_value("as-is").run()
    assert "3,199,999 characters" in words(app)
    assert sum(map(len, raw(app))) < 100_000
    assert max(map(len, app.dataframe[1].value["question"])) == 300


def test_questions_from_the_graph_are_one_click_away(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    ports = b"# Ports\n## Ash\nAsh meets the sea at Selby.\n## Selby\nSelby was founded in 1204."
    question = "Ash meets the sea at something that was founded in 1204. What is it?"
    app = upload(opened("corpus"), ("ports.md", ports))
    app.button(key="corpus_build").click().run()
    told = (
        "Two-hop questions, generated by rules from the graph. Their gold (the starred passages) "
        "is generated too:"
    )
    assert told in [each.value for each in checked(app).text]
    assert app.button(key="suggested_0").label.replace("\\", "") == question
    app = opened("build", index="ports")
    app.button(key="suggested_0").click().run()
    assert checked(app).query_params["q"] == question
    app = opened("trace", index="ports")
    app.button(key="suggested_0").click().run()
    assert checked(app).query_params["q"] == question
    assert "Selby was founded in 1204" in words(app)
    assert set(suggestions(Index.open(tiny_home / "indexes" / "ports"))[0].gold) == {
        "ports.md#0",
        "ports.md#1",
    }


def test_an_index_with_questions_of_its_own_suggests_none(tiny_index: Index) -> None:
    assert suggestions(tiny_index) == ()


SLY = "It <b>meets</b> the sea at Selby."
FACTS = [
    {"id": "ash", "title": "Ash", "text": f"Ash is a river. {SLY} Nobody swims there."},
    {"id": "selby", "title": "Selby", "text": "Selby is a port. It was founded in 1204."},
]
ASKED = [
    {"id": "q1", "question": "Where does the Ash end?", "evidence": [SLY, "Selby is a port."]},
    {"id": "q2", "question": "Who dug it?", "evidence": ["The Ash was dug by nobody we know of."]},
    {"id": "q3", "question": "How old is Selby?", "gold": ["selby"]},
]


def gold_of_questions(app: AppTest) -> list[str]:
    return re.findall(r"<details.*?</details>", " ".join(raw(app)), re.DOTALL)


def test_gold_is_shown_in_its_passages_before_a_build(tiny_home: Path) -> None:
    app = upload(opened("corpus"), ("corpus.jsonl", jsonl(FACTS)), ("ask.jsonl", jsonl(ASKED)))
    lost, found, whole = gold_of_questions(app)
    assert "Who dug it?" in lost
    assert "not found in any passage" in lost
    mark = "<mark class='hop-fact'>It &lt;b&gt;meets&lt;/b&gt; the sea at Selby.</mark>"
    assert mark in found
    assert "Ash is a river. " + mark + " Nobody swims there." in found
    assert "Evidence 2 of 2" in found
    assert "one passage" in whole
    told = app.warning[0].value.replace("\\", "")
    assert (
        "3 pieces of evidence in 2 questions; 2 found word for word, 1 not found in any passage."
        in told
    )
    assert "Gold of 1 question without evidence: 1 whole document or passage" in told
    assert "1 gold item is not in any of these passages" in told
    assert "Gold of 3 questions" in words(app)


def test_gold_follows_the_chunking_and_is_mapped_once_for_it(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = [{**ASKED[0], "evidence": [f"Ash is a river. {SLY}"]}, ASKED[2]]
    app = upload(opened("corpus"), ("corpus.jsonl", jsonl(FACTS)), ("ask.jsonl", jsonl(both)))
    app.segmented_control[0].set_value("sentence").run()
    split, whole = gold_of_questions(checked(app))
    assert split.count("<mark") == 2
    assert "split across passages" in split
    assert "any of its 2 passages counts" in whole
    monkeypatch.setattr("pages.components.corpus.gold_preview.with_passages", None)
    checked(app.run())
    assert gold_of_questions(app) == [split, whole]


def test_notes_on_gold_are_shown_before_a_build(tiny_home: Path) -> None:
    bare = {"id": "q9", "question": "Why?"}
    files = ("corpus.jsonl", jsonl(FACTS)), ("ask.jsonl", jsonl([*ASKED, bare]))
    app = upload(opened("corpus"), *files)
    assert any("1 of 4 questions, such as 'q9'; recall" in each.value for each in app.caption)


def test_gold_of_questions_that_are_added_is_looked_for_in_the_index(tiny_home: Path) -> None:
    index = Index.open(tiny_home / "indexes" / "tiny")
    fact = index.passages[0].text
    asked = [{"id": "new", "question": "What is it?", "evidence": [fact]}]
    app = upload(opened("corpus", index="tiny"), ("ask.jsonl", jsonl(asked)))
    assert not gold_of_questions(app)
    checked(app.button(key="corpus_to_add").click().run())
    (found,) = gold_of_questions(app)
    assert "found word for word" in found


def test_gold_of_all_questions_is_paged(tiny_home: Path) -> None:
    rows = [{"question": f"Who is number {n}?", "gold": ["a"], "answer": "Ada"} for n in range(12)]
    app = upload(
        opened("corpus"),
        ("texts.jsonl", jsonl([{"id": "a", "text": "Ada Birch is here."}])),
        ("asked.jsonl", jsonl(rows)),
    )
    assert "1 to 10 of 12 questions with gold." in [one.value for one in app.caption]
    assert app.button(key="corpus_gold_back").disabled
    checked(app.button(key="corpus_gold_on").click().run())
    assert "11 to 12 of 12 questions with gold." in [one.value for one in app.caption]
    assert app.button(key="corpus_gold_on").disabled
