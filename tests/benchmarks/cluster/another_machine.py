"""What another machine does on the journey (`journey.py`): a process with a HOPRAG_HOME of its own.

    python tests/benchmarks/cluster/another_machine.py ACTION PLACE [ARGUMENT...]

It prints what it found, as JSON a line, and ends with 1 and an error of ours where it was refused.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.errors import HopRagError
from core.jobs import Job, run, state
from core.jobs.worker import _LOOK, CANCEL
from core.marks.store import Mark, Marks
from core.models import embedder
from core.places import Outdated, Remote, place_of
from core.progress import Progress
from core.settings import settings
from core.store.index import Index
from core.store.locking.writer_lock import writer_lock
from tests.core.fakes import WordEmbedder

_PATIENCE = 60.0  # seconds


def words() -> None:
    """Has every job embed by words: no model is loaded, and every machine computes the same."""
    embedder.load_embedder = lambda name: WordEmbedder()  # type: ignore[assignment, return-value]


def say(found: object) -> None:
    print(json.dumps(found), flush=True)


def build(place: Remote, files: str, dies_at: str = "") -> None:
    """Build it; the process kills itself when it comes to the stage `dies_at`."""

    def report(progress: Progress) -> None:
        if progress.stage == dies_at:
            os.kill(os.getpid(), signal.SIGKILL)

    say(run(Job("build", place, files=(Path(files),)), report).graph_version)


def linger(place: Remote, files: str) -> None:
    """Build it, and wait in the middle to be told to stop."""

    def report(progress: Progress) -> None:
        if progress.stage == "merge" and progress.done == 0:
            say(progress.stage)
            until = time.monotonic() + _PATIENCE
            while not (place / CANCEL).exists() and time.monotonic() < until:
                time.sleep(0.1)
            time.sleep(_LOOK)  # the job looks no more often

    run(Job("build", place, files=(Path(files),)), report)


def add(place: Remote, files: str) -> None:
    say(run(Job("add", place, files=(Path(files),))).graph_version)


def hold(place: Remote) -> None:
    """Hold the lock until standard input ends."""
    with writer_lock(place, "a long journey"):
        say("held")
        sys.stdin.read()


def race(place: Remote) -> None:
    """Write over what is seen, once a line comes; whether it was the first to do so."""
    seen = place.read().version
    say("ready")
    sys.stdin.readline()
    try:
        place.replace(f"{os.getpid()}".encode(), seen)
        say(True)
    except Outdated:
        say(False)


def look(place: Remote) -> None:
    """What this machine sees of an index, and of its last job."""
    job = state(place)
    index = Index.open(place)
    say(
        {
            "graph": index.meta.graph_version,
            "documents": sorted(each.id for each in index.documents),
            "marks": [each.passage for each in Marks(place).all()],
            "job": job and job.status,
        }
    )


def mark(place: Remote, passage: str) -> None:
    Marks(place).replace(
        [], [Mark("Who?", passage, passage, "0" * 16, True, "somebody", "2026-01-01")]
    )


def process(*command: object) -> "subprocess.Popen[str]":
    """Another machine that begins to do this; whose home is a new folder in that of this one."""
    home = settings().home / f"home of {uuid4().hex}"
    return subprocess.Popen(
        [sys.executable, __file__, *map(str, command)],
        env={**os.environ, "HOPRAG_HOME": str(home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def begun(*command: object) -> "subprocess.Popen[str]":
    """Another machine that has said its first line."""
    other = process(*command)
    assert other.stdout
    other.stdout.readline()
    return other


def done(*command: object) -> "subprocess.CompletedProcess[str]":
    """Another machine that has done it, or was refused."""
    other = process(*command)
    said, complained = other.communicate()
    return subprocess.CompletedProcess(command, other.returncode, said, complained)


_ACTIONS: dict[str, Callable[..., None]] = {
    each.__name__: each for each in (build, linger, add, hold, race, look, mark)
}

if __name__ == "__main__":
    words()
    action, where, *arguments = sys.argv[1:]
    found = place_of(where)
    assert isinstance(found, Remote)
    try:
        _ACTIONS[action](found, *arguments)
    except HopRagError as error:
        sys.exit(f"{type(error).__name__}: {error}")
