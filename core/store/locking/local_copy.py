"""A small file in object storage, read and changed through a copy on this machine."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from time import time
from uuid import uuid4

from core.errors import LockLost
from core.places import Outdated, Remote, Version, write_whole
from core.settings import make_folder, settings
from core.store.locking.object_lock import LASTS, AlreadyLocked, hold_lock, is_lock
from core.store.records.record import PUBLISHED, read_record

_OLD = 60.0  # seconds after which no process is about to open an earlier copy


@dataclass(frozen=True, slots=True)
class Copy:
    """A read-only local file with one version of an object."""

    path: Path
    version: Version


_known: dict[Remote, Copy] = {}


def current(place: Remote) -> Copy | None:
    """Return a local copy of the object's current version, or None if it does not exist.

    OSError if the storage or the disk cannot be used.
    """
    known = _known.get(place)
    try:
        if known and known.path.exists():
            stored = place.read_unless(known.version)
            if stored is None:
                return known
        else:
            stored = place.read()
    except FileNotFoundError:
        return None
    return _cache_copy(place, stored.version, stored.content)


@contextmanager
def change_locally(place: Remote, patience: float) -> Iterator[Path]:
    """Provide a local copy to change; it is stored at the end unless an error occurs.

    Parameters
    ----------
    patience : seconds to wait for another process that changes it.

    Raises
    ------
    LockLost : this process was paused for too long, and another one has changed it meanwhile.
    OSError : the storage or the disk cannot be used, or another process is changing it.
    """
    if not place.parent.is_dir():
        raise _missing_error(place)
    purpose = f"changing {place.name}"
    try:
        with hold_lock(place.parent / f"{place.name}.lock", purpose, patience):
            there = current(place)
            if there and not there.path.stat().st_size:
                # The index was renamed, and this file is about to be deleted.
                raise _missing_error(place)
            mine = copy_folder(place.parent) / f"{uuid4().hex}.part"
            make_folder(mine.parent)
            try:
                if there:
                    mine.write_bytes(there.path.read_bytes())
                yield mine
                content = mine.read_bytes()
            finally:
                mine.unlink(missing_ok=True)
            version = _store_unless_changed(place, content, there)
            if there is None and _is_left_over(place):
                place.unlink(missing_ok=True)
                raise _missing_error(place)
            _cache_copy(place, version, content)
    except AlreadyLocked as error:
        raise OSError(errno.EBUSY, f"Another process holds the lock: {error}", str(place)) from None


def _store_unless_changed(place: Remote, content: bytes, there: Copy | None) -> Version:
    """Store the changed content; raise LockLost if another process has changed it meanwhile."""
    try:
        return place.replace(content, there.version if there else None)
    except Outdated:
        raise LockLost(
            f"Could not change {place.name} of {place.parent.name}: this process was paused "
            f"or cut off for more than {LASTS:.0f} seconds, and another process changed it in "
            "the meantime. The other process's change was kept; this one was discarded. Try "
            "again."
        ) from None


def _is_left_over(place: Remote) -> bool:
    """Check whether the index of this file was just deleted or renamed.

    Its record is then empty, or the folder contains nothing but locks and this file.
    """
    record = read_record(place.parent, PUBLISHED).content
    if record is not None:
        return not record.strip()
    names = (file.place.name for file in place.parent.walk() if file.place != place)
    return all(is_lock(name) for name in names)


def _missing_error(place: Remote) -> FileNotFoundError:
    return FileNotFoundError(errno.ENOENT, "The index is gone", str(place))


def _cache_copy(place: Remote, version: Version, content: bytes) -> Copy:
    """Write a local copy of a version, and delete old copies."""
    folder = copy_folder(place.parent)
    path = folder / f"{_digest(f'{version.e_tag} {version.version}')}-{place.name}"
    make_folder(folder)
    write_whole(path, content)
    copy = _known[place] = Copy(path, version)
    with suppress(OSError):  # another process may do the same
        for other in folder.glob(f"*-{place.name}"):
            if other != path and time() - other.stat().st_mtime > _OLD:
                other.unlink()
    return copy


def copy_folder(place: Remote) -> Path:
    """Return the folder of local copies of `place`, which may be deleted at any time."""
    return settings().home / "copies" / _digest(str(place))


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=12).hexdigest()
