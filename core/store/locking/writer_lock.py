"""The writer's lock of an index, which names its holder and ends with its process.

Each holder has a fencing token: a number higher than that of every holder before. A holder that was
paused for too long can lose the lock of an index in object storage and not know it. Therefore

1. whoever takes over a lock that was not given back rewrites the records of the index
   (`core.store.records.record.fence`), so that the storage refuses what the holder before writes to
   them;
2. whoever writes looks first, then confirms the lock (`confirm_lock`), and then changes only what
   it saw: a lock that could be confirmed was not taken over before that.
"""

import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import Cancelled, HopRagError, IndexLocked, LockLost, StoreError
from core.places import Place, Remote
from core.settings import make_folder
from core.store.database import connect, is_made, table_names
from core.store.integrity.damage import reading
from core.store.locking.object_lock import AlreadyLocked, Lease, hold_lock, holder_of, is_leased
from core.store.records.record import PUBLISHED, SHELF, fence, last_token
from core.store.schema import EMBEDDINGS, META

_RECORDS = (PUBLISHED, SHELF)
_LOCK = "writer.lock"
_HOLDER = "writer.json"
# Whoever asks `is_locked` holds the lock for an instant, which must look like a writer to nobody.
_WRITER_PATIENCE = 1.0  # seconds
_ASKER_PATIENCE = 0.05
_POLL = 0.005


@dataclass(slots=True)
class FolderLock:
    """The held lock of a folder.

    Attributes
    ----------
    file : device and inode of the lock file.
    discard : whether this process has deleted or renamed the folder.
    """

    folder: Path
    token: int
    file: tuple[int, int]
    discard: bool = False

    def confirm(self) -> None:
        """Raise LockLost if the lock file is another one: removed by hand, or with its folder."""
        if not self.discard and _identity(self.folder / _LOCK) != self.file:
            raise LockLost(
                f"Lost the lock on {self.folder.name}: its file {_LOCK} was removed or "
                "replaced while this process was writing, so another process may be writing "
                "too. Nothing else was changed. Start again, and leave that file in place."
            )


_NOTHING: Mapping[Place, Lease | FolderLock] = {}
_held: ContextVar[Mapping[Place, Lease | FolderLock]] = ContextVar("held", default=_NOTHING)


@contextmanager
def writer_lock(place: Place, purpose: str) -> Iterator[None]:
    """Lock the index at `place` for writing; others are shown `purpose` if they try.

    Creates the folder if it does not exist. The holder may acquire the lock again. A database of
    another program is never written.

    Raises
    ------
    IndexLocked : another process or thread holds it.
    StoreError : the place cannot be created or written.
    """
    if _held_lock(place):
        with _lost_lock_told(place):
            yield
        return
    with (
        _hold_object_lock(place, purpose)
        if isinstance(place, Remote)
        else _hold_folder_lock(place, purpose) as lock
    ):
        outer = _held.set({**_held.get(), _key(place): lock})
        try:
            with _lost_lock_told(place):
                yield
        finally:
            _held.reset(outer)


@contextmanager
def _lost_lock_told(place: Place) -> Iterator[None]:
    """Raise LockLost for failures caused by another process taking over: a table that has gone,
    an object that changed."""
    try:
        yield
    except (LockLost, Cancelled):
        raise
    except Exception as error:
        if isinstance(place, Path) and isinstance(error, HopRagError):
            raise  # it says already that the folder has gone
        try:
            confirm_lock(place)
        except LockLost as lost:
            raise lost from error
        except OSError:  # the storage cannot be asked; the first error says why
            pass
        raise


def confirm_lock(place: Place) -> None:
    """Check that this thread still holds the lock of `place`; do nothing if it never acquired it.

    Raises
    ------
    LockLost : another process holds the lock, or has held it since.
    """
    if lock := _held_lock(place):
        lock.confirm()


def confirm_all_locks() -> None:
    """Call `confirm_lock` for every lock that this thread holds."""
    for lock in _held.get().values():
        lock.confirm()


def token_of(place: Place) -> int:
    """Return the fencing token of this thread for `place`; 0 if it does not hold the lock."""
    lock = _held_lock(place)
    return lock.token if lock else 0


def discard_lock(place: Place) -> None:
    """Release the lock of an index that this thread has deleted or renamed."""
    if lock := _held_lock(place):
        lock.discard = True


def _held_lock(place: Place) -> Lease | FolderLock | None:
    return _held.get().get(_key(place))


def _key(place: Place) -> Place:
    return place.resolve() if isinstance(place, Path) else place


@contextmanager
def _hold_folder_lock(folder: Path, purpose: str) -> Iterator[FolderLock]:
    """Hold the lock of a local folder and record the holder."""
    lock = _acquire(folder)
    try:
        token = 1 + max(_last_token(folder), *(last_token(folder, name) for name in _RECORDS))
        held = FolderLock(folder.absolute(), token, _identity(folder / _LOCK))
        with suppress(OSError):  # on a full disk the holder has no name, and may yet delete
            (folder / _HOLDER).write_text(
                json.dumps(
                    {
                        "purpose": purpose,
                        "pid": os.getpid(),
                        "host": socket.gethostname(),
                        "since": datetime.now(UTC).isoformat(timespec="seconds"),
                        "token": token,
                    }
                )
            )
        yield held
    finally:
        lock.release()


def _last_token(folder: Path) -> int:
    """Return the token of the previous holder; 0 if it is unknown."""
    try:
        return int(json.loads((folder / _HOLDER).read_text())["token"])
    except (OSError, ValueError, TypeError, KeyError):
        return 0


def _identity(file: Path) -> tuple[int, int]:
    """Return the device and the inode of `file`; zeros if it does not exist."""
    try:
        status = file.stat()
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def _acquire(folder: Path) -> FileLock:
    """Acquire the lock file of a local folder; raise an error that names the holder if it is
    locked.
    """
    try:
        make_folder(folder)
        _need_ours(folder)
        lock = FileLock(folder / _LOCK)
        lock.acquire(timeout=_WRITER_PATIENCE, poll_interval=_POLL)
    except Timeout:
        raise _locked_error(folder) from None
    except OSError as error:
        raise StoreError(
            f"{folder} cannot be written ({error.strerror}). Make it writable, or choose another "
            "folder."
        ) from error
    return lock


@contextmanager
def _hold_object_lock(place: Remote, purpose: str) -> Iterator[Lease]:
    """Hold the lock of a folder in object storage."""
    taken = False
    try:
        _need_ours(place)
        with hold_lock(place / _LOCK, purpose, _WRITER_PATIENCE) as lease:
            if lease.succeeds != "released":
                # The holder before may still be running.
                create = lease.succeeds == "expired"
                lease.raise_token(fence(place, lease.token, create=create))
            taken = True
            yield lease
    except AlreadyLocked:
        raise _locked_error(place) from None
    except OSError as error:
        if taken:  # it is of what was done under the lock
            raise
        raise StoreError(
            f"Could not write to {place}: {error.strerror}. Fix the problem and try again."
        ) from error


def _locked_error(place: Place) -> IndexLocked:
    return IndexLocked(f"{place.name} is being written: {holder(place)}. Wait or cancel it.")


def _need_ours(place: Place) -> None:
    """Raise StoreError if the place has a database of another program.

    An index that lost its lock file is ours.
    """
    if (place / _LOCK).exists() or not table_names(place):
        return
    if (place / _HOLDER).exists() or table_names(place, EMBEDDINGS):
        return
    if (place / PUBLISHED).exists():
        return
    with suppress(StoreError), reading(place):
        if is_made(place, "meta") and connect(place).open_table("meta").schema == META:
            return
    raise StoreError(f"{place} is another program's database. Choose another folder for the index.")


def is_locked(place: Place) -> bool:
    """Check whether a process is writing the index now."""
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
    """Return a phrase that names the holder of the lock."""
    if isinstance(place, Remote):
        return holder_of(place / _LOCK)
    try:
        held = json.loads((place / _HOLDER).read_text())
        return "{purpose} (process {pid} on {host}, since {since})".format(**held)
    except (OSError, ValueError, TypeError, KeyError):
        return "by an unknown process"
