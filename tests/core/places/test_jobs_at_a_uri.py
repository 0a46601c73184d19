"""Machines that share an index: killed, taken over, and at work at the same time."""

import signal
import subprocess
from collections.abc import Callable
from contextvars import Context
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import IndexLocked, IndexMissing
from core.jobs import Job, JobState, run, state
from core.jobs.journal import last_run
from core.places import Remote
from core.progress import Progress
from core.settings import settings
from core.store.index import Index
from core.store.locking import object_lock
from core.store.tables import read_meta
from tests.core.fakes import WordEmbedder

BUILD = """
import os, signal, sys
from pathlib import Path
import core.indexing.builder as indexing
import core.models.embedder as embedder
from core.jobs import Job, run
from core.places import place_of
from tests.core.fakes import WordEmbedder

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def report(progress):
    if progress.stage == sys.argv[3]:
        die()

if sys.argv[3] == "publish":
    indexing.publish = die
embedder.load_embedder = lambda name: WordEmbedder()
run(Job("build", place_of(sys.argv[1]), files=(Path(sys.argv[2]),)), report)
"""


@pytest.fixture(autouse=True)
def patient(words: WordEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.store.locking.writer_lock._WRITER_PATIENCE", 0.0)
    # No lease ends by itself, however long this takes.
    monkeypatch.setattr(object_lock, "_now", lambda place: datetime.fromtimestamp(0, UTC))


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From its call on this is another machine, and the time of any lease has run out."""

    def go() -> None:
        monkeypatch.setenv("HOPRAG_HOME", str(tmp_path / "elsewhere"))
        settings.cache_clear()
        monkeypatch.setattr("core.store.locking.local_copy._known", {})
        monkeypatch.setattr(
            object_lock, "_now", lambda place: datetime.now(UTC) + timedelta(hours=1)
        )

    return go


def kill(python: str, index: Remote, files: Path, stage: str) -> None:
    """A build in a process of its own that is killed as it comes to `stage`, or to publishing."""
    done = subprocess.run([python, "-c", BUILD, str(index), str(files), stage], check=False)
    assert done.returncode == -signal.SIGKILL


def last(index: Remote) -> JobState:
    now = state(index)
    assert now is not None
    return now


@pytest.mark.parametrize("stage", ["embed", "merge"])
def test_another_machine_goes_on_where_one_was_killed(
    warm_python: str,
    remote: Remote,
    tmp_path: Path,
    files: Path,
    words: WordEmbedder,
    elsewhere: Callable[[], None],
    stage: str,
) -> None:
    kill(warm_python, remote, files, stage)
    with pytest.raises(IndexMissing, match="no finished index"):
        Index.open(remote)
    assert last(remote).status == "running"
    killed = last_run(remote)[0]["process"]
    with pytest.raises(IndexLocked, match=f"a build .process {killed} on"):
        run(Job("build", remote, files=(files,)))

    elsewhere()
    dead = last(remote)
    assert (dead.status, dead.stage, dead.resumable) == ("died", stage, True)
    assert dead.job is not None
    words.texts.clear()
    resumed = run(dead.job)
    assert bool(words.texts) == (stage == "embed")  # what was embedded is there
    assert resumed.graph_version == run(Job("build", tmp_path / "x", files=(files,))).graph_version


def test_who_reads_is_not_disturbed_by_a_rebuild_killed_or_finished(
    warm_python: str,
    built_there: Remote,
    tmp_path: Path,
    embedder: WordEmbedder,
    elsewhere: Callable[[], None],
) -> None:
    more = tmp_path / "more.txt"
    more.write_text("Selby Ales is a brewery in Port Selby.")
    reader = Index.open(built_there, embedder.info)
    kill(warm_python, built_there, more, "publish")
    assert read_meta(built_there).graph_version == reader.meta.graph_version
    assert len(Index.open(built_there, embedder.info).passages) == 5
    elsewhere()
    run(Job("build", built_there, files=(more,)))
    assert len(Index.open(built_there).passages) == 1
    assert len(reader.questions) == 1  # read only now
    assert len(list(reader.graph.all_pseudo_queries)) > 5


def test_two_machines_that_add_at_once(built_there: Remote, tmp_path: Path) -> None:
    first, second = tmp_path / "ales.txt", tmp_path / "ash.txt"
    first.write_text("Selby Ales is a brewery in Port Selby.")
    second.write_text("The River Ash is a river. It meets the sea at Port Selby.")
    adding = Job("add", built_there, files=(second,))

    def report(progress: Progress) -> None:
        if progress.stage == "merge":
            with pytest.raises(IndexLocked, match="adding documents"):
                Context().run(run, adding)

    run(Job("add", built_there, files=(first,)), report)
    run(adding)
    assert {each.source for each in Index.open(built_there).documents} >= {"ales.txt", "ash.txt"}
    assert len(Index.open(built_there).documents) == 7
