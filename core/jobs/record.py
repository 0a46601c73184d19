"""Storage of a journal: a file, or an object in storage that cannot be appended to."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

from core.places import Outdated, Place, Remote, Version
from core.settings import settings

JOURNAL = "journal.jsonl"
LOG = "job.log"


class InFile:
    """A journal in a file. Every method raises OSError if it cannot be written."""

    every = 0.25
    """Seconds between two lines of progress within a stage."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: tuple[int, int] | None = None  # device and inode

    def begin(self) -> None:
        """Begin a record; a line that a crash left unfinished is ended first."""
        torn = self._path.exists() and not self._path.read_bytes().endswith(b"\n")
        with self._path.open("a") as stream:
            stream.write("\n" * torn)
            self._file = _identity(stream.fileno())

    def append(self, line: bytes) -> None:
        """Append a line; raise FileNotFoundError if the folder was deleted or replaced."""
        # Not created here: a folder that was taken away is not to come back.
        with self._path.open("r+b") as stream:
            if _identity(stream.fileno()) != self._file:
                raise FileNotFoundError(errno.ENOENT, "it was replaced by another folder")
            stream.seek(0, os.SEEK_END)
            stream.write(line)


class InStorage:
    """The journal of a place in object storage, which is written anew with each line.

    It is written only as long as nobody else has: not over the journal of another process, and not
    where the index was deleted.

    Parameters
    ----------
    thinned : leaves out of the lines what nobody will ask for any more.
    """

    every = 2.0

    def __init__(self, place: Remote, thinned: Callable[[bytes], bytes]) -> None:
        self._place = place
        self._thinned = thinned
        self._content = b""
        self._version: Version | None = None

    def begin(self) -> None:
        """Read the stored journal, or create an empty one."""
        try:
            stored = self._place.read()
        except FileNotFoundError:
            self._version = self._place.replace(b"", None)
        else:
            self._content, self._version = stored.content, stored.version

    def append(self, line: bytes) -> None:
        """Write the journal with another line; raise OSError if another process has changed it."""
        content = self._thinned(self._content) + line
        try:
            self._version = self._place.replace(content, self._version)
        except Outdated as error:
            raise OSError(
                errno.EBUSY, "another process has changed it, or the index was deleted"
            ) from error
        self._content = content


def record_in(place: Place, thinned: Callable[[bytes], bytes]) -> InFile | InStorage:
    """Return the journal of the index at `place`."""
    path = place / JOURNAL
    return InStorage(path, thinned) if isinstance(path, Remote) else InFile(path)


def content_of(place: Place) -> bytes:
    """Return the content of a journal; empty if there was no job yet, or the place is gone."""
    try:
        return (place / JOURNAL).read_bytes()
    except OSError:
        return b""


def log_of(place: Place) -> Path:
    """Return the path of a job's log file.

    Of an index in object storage it is on the machine that does the job.
    """
    if isinstance(place, Path):
        return place / LOG
    scheme, _, rest = str(place).partition("://")
    return settings().home / "logs" / scheme / rest / LOG


def _identity(descriptor: int) -> tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino
