"""Pausing a process at one of its writes, and letting another one work meanwhile."""

from collections.abc import Callable
from contextvars import Context
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any

import pytest
from lancedb.db import LanceDBConnection
from lancedb.table import LanceTable

from core.places import Remote
from core.store.locking import object_lock
from core.store.locking.object_lock import Lease, is_lock
from core.store.locking.writer_lock import FolderLock

_WRITES: tuple[tuple[type, str], ...] = (
    *((Remote, name) for name in ("replace", "copy", "write_bytes", "remove_listed", "unlink")),
    (LanceDBConnection, "create_table"),
    *((LanceTable, name) for name in ("add", "optimize", "create_index")),
    *((each, "confirm") for each in (Lease, FolderLock)),
)


class Pauses:
    """Counts the writes of an operation, and pauses it at one of them.

    While it is paused its lock runs out, and `meanwhile` is called as another process.

    Attributes
    ----------
    names : of the writes, in order.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        self.meanwhile: Callable[[], None] | None = None
        self._at = -1
        self._resting = True
        self._later = timedelta(0)
        patch.setattr("core.store.locking.writer_lock._WRITER_PATIENCE", 0.0)
        patch.setattr("core.store.relocation.object_storage._AT_ONCE", 1)
        patch.setattr(Lease, "_renew_regularly", lambda *_: None)
        patch.setattr(object_lock, "_now", lambda place: datetime.now(UTC) + self._later)
        for kind, name in _WRITES:
            patch.setattr(kind, name, self._counted(getattr(kind, name), name))

    def run(
        self, operation: Callable[[], object], at: int, meanwhile: Callable[[], None]
    ) -> Exception | None:
        """Do `operation`, paused before the write of that number; returns what it raised."""
        self.names, self._at, self.meanwhile = [], at, meanwhile
        self._resting = False
        try:
            operation()
        except Exception as error:
            return error
        finally:
            self._resting = True
        return None

    def _counted(self, write: Callable[..., Any], name: str) -> Callable[..., Any]:
        @wraps(write)
        def counted(*args: Any, **values: Any) -> Any:
            if not self._resting and not _is_of_a_lock(args[0]):
                self.names.append(f"{name} {_named(args)}")
                if len(self.names) - 1 == self._at:
                    self._pause()
            return write(*args, **values)

        return counted

    def _pause(self) -> None:
        assert self.meanwhile is not None
        self._resting, self._later = True, timedelta(hours=1)
        Context().run(self.meanwhile)
        self._resting, self._later = False, timedelta(0)


def _is_of_a_lock(written: object) -> bool:
    return isinstance(written, Remote) and is_lock(written.name)


def _named(args: tuple[Any, ...]) -> str:
    """What is written, where that has a name."""
    first = args[1] if isinstance(args[0], LanceDBConnection) else args[0]
    return first if isinstance(first, str) else str(getattr(first, "name", ""))


def kind_of(name: str) -> str:
    """What a write does, by its name in `Pauses.names`."""
    return name.partition(" ")[0]


def chosen(names: list[str], kinds: tuple[str, ...]) -> list[int]:
    """Which writes to pause at: of `kinds` the first and the last, and each of a record.

    The lists of checksums are written one after the other, and count as one record.
    """
    found: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        if kind_of(name) in kinds:
            is_list = name.endswith(".sha256")
            same = name if name.startswith("replace") and not is_list else kind_of(name)
            found.setdefault(same, []).append(number)
    return sorted({number for every in found.values() for number in (every[0], every[-1])})
