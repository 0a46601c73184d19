"""A lock in object storage: one object, which its holder rewrites regularly.

Each step is a conditional write, which fails if another process wrote meanwhile, so that only one
of two competing processes succeeds. A killed holder stops renewing, and its lock expires by the
clock of the storage, because clocks of machines may differ. Each holder has a higher number than
the one before it, its fencing token.
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from socket import gethostname
from typing import Literal
from uuid import uuid4

from pydantic import TypeAdapter

from core.errors import LockLost
from core.places import Outdated, Remote, Version
from core.places.remote import Content
from core.store.records.json_values import stored
from core.text.clean import one_line

LASTS = 20.0  # seconds without renewal; a busy machine may renew late
_SIGNS = 5  # renewals in that time
LOOK = 0.2  # seconds between two attempts to acquire a lock
_CLOCK = "clock"
_SHOWN = 300  # characters of a lock's content, which anybody may have written
_TRUSTED = 60.0  # seconds for which a look at the clock of the storage is good

_looks: dict[Remote, tuple[float, datetime]] = {}


class AlreadyLocked(Exception):
    """Another process holds the lock; the message says which."""


@dataclass(frozen=True, slots=True)
class _Sign:
    """The content of the lock object; `sign` differs each time, so that versions differ."""

    purpose: str
    pid: int
    host: str
    since: str
    sign: str = ""
    free: bool = False
    token: int = 0  # a lock that an earlier version of this program wrote has none

    def __str__(self) -> str:
        return f"{self.purpose} (process {self.pid} on {self.host}, since {self.since})"


_JSON = TypeAdapter(_Sign)


@contextmanager
def hold_lock(place: Remote, purpose: str, patience: float) -> Iterator["Lease"]:
    """Hold the lock whose object is `place`.

    Parameters
    ----------
    patience : seconds to wait for another holder.

    Raises
    ------
    AlreadyLocked : another process holds it for longer than that.
    OSError : the storage cannot be used.
    """
    lease = Lease(place, purpose)
    until = time.monotonic() + patience
    while not lease.try_acquire():
        if time.monotonic() >= until:
            raise AlreadyLocked(holder_of(place))
        time.sleep(LOOK)
    with lease.renewed():
        yield lease


class Lease:
    """The lock whose object is `place`, from the view of one process.

    Attributes
    ----------
    succeeds : `released` if the previous holder released the lock, `expired` if it did not and may
        still be running, `none` if there was no lock object.
    discard : whether the lock object is deleted when the lock is released.
    """

    def __init__(self, place: Remote, purpose: str) -> None:
        self._place = place
        self.succeeds: Literal["released", "expired", "none"] = "none"
        self.discard = False
        since = datetime.now(UTC).isoformat(timespec="seconds")
        self._sign = _Sign(purpose, os.getpid(), gethostname(), since)
        self._guard = threading.Lock()
        self._version: Version | None = None

    @property
    def token(self) -> int:
        """The fencing token, higher than that of every previous holder."""
        return self._sign.token

    def try_acquire(self) -> bool:
        """Try to acquire the lock and return whether it succeeded; then use `renewed`."""
        sign = _read(self._place)
        if sign and not _is_free(sign, self._place):
            return False
        before = _sign_of(sign) if sign else None
        if sign and sign.content:
            self.succeeds = "released" if before and before.free else "expired"
        self._sign = replace(self._sign, token=(before.token if before else 0) + 1)
        try:
            self._write(sign.version if sign else None)
        except Outdated:
            return False
        return True

    def raise_token(self, token: int) -> None:
        """Make the token at least `token`, for a lock object that does not know the tokens before.

        Raises
        ------
        LockLost : another process holds the lock.
        """
        if token > self.token:
            self._sign = replace(self._sign, token=token)
            self.confirm()

    def confirm(self) -> None:
        """Renew the lock.

        Raises
        ------
        LockLost : another process holds it, or has held it: this one was paused for too long.
        """
        try:
            self._renew()
        except Outdated:
            raise _lock_lost(self._place) from None

    @contextmanager
    def renewed(self) -> Iterator[None]:
        """Renew the lock in the background within the context, and release it at the end."""
        stop = threading.Event()
        threading.Thread(target=self._renew_regularly, args=(stop,), daemon=True).start()
        try:
            yield
        finally:
            stop.set()
            self._sign = replace(self._sign, free=True)
            with suppress(OSError):  # else its time runs out
                self._renew()
                if self.discard:
                    self._place.unlink(missing_ok=True)

    def _renew_regularly(self, stop: threading.Event) -> None:
        """Renew the lock several times per lease period until `stop` is set or it is lost."""
        while not stop.wait(LASTS / _SIGNS):
            try:
                self._renew()
            except Outdated:
                return
            except OSError:  # the storage may respond at the next renewal
                continue

    def _renew(self) -> None:
        with self._guard:
            self._write(self._version)

    def _write(self, seen: Version | None) -> None:
        sign = replace(self._sign, sign=uuid4().hex)
        self._version = self._place.replace(_JSON.dump_json(sign), seen)


def _lock_lost(place: Remote) -> LockLost:
    """Return the error for a process that has lost the lock."""
    index = place.parent.name
    if not place.exists():
        return LockLost(
            f"Lost the lock on {index}: the index was deleted or renamed by another process. "
            "Nothing else was changed. If it was renamed, start again with the new name."
        )
    return LockLost(
        f"Lost the lock on {index}: this process was paused or cut off for more than "
        f"{LASTS:.0f} seconds, and another process took over: {holder_of(place)}. Nothing "
        "else was changed. Wait for the other process to finish, then start again."
    )


def is_lock(name: str) -> bool:
    """Return whether an object of that name belongs to a lock."""
    return name.endswith(".lock") or name == _CLOCK


def is_leased(place: Remote) -> bool:
    """Check whether a process holds the lock `place`; OSError if this is unknown."""
    sign = _read(place)
    return sign is not None and not _is_free(sign, place)


def holder_of(place: Remote) -> str:
    """Return a phrase that names the holder of the lock."""
    with suppress(OSError, ValueError):
        if sign := _read(place):
            return one_line(str(stored(_Sign, sign.content)))[:_SHOWN]
    return "by an unknown process"


def _read(place: Remote) -> Content | None:
    """Read the lock object; None if it does not exist."""
    try:
        return place.read()
    except FileNotFoundError:
        return None


def _sign_of(found: Content) -> _Sign | None:
    """Return the content of a lock object; None if unreadable, which counts as held."""
    with suppress(ValueError):
        return stored(_Sign, found.content)
    return None


def _is_free(found: Content, place: Remote) -> bool:
    """Check whether the lock is released, or was not renewed for `LASTS` seconds."""
    if not found.content:  # the lock of a folder, copied with the index
        return True
    sign = _sign_of(found)
    if sign and sign.free:
        return True
    return _now(place) - found.changed > timedelta(seconds=LASTS)


def _now(place: Remote) -> datetime:
    """Return the storage's time, or the local time if nothing may be written."""
    clock = place.parent / _CLOCK
    looked, server_time = _looks.get(clock, (0.0, None))
    if server_time is None or time.monotonic() - looked > _TRUSTED:
        try:
            clock.touch()
            server_time = clock.changed()
        except PermissionError:
            server_time = None
        looked, server_time = time.monotonic(), server_time or datetime.now(UTC)
        _looks[clock] = looked, server_time
    return server_time + timedelta(seconds=time.monotonic() - looked)
