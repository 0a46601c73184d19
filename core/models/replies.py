"""What a model was asked and what it answered, kept with the index: nothing is paid for twice.

One SQLite file in the folder of the index. Each reply is written the moment it comes, so that a
killed process loses no more than the calls that were under way. Neither URL nor key is in it.
"""

import json
import sqlite3
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from core.errors import StoreError
from core.models.llm import Prompt, Reply

FILE = "replies.sqlite"
_PATIENCE = 30.0  # seconds to wait for another process that writes
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
    """The replies kept in one index. Safe to share between threads and between processes."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._open: sqlite3.Connection | None = None

    def get(self, key: str) -> Reply | None:
        rows = self._run(
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
        self._run(
            "INSERT OR REPLACE INTO replies (key, prompt, model, text, tokens_in, tokens_out,"
            " seconds) VALUES (?, ?, ?, ?, ?, ?, ?)",
            *row,
        )

    def known(self, keys: Sequence[str]) -> set[str]:
        """Those of `keys` that there is a reply for."""
        return {key for key in keys if self.get(key) is not None}

    def spent(self, prompt: str = "") -> Spent:
        """All that was paid for, or only prompts of one name."""
        rows = self._run(
            "SELECT count(*), coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0)"
            " FROM replies WHERE ? IN ('', prompt)",
            prompt,
        )
        return Spent(*rows[0])

    def close(self) -> None:
        with self._lock:
            if self._open:
                self._open.close()
            self._open = None

    def _run(self, statement: str, *values: str | float) -> list[tuple[Any, ...]]:
        try:
            with self._lock, self._connection() as connection:
                return connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(
                f"{self._path} cannot be read or written ({error}). Free the disk or move the file "
                "away; the replies in it will then be asked for again."
            ) from error

    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            found = sqlite3.connect(self._path, timeout=_PATIENCE, check_same_thread=False)
            found.execute("PRAGMA journal_mode = WAL")
            found.execute("PRAGMA synchronous = NORMAL")
            found.execute(_TABLE)
            self._open = found
        return self._open
