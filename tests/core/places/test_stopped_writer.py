"""A process that is really stopped (SIGSTOP) while it writes, and goes on later."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.errors import IndexLocked, LockLost
from core.indexing.updates import add
from core.library import catalogue
from core.marks.store import Mark, Marks
from core.places import Place, Remote
from core.store.locking import object_lock
from core.store.locking.writer_lock import confirm_lock, is_locked, token_of, writer_lock
from core.store.tables import read_meta
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent

NEW = Document("brewery", "Selby Ales", "Selby Ales is a brewery in Port Selby.", "brewery.txt")
MARK = Mark("Who?", "club", "Harbour Rovers", "0123456789abcdef", True, "me", "2026-01-01")
LIVES = 2.0  # seconds
STOPPED = """
import os, signal, sys
from core.errors import LockLost
from core.indexing.updates import remove
from core.library import catalogue
from core.places import Remote, place_of
from core.store.locking import object_lock, record_writes
from tests.core.fakes import WordEmbedder

def stopped(write):
    def stop(*args):
        if next(first, None):  # of several threads only one
            print(os.getpid(), flush=True)
            os.kill(os.getpid(), signal.SIGSTOP)
        return write(*args)
    return stop

first, place = iter([True]), place_of(sys.argv[2])
object_lock.LASTS = float(sys.argv[3])
try:
    if sys.argv[1] == "rename":
        Remote.copy = stopped(Remote.copy)
        catalogue.rename(place.parent, place.name, "six")
    else:
        record_writes.write_record = stopped(record_writes.write_record)
        remove(place, ["town"], WordEmbedder(), print)
    print("done")
except LockLost as error:
    print(f"LockLost: {error}")
"""


@contextmanager
def stopped(python: str, operation: str, place: Place) -> Iterator[list[str]]:
    """Start `operation`, stop it as it writes, let it go on at the end; gives what it printed."""
    command = [python, "-c", STOPPED, operation, str(place), str(LIVES)]
    told: list[str] = []
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        while not line.strip().isdigit():  # progress
            line = process.stdout.readline()
        pid = int(line)
        while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
            time.sleep(0.01)
        try:
            yield told
        finally:
            os.kill(pid, signal.SIGCONT)
            told += process.stdout.read().splitlines()


def test_a_rename_that_was_stopped(
    warm_python: str, built_there: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(object_lock, "LASTS", LIVES)
    with stopped(warm_python, "rename", built_there) as told:
        while is_locked(built_there):
            time.sleep(0.05)
        added = add(built_there, corpus(NEW), WordEmbedder(), silent)
        Marks(built_there).replace([], [MARK])
    assert told[-1].startswith("LockLost: ")
    assert read_meta(built_there).finished_at == added.finished_at
    assert Marks(built_there).all() == [MARK]
    assert [each.name for each in catalogue.entries(built_there.parent)] == [built_there.name]


def test_a_change_of_a_storage_index_that_was_stopped(
    warm_python: str, built_there: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(object_lock, "LASTS", LIVES)
    with stopped(warm_python, "remove", built_there) as told:
        while is_locked(built_there):
            time.sleep(0.05)
        added = add(built_there, corpus(NEW), WordEmbedder(), silent)
    assert told[-1].startswith("LockLost: ")
    assert read_meta(built_there).finished_at == added.finished_at


def test_a_change_of_a_folder_that_was_stopped(warm_python: str, built: Path) -> None:
    with stopped(warm_python, "remove", built) as told:
        with pytest.raises(IndexLocked):
            add(built, corpus(NEW), WordEmbedder(), silent)
        with pytest.raises(IndexLocked):
            catalogue.rename(built.parent, built.name, "six")
        Marks(built).replace([], [MARK])
    assert told[-1] == "done"
    assert read_meta(built).counts.documents == 4
    assert Marks(built).all() == [MARK]


def test_a_folder_whose_lock_file_was_replaced(built: Path) -> None:
    with writer_lock(built, "a build"):
        (built / "writer.lock").unlink()
        (built / "writer.lock").touch()
        with pytest.raises(LockLost, match="removed or replaced"):
            confirm_lock(built)


def test_each_holder_of_a_folder_has_a_higher_token(built: Path) -> None:
    tokens = []
    for _ in range(3):
        with writer_lock(built, "a build"):
            tokens.append(token_of(built))
    assert tokens == sorted(set(tokens))
