"""A small file that lies in object storage: read and changed as a copy on this machine."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from time import time
from uuid import uuid4

from core.places import Remote, Version
from core.settings import make_folder, settings
from core.store.lease import Held, leased

_OLD = 60.0  # seconds after which nobody is about to open an earlier copy


@dataclass(frozen=True, slots=True)
class Copy:
    """A file of this machine that holds one version of an object; only to be read."""

    path: Path
    version: Version


_known: dict[Remote, Copy] = {}


def current(place: Remote) -> Copy | None:
    """The object as it is now; None where there is none.

    OSError if the storage or the disk cannot be used.
    """
    known = _known.get(place)
    try:
        if known and known.path.exists():
            found = place.read_unless(known.version)
            if found is None:
                return known
        else:
            found = place.read()
    except FileNotFoundError:
        return None
    return _kept(place, found.version, found.content)


@contextmanager
def changing(place: Remote, patience: float) -> Iterator[Path]:
    """A copy to be changed; it is in the storage when this ends, and is not if that raises.

    `patience` are the seconds for which to wait for another process that changes it.

    Raises
    ------
    OSError : the storage or the disk cannot be used, or another process is changing it.
    """
    if not place.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "The index is gone", str(place))
    purpose = f"changing {place.name}"
    try:
        with leased(place.parent / f"{place.name}.lock", purpose, patience):
            there = current(place)
            mine = copy_folder(place.parent) / f"{uuid4().hex}.part"
            make_folder(mine.parent)
            try:
                if there:
                    mine.write_bytes(there.path.read_bytes())
                yield mine
                content = mine.read_bytes()
            finally:
                mine.unlink(missing_ok=True)
            _kept(place, place.replace(content, there.version if there else None), content)
    except Held as error:
        raise OSError(errno.EBUSY, f"Another process has it: {error}", str(place)) from None


def _kept(place: Remote, version: Version, content: bytes) -> Copy:
    folder = copy_folder(place.parent)
    path = folder / f"{_digest(f'{version.e_tag} {version.version}')}-{place.name}"
    make_folder(folder)
    part = folder / f"{uuid4().hex}.part"
    part.write_bytes(content)
    part.replace(path)
    copy = _known[place] = Copy(path, version)
    with suppress(OSError):  # another process may do the same
        for other in folder.glob(f"*-{place.name}"):
            if other != path and time() - other.stat().st_mtime > _OLD:
                other.unlink()
    return copy


def copy_folder(place: Remote) -> Path:
    """Where copies of what lies directly below `place` are, which may be deleted at any time."""
    return settings().home / "copies" / _digest(str(place))


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=12).hexdigest()
