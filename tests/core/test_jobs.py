import errno
import json
import threading
import time
from pathlib import Path

import pytest

from core.errors import Cancelled, IndexLocked, IndexMissing, InputError, StoreError
from core.jobs import JOURNAL, LOG, Job, JobState, cancel, resume, run, state
from core.jobs.worker import taken
from core.progress import Progress
from core.settings import BUNDLED_EMBEDDER, read_settings
from core.store.index import Index
from core.store.lock import holder, is_locked, writer_lock
from core.store.shelf import shelved
from tests.core.fakes import WordEmbedder
from tests.core.five import TEXTS


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A JSONL file of the five passages."""
    path = tmp_path / "Fünf Texte.jsonl"
    rows = [{"id": key, "title": title, "text": text} for key, (title, text) in TEXTS.items()]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> WordEmbedder:
    """The embedder of every job that runs in this process."""
    embedder = WordEmbedder()
    monkeypatch.setattr("core.models.embedder.load_embedder", lambda name: embedder)
    return embedder


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "five texts"


def state_of(index: Path) -> JobState:
    now = state(index)
    assert now is not None
    return now


def events(index: Path) -> list[str]:
    return [json.loads(line)["event"] for line in (index / JOURNAL).read_text().splitlines()]


def test_no_job_no_state(index: Path) -> None:
    assert state(index) is None


def test_a_finished_build(index: Path, files: Path, words: WordEmbedder) -> None:
    meta = run(Job("build", index, files=(files,), chunking="paragraph"))

    now = state_of(index)
    assert now.status == "finished"
    assert now.counts == meta.counts
    assert meta.counts.documents == now.documents == 5
    assert meta.chunking == "paragraph"
    assert list(now.seconds) == ["read", "chunk", "questions", "embed", "merge", "write"]
    assert (now.stage, now.done, now.total) == ("write", 1, 1)
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
    assert set(shelved(index)) == {"entities"}
    assert now.job is not None
    run(now.job)
    assert set(shelved(index)) == {"entities", "facts"}


def test_a_job_to_make_what_nobody_knows(index: Path, files: Path, words: WordEmbedder) -> None:
    run(Job("build", index, files=(files,)))
    with pytest.raises(InputError, match="no artefact 'cats'"):
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

    monkeypatch.setattr("core.indexing.write_tables", full)
    with pytest.raises(StoreError, match="No space left on device"):
        run(Job("build", index, files=(files,)))
    now = state_of(index)
    assert now.status == "failed"
    assert now.message.startswith("No space left on device. Mend it, and resume")
    assert now.resumable


def test_the_lock_needs_no_room_for_the_name_of_its_holder(index: Path) -> None:
    (index / "writer.json").mkdir(parents=True)
    with writer_lock(index, "deleting it"):
        assert is_locked(index)
        assert holder(index) == "by an unknown process"


@pytest.mark.parametrize("stop", [Cancelled, KeyboardInterrupt])
def test_stopped_by_whoever_is_told(
    index: Path, files: Path, words: WordEmbedder, stop: type[BaseException]
) -> None:
    def report(progress: Progress) -> None:
        if progress.stage == "merge":
            raise stop

    with pytest.raises(Cancelled, match="kept"):
        run(Job("build", index, files=(files,)), report)
    assert state_of(index).status == "cancelled"
    assert state_of(index).resumable

    embedded = len(words.texts)
    resumed = run(Job("build", index, files=(files,)))
    assert state_of(index).status == "finished"
    assert len(words.texts) == embedded  # nothing twice
    scratch = run(Job("build", index.with_name("scratch"), files=(files,)))
    assert resumed.graph_version == scratch.graph_version


def test_stopped_by_the_cancel_file(index: Path, files: Path, words: WordEmbedder) -> None:
    def report(progress: Progress) -> None:
        if progress.stage == "embed":
            cancel(index)

    with pytest.raises(Cancelled):
        run(Job("build", index, files=(files,)), report)
    assert state_of(index).status == "cancelled"
    run(Job("build", index, files=(files,)))  # the old wish does not stop the next one
    assert state_of(index).status == "finished"


def test_what_is_published_is_not_stopped_any_more(
    index: Path, files: Path, words: WordEmbedder
) -> None:
    def report(progress: Progress) -> None:
        if progress == Progress("write", 0, 1):
            cancel(index)

    run(Job("build", index, files=(files,)), report)
    assert state_of(index).status == "finished"
    assert len(Index.open(index).passages) == len(TEXTS)


def test_stopped_by_a_signal(index: Path, files: Path, words: WordEmbedder) -> None:
    with taken(Job("build", index, files=(files,))) as take, pytest.raises(Cancelled):
        take.finish(stopped=lambda: True)
    assert state_of(index).status == "cancelled"


def test_cancelling_what_does_not_run_does_nothing(
    index: Path, files: Path, words: WordEmbedder
) -> None:
    cancel(index)
    assert not index.exists()
    run(Job("build", index, files=(files,)))
    cancel(index)
    assert state_of(index).status == "finished"


def test_a_journal_without_an_end_and_nobody_at_work_is_a_death(index: Path) -> None:
    with taken(Job("build", index, files=(Path("a b.txt"),), restart=True)) as take:
        assert state_of(index).status == "running"
        take.journal.progress(Progress("embed", 512, 1000))
    now = state_of(index)
    assert (now.status, now.stage, now.done) == ("died", "embed", 512)
    assert now.job is not None
    assert now.job.files == (Path("a b.txt").absolute(),)
    assert now.job.restart
    assert "Resume" in now.message


def test_a_torn_line_and_garbage_are_passed_over(
    index: Path, files: Path, words: WordEmbedder
) -> None:
    run(Job("build", index, files=(files,)))
    with (index / JOURNAL).open("ab") as stream:
        stream.write(b'\n\xff\x00\n[1]\n{"event": "progress"}\n{"event": "started", "ti')
    assert state_of(index).status == "finished"
    before = state_of(index).last_progress_at

    run(Job("build", index, files=(files,)))
    now = state_of(index)
    assert now.status == "finished"
    assert now.started_at > before


def test_a_damaged_record_cannot_be_resumed(index: Path) -> None:
    index.mkdir()
    (index / JOURNAL).write_text(
        '{"event": "started", "time": 1.0, "job": {"kind": "format c:"}}\n'
    )
    assert state_of(index).status == "died"
    assert not state_of(index).resumable
    with pytest.raises(StoreError, match="no job to resume"):
        resume(index)


def test_nothing_to_resume(index: Path) -> None:
    with pytest.raises(StoreError, match="no job to resume"):
        resume(index)


def test_a_folder_that_was_taken_away_does_not_come_back(
    index: Path, files: Path, words: WordEmbedder
) -> None:
    def report(progress: Progress) -> None:
        if progress.stage == "questions" and index.exists():
            index.rename(index.with_name("elsewhere"))

    with pytest.raises(StoreError, match="build the index again"):
        run(Job("build", index, files=(files,)), report)
    assert not index.exists()
    assert state(index) is None


def test_a_folder_that_took_its_place_is_not_touched(
    index: Path, files: Path, words: WordEmbedder
) -> None:
    with taken(Job("build", index, files=(files,))) as take:
        index.rename(index.with_name("elsewhere"))
        index.mkdir()
        (index / JOURNAL).touch()
        with pytest.raises(StoreError, match="another folder"):
            take.journal.progress(Progress("embed", 1, 2))
    assert (index / JOURNAL).read_text() == ""


def test_a_place_that_cannot_be_written(files: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        run(Job("build", files / "inside a file", files=(files,)))


def test_progress_is_written_four_times_a_second(index: Path) -> None:
    with taken(Job("build", index)) as take:
        begin = time.monotonic()
        for done in range(1, 20_000):
            take.journal.progress(Progress("embed", done, 20_000))
        allowed = (time.monotonic() - begin) / 0.25 + 2
        take.journal.progress(Progress("embed", 20_000, 20_000))
    assert 2 <= events(index).count("progress") <= allowed + 1


def test_the_end_tells_how_far_it_came_and_nothing_is_told_twice(index: Path) -> None:
    with taken(Job("build", index)) as take:
        for done in (0, 1, 1, 7, 7):
            take.journal.progress(Progress("embed", done, 20))
        take.journal.write("cancelled", message="")
    assert (state_of(index).done, events(index).count("progress")) == (7, 2)


def write_journal(index: Path, *steps: tuple[float, str, int, int]) -> None:
    """A journal whose job began at 1000; steps are (time, stage, done, total)."""
    index.mkdir()
    lines: list[dict[str, object]] = [
        {"event": "started", "time": 1000.0, "job": Job("build", index).to_dict()}
    ]
    for moment, stage, done, total in steps:
        line = {"event": "progress", "time": moment, "stage": stage, "done": done, "total": total}
        lines.append(line)
    (index / JOURNAL).write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_rate_and_eta_are_of_the_last_twenty_seconds(index: Path) -> None:
    write_journal(
        index,
        (1001.0, "read", 0, 1),
        (1002.0, "embed", 0, 1000),
        (1003.0, "embed", 500, 1000),  # fast, but long ago
        (1030.0, "embed", 600, 1000),
        (1040.0, "embed", 640, 1000),
    )
    now = state_of(index)
    assert now.rate == pytest.approx((640 - 600) / (1040 - 1030))
    assert now.eta_seconds == pytest.approx((1000 - 640) / 4)
    assert now.seconds == {"read": 1002 - 1001, "embed": 1040 - 1002}
    assert now.last_progress_at.timestamp() == 1040


def test_no_rate_at_the_begin_of_a_stage(index: Path) -> None:
    write_journal(index, (1001.0, "read", 1, 1), (1002.0, "embed", 0, 10))
    assert state_of(index).rate is None
    assert state_of(index).eta_seconds is None


def test_the_lock_can_be_taken_again_by_its_holder_only(index: Path) -> None:
    with writer_lock(index, "a"), writer_lock(index, "b"):
        caught: list[BaseException] = []

        def other() -> None:
            try:
                with writer_lock(index, "c"):
                    pass
            except IndexLocked as error:
                caught.append(error)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert "a (process" in str(caught[0])


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
