"""A cached list of indexes and their versions, for a server with many requests.

Of object storage each look takes some requests an index, so that what was seen there is believed
for a while. In a folder an index is what it was as long as its files are.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from core.library import catalogue
from core.library.catalogue import Listed
from core.places import Place, Remote
from core.store.relocation.index_files import FileSeen, files_of

BELIEVED = 5.0  # seconds


@dataclass(frozen=True, slots=True)
class _Seen:
    entries: tuple[Listed, ...]
    at: float  # seconds of the monotonic clock

    @property
    def is_new(self) -> bool:
        """Whether the cached entry is recent; never while a job runs that somebody waits for."""
        running = any(entry.job and entry.job.running for entry in self.entries)
        return not running and time.monotonic() - self.at < BELIEVED


@dataclass(frozen=True, slots=True)
class _Known:
    entry: Listed
    files: frozenset[FileSeen]


class Listing:
    """The last listing of the indexes under each root. Safe to share between threads."""

    def __init__(self) -> None:
        self._seen: dict[Remote, _Seen] = {}
        self._known: dict[Path, _Known] = {}
        self._looking = Lock()
        self._changes = 0

    def entries(self, root: Place) -> list[Listed]:
        """As `catalogue.entries`; of object storage as it was at most 5 seconds ago.

        While one thread looks again the others go on with what was seen before.
        """
        if not isinstance(root, Remote):
            return catalogue.entries(root, self._looked_at)
        seen = self._seen.get(root)
        if seen is None:
            return self._look(root)
        if seen.is_new or not self._looking.acquire(blocking=False):
            return list(seen.entries)
        try:
            return self._look(root)
        finally:
            self._looking.release()

    def entry(self, root: Place, name: str) -> Listed | None:
        """Return the index called `name`, without a look at the others of a folder.

        None if there is none.

        Raises
        ------
        StoreError : the object storage behind it cannot be used.
        """
        if isinstance(root, Remote):
            return next((each for each in self.entries(root) if each.name == name), None)
        return self._looked_at(root / name) if catalogue.holds(root, name) else None

    def look_again(self) -> None:
        """Believe nothing that was seen before, nor what is being looked at now."""
        self._changes += 1
        self._seen.clear()
        self._known.clear()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Mark the listing as outdated after the changes in this context."""
        try:
            yield
        finally:
            self.look_again()

    def _look(self, root: Remote) -> list[Listed]:
        """List the indexes and cache the list, unless it changed in the meantime."""
        changes, now = self._changes, time.monotonic()
        entries = catalogue.entries(root)
        if changes == self._changes:
            self._seen[root] = _Seen(tuple(entries), now)
        return entries

    def _looked_at(self, path: Place) -> Listed:
        """As `catalogue.look`, which takes several times as long as a look at the names of files.

        How far a running job has come, and whether it is alive, is not a matter of files alone.
        """
        if isinstance(path, Remote):
            return catalogue.look(path)
        files = frozenset(files_of(path))
        known = self._known.get(path)
        if known and known.files == files:
            return known.entry
        entry = catalogue.look(path)
        if not (entry.job and entry.job.running):
            self._known[path] = _Known(entry, files)
        return entry
