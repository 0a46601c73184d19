"""Jobs in real processes, with a real if tiny model."""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from core.errors import HopRagError, IndexLocked, IndexMissing, InputError, StoreError
from core.jobs import JOURNAL, Job, JobState, cancel, resume, start, state
from core.jobs.process import check_taken, refusal
from core.models.embedding import BATCH


def state_of(index: Path) -> JobState:
    now = state(index)
    assert now is not None
    return now


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    from tests.core.tiny_model import make_tiny_model

    return str(make_tiny_model(tmp_path_factory.mktemp("tiny")))


@pytest.fixture
def soon(warm_python: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs begin at once."""
    monkeypatch.setattr(sys, "executable", warm_python)


def many(path: Path, count: int) -> Path:
    """A file of passages that name one another: about six texts to embed for each."""
    rows = (
        {
            "id": f"p{i}",
            "title": f"Place {i}",
            "text": f"Place {i} is a town. It lies by River {i} and near Place {i + 1}.",
        }
        for i in range(count)
    )
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def wait(index: Path, until: Callable[[JobState], bool], seconds: float = 60) -> JobState:
    deadline = time.monotonic() + seconds
    while not until(now := state_of(index)):
        assert time.monotonic() < deadline, now
        time.sleep(0.005)
    return now


def kill_while_embedding(folder: Path, model: str) -> tuple[Path, JobState]:
    """The index of a build that was killed after its first batch, and its state by then."""
    for count in (300, 1500, 7500):  # on a fast machine the smaller ones are over too soon
        index = folder / f"Größe {count}"
        start(Job("build", index, files=(many(folder / "m.jsonl", count),), embedder=model))
        wait(index, lambda now: now.stage == "embed")
        wait(index, lambda now: now.done > BATCH or now.stage != "embed")
        first = json.loads((index / JOURNAL).read_text().splitlines()[0])
        with suppress(ProcessLookupError):
            os.kill(first["process"], signal.SIGKILL)
        dead = wait(index, lambda now: not now.running)
        if dead.stage == "embed" and dead.done < dead.total:
            break
    return index, dead


@pytest.mark.usefixtures("soon")
def test_resume_after_kill_repeats_at_most_one_batch(tiny_model: str, tmp_path: Path) -> None:
    index, dead = kill_while_embedding(tmp_path, tiny_model)
    assert dead.status == "died"
    assert BATCH < dead.done < dead.total

    resume(index)
    rest = wait(index, lambda now: now.stage == "embed")
    assert wait(index, lambda now: not now.running).status == "finished"
    repeated = rest.total - (dead.total - dead.done)
    assert repeated <= BATCH
    assert rest.total < dead.total


@pytest.mark.parametrize("error", [IndexMissing("No index."), InputError('"é"\n<b>')])
def test_a_refusal_is_raised_as_what_it_was(error: HopRagError) -> None:
    with pytest.raises(type(error)) as raised:
        check_taken(f"A warning.\n{refusal(error)}".encode())
    assert str(raised.value) == str(error)


@pytest.mark.usefixtures("soon")
def test_one_of_two_starts_wins_and_is_cancelled_at_once(tiny_model: str, tmp_path: Path) -> None:
    index = tmp_path / "twice"
    job = Job("build", index, files=(many(tmp_path / "m.jsonl", 3000),), embedder=tiny_model)
    lost: list[IndexLocked] = []

    def attempt() -> None:
        try:
            start(job)
        except IndexLocked as error:
            lost.append(error)

    threads = [threading.Thread(target=attempt) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(lost) == 1
    assert "a build" in str(lost[0])
    assert state_of(index).running
    with pytest.raises(IndexLocked):
        resume(index)
    cancel(index)
    assert wait(index, lambda now: not now.running).status == "cancelled"


def test_a_start_that_fails_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be written"):
        start(Job("build", tmp_path / "file" / "index"))
    with pytest.raises(StoreError, match="could not start"):
        start(Job("explode", tmp_path / "none"))  # type: ignore[arg-type]
