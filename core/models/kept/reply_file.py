"""The SQLite file of cached replies: opened, migrated from older versions, or kept in memory."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from core.errors import StoreError
from core.settings import make_folder

FILE = "replies.sqlite"
_PATIENCE = 30.0  # seconds to wait for another process that writes
_UNWRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_TABLES = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, prompt TEXT NOT NULL, model TEXT NOT NULL, text TEXT NOT NULL,
    tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, seconds REAL NOT NULL,
    at TEXT NOT NULL DEFAULT (datetime('now'))
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS leases (
    key TEXT PRIMARY KEY, holder TEXT NOT NULL, expires REAL NOT NULL
) WITHOUT ROWID;
"""
_LATER = {
    "ending": "TEXT NOT NULL DEFAULT 'whole'",
    "billed": "INTEGER NOT NULL DEFAULT 1",
    "estimated": "INTEGER NOT NULL DEFAULT 0",
    "letters": "INTEGER NOT NULL DEFAULT 0",
    "attempt": "INTEGER NOT NULL DEFAULT 0",
}
"""Columns that a file of an older version of this program does not have."""


class ReplyFile:
    """The file in `folder`, created at the first write. Safe to share between threads.

    If the folder is not writable, replies are kept in memory only, and `unkept` says so.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._open: sqlite3.Connection | None = None
        self._file: int | None = None  # inode; another one after the index was made anew
        self.unkept = ""

    @property
    def is_there(self) -> bool:
        return self._open is not None or self._path.exists()

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Open the file in a transaction of one thread at a time.

        Raises
        ------
        StoreError : the file is damaged, the disk is full, or the index is gone.
        """
        try:
            with self._lock, self._connection() as connection:
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"{self._path} cannot be read or written ({error}). Free disk space, or move "
                "the file away; its replies will then be requested again."
            ) from error

    def close(self) -> None:
        with self._lock:
            self._close_connection()

    def _connection(self) -> sqlite3.Connection:
        """Return the open connection; reopen the file if another one took its place.

        Raises FileNotFoundError if the index folder is gone.
        """
        if self._open and not self.unkept and _inode(self._path) != self._file:
            if not self._path.parent.exists():
                raise FileNotFoundError("the index is gone")
            self._close_connection()
        if self._open is None:
            self._open = self._connect_or_copy()
            self._file = _inode(self._path)
        return self._open

    def _connect_or_copy(self) -> sqlite3.Connection:
        """Connect to the file, or to a copy in memory if it cannot be written."""
        make_folder(self._path.parent)
        try:
            return _connect(self._path)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _UNWRITABLE:
                raise
        self.unkept = (
            "The index folder is not writable, so model replies are used but not cached. "
            "They will be requested and paid for again."
        )
        return _copy_in_memory(self._path)

    def _close_connection(self) -> None:
        if self._open:
            self._open.close()
        self._open = self._file = None


def _connect(path: Path) -> sqlite3.Connection:
    """Connect to the file in WAL mode and migrate its tables."""
    connection = sqlite3.connect(path, timeout=_PATIENCE, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        _migrate(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection) -> None:
    """Create missing tables and columns; fail at once if the file cannot be written."""
    connection.execute("BEGIN IMMEDIATE")  # another process may be about to do the same
    with connection:
        for table in _TABLES.split(";")[:-1]:
            connection.execute(table)
        columns = {row[1] for row in connection.execute("PRAGMA table_info(replies)")}
        for name, kind in _LATER.items():
            if name not in columns:
                connection.execute(f"ALTER TABLE replies ADD COLUMN {name} {kind}")


def _copy_in_memory(path: Path) -> sqlite3.Connection:
    """Copy the replies of a read-only file to a database in memory."""
    memory = sqlite3.connect(":memory:", check_same_thread=False)
    if path.exists():
        # A plain opening would write a file beside it, and fail.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as disk:
            disk.backup(memory)
    _migrate(memory)
    return memory


def _inode(path: Path) -> int | None:
    return path.stat().st_ino if path.exists() else None
