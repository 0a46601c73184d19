"""Leases on model calls: if two processes need the same reply, one calls and the other waits.

A lease is a row with an end, which its holder puts off while it waits for the model. A holder that
was killed puts nothing off, and the next one takes over; on the same machine at once.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from socket import gethostname
from uuid import uuid4

from core.errors import Cancelled, StoreError
from core.models.kept.reply_file import ReplyFile
from core.models.server.window import abandoned

LASTS = 12.0  # seconds without renewal; a busy machine may renew late
_SIGNS = 6  # renewals in that time
_LOOK = 0.1  # seconds between two attempts to acquire a lease


class Leases:
    """The leases of one process in `file`. Safe to share between threads.

    Parameters
    ----------
    lasts : seconds after which a lease expires unless its process extends it.
    """

    def __init__(self, file: ReplyFile, lasts: float = LASTS) -> None:
        self._file = file
        self._lasts = lasts
        self._name = f"{gethostname()} {os.getpid()} {uuid4().hex}"
        self._guard = threading.Lock()
        self._held: set[str] = set()
        self._alive: threading.Thread | None = None

    @contextmanager
    def turn(self, key: str, done: Callable[[], bool]) -> Iterator[None]:
        """Hold the lease of `key`; if another process holds it, wait until `done` or free.

        Raises
        ------
        Cancelled : the reply is no longer needed.
        StoreError : the file cannot be read or written.
        """
        while not self._try_acquire(key):
            if done():
                yield
                return
            if abandoned():
                raise Cancelled("This reply is no longer needed.")
            time.sleep(_LOOK)
        try:
            yield
        finally:
            self._release(key)

    def _try_acquire(self, key: str) -> bool:
        """Acquire the lease of `key` if it is free or expired; return whether it was acquired."""
        now = time.time()
        with self._file.connection() as connection:
            changed = connection.execute(
                "INSERT INTO leases (key, holder, expires) VALUES (?, ?, ?) ON CONFLICT (key) DO"
                " UPDATE SET holder = excluded.holder, expires = excluded.expires"
                " WHERE expires < ? OR expires > ?",
                # One from far ahead was written by a clock that has been put right since.
                (key, self._name, now + self._lasts, now, now + 10 * self._lasts),
            )
            acquired = changed.rowcount > 0 or self._take_over(connection, key, now)
        if acquired:
            self._hold(key)
        return acquired

    def _take_over(self, connection: sqlite3.Connection, key: str, now: float) -> bool:
        """Take the lease over if its holder was a process of this machine and has ended."""
        row = connection.execute("SELECT holder FROM leases WHERE key = ?", (key,)).fetchone()
        if row is None or not _is_gone(row[0]):
            return False
        connection.execute(
            "UPDATE leases SET holder = ?, expires = ? WHERE key = ?",
            (self._name, now + self._lasts, key),
        )
        return True

    def _hold(self, key: str) -> None:
        """Register a held lease and start the thread that extends leases."""
        with self._guard:
            self._held.add(key)
            if self._alive is None:
                self._alive = threading.Thread(target=self._extend_leases, daemon=True)
                self._alive.start()

    def _release(self, key: str) -> None:
        """Release the lease of `key`; on an error it expires by itself."""
        with self._guard:
            self._held.discard(key)
        with suppress(StoreError), self._file.connection() as connection:
            connection.execute("DELETE FROM leases WHERE key = ? AND holder = ?", (key, self._name))

    def _extend_leases(self) -> None:
        """Extend the leases of this process regularly, until it holds none."""
        while True:
            time.sleep(self._lasts / _SIGNS)
            with self._guard:
                if not self._held:
                    self._alive = None
                    return
            # A full disk is reported when a reply is stored; here it only ends leases early.
            with suppress(StoreError), self._file.connection() as connection:
                connection.execute(
                    "UPDATE leases SET expires = ? WHERE holder = ?",
                    (time.time() + self._lasts, self._name),
                )


def _is_gone(holder: str) -> bool:
    """Check whether the holder was a process of this machine that has ended."""
    host, pid, *_ = (*holder.rsplit(" ", 2), "", "")
    if os.name != "posix" or host != gethostname() or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # it is another user's, or no number of a process
        return False
    return False
