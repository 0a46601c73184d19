"""One writer at a time. The lock names its holder, and dies with it."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import IndexLocked, StoreError
from core.settings import make_folder
from core.store.damage import DAMAGE
from core.store.database import connect, is_made
from core.store.schema import EMBEDDINGS, META

_LOCK = "writer.lock"
_HOLDER = "writer.json"
# Whoever asks `is_locked` holds the lock for an instant, which must look like a writer to nobody.
_WRITER_PATIENCE = 1.0  # seconds
_ASKER_PATIENCE = 0.05
_POLL = 0.005

_held: ContextVar[frozenset[Path]] = ContextVar("held", default=frozenset())


@contextmanager
def writer_lock(folder: Path, purpose: str) -> Iterator[None]:
    """Hold the index in `folder` for writing; `purpose` is shown to whoever comes second.

    Makes the folder where there is none. Whoever holds the lock may take it again. A database of
    another program is never written.

    Raises
    ------
    IndexLocked : another process or thread holds it.
    StoreError : the folder cannot be made or written.
    """
    place = folder.resolve()
    if place in _held.get():
        yield
        return
    lock = _acquired(folder)
    outer = _held.set(_held.get() | {place})
    try:
        with suppress(OSError):  # on a full disk the holder has no name, and may yet delete
            (folder / _HOLDER).write_text(
                json.dumps(
                    {
                        "purpose": purpose,
                        "pid": os.getpid(),
                        "host": socket.gethostname(),
                        "since": datetime.now(UTC).isoformat(timespec="seconds"),
                    }
                )
            )
        yield
    finally:
        _held.reset(outer)
        lock.release()


def _acquired(folder: Path) -> FileLock:
    try:
        make_folder(folder)
        if not (folder / _LOCK).exists() and any(folder.glob("*.lance")) and not _ours(folder):
            raise StoreError(
                f"{folder} is another program's database. Choose another folder for the index."
            )
        lock = FileLock(folder / _LOCK)
        lock.acquire(timeout=_WRITER_PATIENCE, poll_interval=_POLL)
    except Timeout:
        raise IndexLocked(
            f"{folder.name} is being written: {holder(folder)}. Wait or cancel it."
        ) from None
    except OSError as error:
        raise StoreError(
            f"{folder} cannot be written ({error.strerror}). Make it writable, or choose another "
            "folder."
        ) from error
    return lock


def _ours(folder: Path) -> bool:
    """Whether a database is an index that has lost its lock, and not another program's."""
    if (folder / _HOLDER).exists() or any(folder.glob(f"{EMBEDDINGS}*.lance")):
        return True
    try:
        return is_made(folder, "meta") and connect(folder).open_table("meta").schema == META
    except DAMAGE:
        return False


def is_locked(folder: Path) -> bool:
    """Whether a process is writing the index at this moment."""
    if not (folder / _LOCK).exists():
        return False
    try:
        with FileLock(folder / _LOCK).acquire(timeout=_ASKER_PATIENCE, poll_interval=_POLL):
            return False
    except Timeout:
        return True
    except OSError:  # a folder that nobody may write, or that went away
        return False


def holder(folder: Path) -> str:
    """Who holds the lock, in words."""
    try:
        held = json.loads((folder / _HOLDER).read_text())
        return "{purpose} (process {pid} on {host}, since {since})".format(**held)
    except (OSError, ValueError, TypeError, KeyError):
        return "by an unknown process"
