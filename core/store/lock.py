"""One writer at a time. The lock names its holder, and dies with it."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import IndexLocked

_LOCK = "writer.lock"
_HOLDER = "writer.json"


@contextmanager
def writer_lock(folder: Path, purpose: str) -> Iterator[None]:
    """Hold the index in `folder` for writing; `purpose` is shown to whoever comes second.

    Raises
    ------
    IndexLocked : another process holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / _LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise IndexLocked(
            f"{folder.name} is being written: {holder(folder)}. Wait or cancel it."
        ) from None
    try:
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
        lock.release()


def is_locked(folder: Path) -> bool:
    """Whether a process is writing the index at this moment."""
    if not (folder / _LOCK).exists():
        return False
    try:
        with FileLock(folder / _LOCK).acquire(timeout=0):
            return False
    except Timeout:
        return True


def holder(folder: Path) -> str:
    """Who holds the lock, in words."""
    try:
        held = json.loads((folder / _HOLDER).read_text())
    except (OSError, ValueError):
        return "by an unknown process"
    return "{purpose} (process {pid} on {host}, since {since})".format(**held)
