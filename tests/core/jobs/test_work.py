import errno
import json
from pathlib import Path

import pytest

from core.errors import Cancelled, IndexMissing, InputError, StoreError
from core.jobs import LOG, Job, JobState, cancel, run, state
from core.progress import STAGES, Progress
from core.settings import BUNDLED_EMBEDDER, read_settings
from core.store.artefact_tables import shelved
from core.store.index import Index
from tests.core.fakes import WordEmbedder
from tests.core.five import TEXTS
from tests.core.jobs.seen import state_of


def test_no_job_no_state(index: Path) -> None:
    assert state(index) is None


def test_a_finished_build(index: Path, files: Path, words: WordEmbedder) -> None:
    meta = run(Job("build", index, files=(files,), chunking="paragraph"))

    now = state_of(index)
    assert now.status == "finished"
    assert now.counts == meta.counts
    assert meta.counts.documents == now.documents == 5
    assert meta.chunking == "paragraph"
    assert tuple(now.seconds) == tuple(stage for stage in STAGES if stage != "extract")
    assert (now.stage, now.done, now.total) == ("corpus-map", 100, 100)
    assert now.message == ""
    assert not now.resumable


def test_what_was_not_read_is_in_the_journal(index: Path, files: Path, words: WordEmbedder) -> None:
    upload, copy = files.with_name("tmp123"), files.with_name("copy.jsonl")
    upload.write_bytes(b"%PDF-broken")
    copy.write_bytes(files.read_bytes())

    run(Job("build", index, files=(files, upload, copy), names={upload: "report.pdf"}))

    now = state_of(index)
    assert [each.name for each in now.rejected] == ["report.pdf"]
    assert now.rejected_count == 1
    assert now.duplicate_count == len(now.duplicates) == 5
    assert {each.source for each in now.duplicates} == {"copy.jsonl"}


def test_a_running_job_is_seen_with_its_stage(
    index: Path, files: Path, words: WordEmbedder
) -> None:
    seen: dict[str, JobState] = {}

    def report(progress: Progress) -> None:
        seen.setdefault(progress.stage, state_of(index))

    run(Job("build", index, files=(files,)), report)

    assert {now.status for now in seen.values()} == {"running"}
    assert [now.stage for now in seen.values()] == list(seen)


def test_adding_and_removing(index: Path, files: Path, words: WordEmbedder, tmp_path: Path) -> None:
    run(Job("build", index, files=(files,)))
    more = tmp_path / "more.txt"
    more.write_text("Port Ellen is a village on Islay, an island of whisky.")

    assert run(Job("add", index, files=(more,))).counts.documents == 6
    added = {d.id for d in Index.open(index).documents} - TEXTS.keys()
    assert run(Job("remove", index, documents=(*added, "club"))).counts.documents == 4
    assert state_of(index).status == "finished"


def test_removing_documents_loads_no_embedder(
    index: Path, files: Path, words: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(Job("build", index, files=(files,)))

    def load(name: str) -> WordEmbedder:
        raise AssertionError(name)

    monkeypatch.setattr("core.models.embedder.load_embedder", load)
    assert run(Job("remove", index, documents=("club",))).counts.documents == 4
    assert "load" not in state_of(index).seconds


def test_questions_and_answers_are_indexed_by_a_build_and_asked_when_they_are_added(
    index: Path, files: Path, words: WordEmbedder, tmp_path: Path
) -> None:
    faq = tmp_path / "faq.csv"
    faq.write_text("Question,Answer\nWho repairs pumps?,Oda Fisk.\nWho is paid?,Nobody.\n")

    assert run(Job("build", index, files=(faq,))).counts.documents == 2
    assert [query.gold for query in Index.open(index).questions] == [
        (each.id,) for each in Index.open(index).documents
    ]
    run(Job("build", index, files=(files,)))
    counts = run(Job("add", index, files=(faq,))).counts
    assert (counts.documents, counts.questions) == (5, 2)


def test_what_the_index_has_already_is_in_the_journal(
    index: Path, files: Path, words: WordEmbedder, tmp_path: Path
) -> None:
    run(Job("build", index, files=(files,)))
    again, taken = tmp_path / "again.jsonl", tmp_path / "taken.jsonl"
    again.write_text(json.dumps({"id": "x", "title": TEXTS["club"][0], "text": TEXTS["club"][1]}))
    taken.write_text(json.dumps({"id": "club", "text": "A club is a stick."}))

    assert run(Job("add", index, files=(again, taken))).counts.documents == 6

    now = state_of(index)
    assert [(each.id, each.source, each.of) for each in now.duplicates] == [
        ("x", "again.jsonl", "club")
    ]
    assert [note.partition(":")[0] for note in now.notes] == ["taken.jsonl"]


def test_making_what_retrievers_stand_on(index: Path, files: Path, words: WordEmbedder) -> None:
    meta = run(Job("build", index, files=(files,)))
    assert run(Job("make", index, artefacts=("facts",))) == meta
    now = state_of(index)
    assert (now.status, now.counts) == ("finished", meta.counts)
    assert list(now.seconds) == ["entities", "facts"]
    assert now.job == Job("make", index, artefacts=("facts",), embedder=now.job.embedder)  # type: ignore[union-attr]


def test_making_is_stopped_and_goes_on(index: Path, files: Path, words: WordEmbedder) -> None:
    run(Job("build", index, files=(files,)))

    def report(progress: Progress) -> None:
        if progress.stage == "facts":
            cancel(index)

    with pytest.raises(Cancelled):
        run(Job("make", index, artefacts=("facts",)), report)
    now = state_of(index)
    assert (now.status, now.resumable) == ("cancelled", True)
    assert set(shelved(index)) == {"corpus-map", "entities"}
    assert now.job is not None
    run(now.job)
    assert set(shelved(index)) == {"corpus-map", "entities", "facts"}


def test_a_job_to_make_what_nobody_knows(index: Path, files: Path, words: WordEmbedder) -> None:
    run(Job("build", index, files=(files,)))
    with pytest.raises(InputError, match="Unknown artefact 'cats'"):
        run(Job("make", index, artefacts=("cats",)))
    assert state_of(index).status == "failed"


def test_a_job_of_before_there_were_artefacts_is_read(index: Path) -> None:
    written = Job("add", index, files=(Path("a"),)).to_dict()
    del written["artefacts"]
    assert Job.from_dict(written, index).artefacts == ()


def test_adding_needs_an_index(index: Path, files: Path) -> None:
    with pytest.raises(IndexMissing, match="no finished index"):
        run(Job("add", index, files=(files,)))
    assert not index.exists()


@pytest.mark.parametrize("name", ["gone.txt", "empty.txt"])
def test_a_job_with_nothing_to_read_fails(
    index: Path, tmp_path: Path, words: WordEmbedder, name: str
) -> None:
    (tmp_path / "empty.txt").touch()
    with pytest.raises(InputError, match=name):
        run(Job("build", index, files=(tmp_path / name,)))
    now = state_of(index)
    assert now.status == "failed"
    assert name in now.message


def test_a_bug_is_in_the_log(
    index: Path, files: Path, words: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret of the corpus")

    monkeypatch.setattr(words, "encode", broken)
    with pytest.raises(ZeroDivisionError):
        run(Job("build", index, files=(files,)))
    now = state_of(index)
    assert now.status == "failed"
    assert "ZeroDivisionError" in now.message
    assert LOG in now.message
    assert "secret of the corpus" in (index / LOG).read_text()


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device", "x"),
        RuntimeError("lance error: LanceError(IO): No space left on device (os error 28), x.rs:1"),
    ],
)
def test_a_full_disk_is_said_and_is_no_bug(
    index: Path,
    files: Path,
    words: WordEmbedder,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    def full(*_: object) -> None:
        raise error

    monkeypatch.setattr("core.indexing.builder.write_tables", full)
    with pytest.raises(StoreError, match="No space left on device"):
        run(Job("build", index, files=(files,)))
    now = state_of(index)
    assert now.status == "failed"
    assert now.message.startswith("No space left on device. Fix the problem and resume")
    assert now.resumable


def test_a_job_is_the_same_in_another_folder(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model").mkdir()
    monkeypatch.chdir(tmp_path)
    raw = Job("build", index, files=(Path("a.txt"),), embedder="model").to_dict()
    assert raw["files"] == [str(tmp_path / "a.txt")]
    assert raw["embedder"] == str(tmp_path / "model")
    assert read_settings({"HOPRAG_EMBEDDER": "model"}).embedder == str(tmp_path / "model")
    for name in ("", BUNDLED_EMBEDDER, "nobody/no-folder"):
        assert Job("build", index, embedder=name).to_dict()["embedder"] == name
