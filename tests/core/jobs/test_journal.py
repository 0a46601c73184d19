import json
import time
from pathlib import Path

import pytest

from core.errors import StoreError
from core.jobs import JOURNAL, Job, resume, run, state
from core.jobs.worker import taken
from core.progress import Progress
from tests.core.fakes import WordEmbedder
from tests.core.jobs.seen import events, state_of


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

    with pytest.raises(StoreError, match="rebuild the index"):
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
