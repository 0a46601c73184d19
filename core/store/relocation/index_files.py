"""The files of an index at any place: their size, moving them, and deleting them."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from core.errors import StoreError
from core.places import Place, Remote
from core.store.locking.writer_lock import confirm_lock, discard_lock, writer_lock
from core.store.relocation.object_storage import move_objects, remove_objects


def names_in(root: Place) -> list[str]:
    """List the names of non-empty places directly in `root`, links to folders included.

    Raises
    ------
    StoreError : the object storage behind it cannot be used.
    """
    if isinstance(root, Remote):
        with _as_store_error(root):
            return [each.name for each in root.folders()]
    try:
        return [each.name for each in root.iterdir() if each.is_dir()]
    except OSError:  # nothing was built yet, or nobody may look
        return []


def size_of(place: Place) -> int:
    """Return the bytes of all files of a place; links are not followed."""
    if isinstance(place, Remote):
        with _as_store_error(place):
            return sum(each.size for each in place.walk())
    return sum(each.size for each in files_of(place))


class FileSeen(NamedTuple):
    """A file of a folder; `changed` in ns by the clock of its file system."""

    path: str
    size: int
    changed: int


def files_of(folder: Path) -> Iterator[FileSeen]:
    """Yield all files below `folder`; links are not followed."""
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for each in entries:
                    if each.is_dir(follow_symlinks=False):
                        waiting.append(each.path)
                    else:
                        seen = each.stat(follow_symlinks=False)
                        yield FileSeen(each.path, seen.st_size, seen.st_mtime_ns)
        except OSError:  # deleted at this moment, by a build that tidies up
            continue


def move(source: Place, target: Place) -> None:
    """Move the index at `source` to `target`; the caller holds its lock.

    Object storage cannot rename, so the objects are copied. Readers see one of the two at any time,
    or both for a moment.

    Raises
    ------
    IndexLocked : another process is writing `target`.
    LockLost : another process has taken the lock over and changed the index, which stays.
    StoreError : it cannot be written.
    """
    if isinstance(source, Remote) and isinstance(target, Remote):
        with writer_lock(target, f"renaming {source.name}"), _as_store_error(target):
            move_objects(source, target)
    elif isinstance(source, Path) and isinstance(target, Path):
        confirm_lock(source)
        try:
            source.rename(target)
            discard_lock(source)
        except OSError as error:
            raise StoreError(
                f"{source} cannot be moved ({error.strerror}). Make {source.parent} writable."
            ) from error


def remove(place: Place) -> None:
    """Delete an index; the caller holds its lock. The deletion is atomic for readers.

    Raises
    ------
    LockLost : another process has taken the lock over and changed the index, which stays.
    StoreError : it cannot be written.
    """
    if isinstance(place, Remote):
        with _as_store_error(place):
            remove_objects(place)
        return
    gone = place.parent / f".deleted-{uuid4().hex}"
    move(place, gone)
    try:
        shutil.rmtree(gone)
    except OSError as error:
        raise StoreError(
            f"{place.name} was removed from the list, but {error.filename} could not be "
            f"deleted ({error.strerror}). Delete {gone} by hand."
        ) from error


@contextmanager
def _as_store_error(place: Place) -> Iterator[None]:
    """Raise file errors as StoreError that says how to fix them."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{place} cannot be used: {error.strerror}. Fix the problem and try again."
        ) from error
