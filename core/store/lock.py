"""One writer at a time. The lock names its holder, and dies with it."""

import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import IndexLocked, StoreError
from core.places import Place, Remote
from core.settings import make_folder
from core.store.damage import reading
from core.store.database import connect, is_made, table_names
from core.store.lease import Held, Lease, holder_of, is_leased, leased
from core.store.schema import EMBEDDINGS, META

_LOCK = "writer.lock"
_HOLDER = "writer.json"
# Whoever asks `is_locked` holds the lock for an instant, which must look like a writer to nobody.
_WRITER_PATIENCE = 1.0  # seconds
_ASKER_PATIENCE = 0.05
_POLL = 0.005

_NOTHING: Mapping[Place, Lease | None] = {}
_held: ContextVar[Mapping[Place, Lease | None]] = ContextVar("held", default=_NOTHING)


@contextmanager
def writer_lock(place: Place, purpose: str) -> Iterator[None]:
    """Hold the index at `place` for writing; `purpose` is shown to whoever comes second.

    Makes the folder where there is none. Whoever holds the lock may take it again. A database of
    another program is never written.

    Raises
    ------
    IndexLocked : another process or thread holds it.
    StoreError : the place cannot be made or written.
    """
    key = place.resolve() if isinstance(place, Path) else place
    if key in _held.get():
        yield
        return
    with _leased(place, purpose) if isinstance(place, Remote) else _locked(place, purpose) as lease:
        outer = _held.set({**_held.get(), key: lease})
        try:
            yield
        finally:
            _held.reset(outer)


def confirm_lock(place: Place) -> None:
    """Raise StoreError if this process holds the lock of `place` no more, though it thinks so.

    That of a folder is the system's, and is held until the process ends.
    """
    if isinstance(place, Remote) and (lease := _held.get().get(place)):
        lease.confirm()


@contextmanager
def _locked(folder: Path, purpose: str) -> Iterator[None]:
    lock = _acquired(folder)
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
        lock.release()


def _acquired(folder: Path) -> FileLock:
    try:
        make_folder(folder)
        _need_ours(folder)
        lock = FileLock(folder / _LOCK)
        lock.acquire(timeout=_WRITER_PATIENCE, poll_interval=_POLL)
    except Timeout:
        raise _refused(folder) from None
    except OSError as error:
        raise StoreError(
            f"{folder} cannot be written ({error.strerror}). Make it writable, or choose another "
            "folder."
        ) from error
    return lock


@contextmanager
def _leased(place: Remote, purpose: str) -> Iterator[Lease]:
    taken = False
    try:
        _need_ours(place)
        with leased(place / _LOCK, purpose, _WRITER_PATIENCE) as lease:
            taken = True
            yield lease
    except Held:
        raise _refused(place) from None
    except OSError as error:
        if taken:  # it is of what was done under the lock
            raise
        raise StoreError(f"{place} cannot be written: {error.strerror}. Mend that.") from error


def _refused(place: Place) -> IndexLocked:
    return IndexLocked(f"{place.name} is being written: {holder(place)}. Wait or cancel it.")


def _need_ours(place: Place) -> None:
    """StoreError if it holds a database of another program, and is no index that lost its lock."""
    if (place / _LOCK).exists() or not table_names(place):
        return
    if (place / _HOLDER).exists() or table_names(place, EMBEDDINGS):
        return
    with suppress(StoreError), reading(place):
        if is_made(place, "meta") and connect(place).open_table("meta").schema == META:
            return
    raise StoreError(f"{place} is another program's database. Choose another folder for the index.")


def is_locked(place: Place) -> bool:
    """Whether a process is writing the index at this moment."""
    try:
        if isinstance(place, Remote):
            return is_leased(place / _LOCK)
        if not (place / _LOCK).exists():
            return False
        with FileLock(place / _LOCK).acquire(timeout=_ASKER_PATIENCE, poll_interval=_POLL):
            return False
    except Timeout:
        return True
    except OSError:  # a place that nobody may write, or that went away
        return False


def holder(place: Place) -> str:
    """Who holds the lock, in words."""
    if isinstance(place, Remote):
        return holder_of(place / _LOCK)
    try:
        held = json.loads((place / _HOLDER).read_text())
        return "{purpose} (process {pid} on {host}, since {since})".format(**held)
    except (OSError, ValueError, TypeError, KeyError):
        return "by an unknown process"
