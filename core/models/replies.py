"""What a model was asked and what it answered, kept with the index: nothing is paid for twice.

One SQLite file in the folder of the index. Each reply is written the moment it comes, so that a
killed process loses no more than the calls that were under way. Neither URL nor key is in it.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from core.errors import StoreError
from core.models.prompt import Prompt, Reply

FILE = "replies.sqlite"
_PATIENCE = 30.0  # seconds to wait for another process that writes
_UNWRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, prompt TEXT NOT NULL, model TEXT NOT NULL, text TEXT NOT NULL,
    tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, seconds REAL NOT NULL,
    at TEXT NOT NULL DEFAULT (datetime('now'))
) WITHOUT ROWID
"""


def reply_key(model: str, prompt: Prompt, *, attempt: int = 0) -> str:
    """What makes two calls the same: the model, every word that it is given, and which try."""
    asked = (model, prompt.name, prompt.system, prompt.user, prompt.schema, attempt)
    return blake2b(json.dumps(asked, sort_keys=True).encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls that were paid for, and their tokens."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class Replies:
    """The replies kept in one index. Safe to share between threads and between processes.

    There is no file until something is kept. A folder that cannot be written is read, and what
    comes new is kept in memory only; `unkept` then says so.

    Raises
    ------
    StoreError : by every method, where the file is damaged or the disk is full.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._open: sqlite3.Connection | None = None
        self._file: int | None = None  # inode; another one after the index was made anew
        self.unkept = ""

    def get(self, key: str) -> Reply | None:
        rows = self._read(
            "SELECT text, tokens_in, tokens_out, seconds FROM replies WHERE key = ?", key
        )
        return Reply(*rows[0]) if rows else None

    def put(self, key: str, prompt: Prompt, model: str, reply: Reply) -> None:
        """Keep `reply`; on return it survives the death of this process."""
        row = (
            key,
            prompt.name,
            model,
            reply.text,
            reply.tokens_in,
            reply.tokens_out,
            reply.seconds,
        )
        with self._used() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO replies (key, prompt, model, text, tokens_in, tokens_out,"
                " seconds) VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )

    def known(self, keys: Sequence[str]) -> set[str]:
        """Those of `keys` that there is a reply for."""
        return {key for key in keys if self.get(key) is not None}

    def spent(self, prompt: str = "") -> Spent:
        """All that was paid for, or only prompts of one name."""
        rows = self._read(
            "SELECT count(*), coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0)"
            " FROM replies WHERE ? IN ('', prompt)",
            prompt,
        )
        return Spent(*rows[0]) if rows else Spent()

    def close(self) -> None:
        with self._lock:
            self._shut()

    def _read(self, statement: str, value: str) -> list[tuple[Any, ...]]:
        if self._open is None and not self._path.exists():
            return []
        with self._used() as connection:
            return connection.execute(statement, (value,)).fetchall()

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        """The open file, in a transaction of one thread at a time."""
        try:
            with self._lock, self._connection() as connection:
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"{self._path} cannot be read or written ({error}). Free the disk or move the file "
                "away; the replies in it will then be asked for again."
            ) from error

    def _connection(self) -> sqlite3.Connection:
        if self._open and not self.unkept and _inode(self._path) != self._file:
            if not self._path.parent.exists():
                raise FileNotFoundError("the index is gone")
            self._shut()
        if self._open is None:
            self._open = self._begin()
            self._file = _inode(self._path)
        return self._open

    def _begin(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return _begun(self._path)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _UNWRITABLE:
                raise
        self.unkept = (
            "The folder of the index cannot be written: what the model answers is used and not "
            "kept, and will be asked and paid for again."
        )
        return _in_memory(self._path)

    def _shut(self) -> None:
        if self._open:
            self._open.close()
        self._open = self._file = None


def _begun(path: Path | str) -> sqlite3.Connection:
    found = sqlite3.connect(path, timeout=_PATIENCE, check_same_thread=False)
    try:
        found.execute("PRAGMA journal_mode = WAL")
        found.execute("PRAGMA synchronous = NORMAL")
        found.execute(_TABLE)
        found.execute("BEGIN IMMEDIATE")  # fails now if it cannot be written
        found.rollback()
    except sqlite3.Error:
        found.close()
        raise
    return found


def _in_memory(path: Path) -> sqlite3.Connection:
    """A copy of what is kept."""
    found = _begun(":memory:")
    if path.exists():
        # A plain opening would write a file beside it, and fail.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as kept:
            kept.backup(found)
    return found


def _inode(path: Path) -> int | None:
    return path.stat().st_ino if path.exists() else None
