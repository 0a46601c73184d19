"""The cache of model replies, stored with the index, so that no call is paid for twice.

One SQLite file in the folder of the index. Each reply is written the moment it comes, so that a
killed process loses no more than the calls that were under way. Neither URL nor key is in it. Of an
index in object storage that file is a copy on this machine, and each reply is an object too.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from hashlib import blake2b
from typing import Any
from uuid import uuid4

from core.models.kept.leases import LASTS, Leases
from core.models.kept.reply_file import FILE, ReplyFile
from core.models.kept.stored_replies import Row, StoredReplies
from core.models.prompt import Prompt, Reply
from core.models.server.strict import without_array_bounds
from core.places import Place, Remote
from core.store.locking.local_copy import copy_folder

__all__ = ["FILE", "Replies", "Spent", "Took", "reply_key"]
_GET = (
    "SELECT text, tokens_in, tokens_out, seconds, ending, billed, estimated FROM replies"
    " WHERE key = ?"
)
_KEPT = (
    "SELECT prompt, model, letters, text, tokens_in, tokens_out, seconds, ending, billed,"
    " estimated, attempt FROM replies WHERE key = ?"
)
_PUT = (
    "INSERT OR REPLACE INTO replies (key, prompt, model, letters, text, tokens_in, tokens_out,"
    " seconds, ending, billed, estimated, attempt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def reply_key(model: str, prompt: Prompt, *, attempt: int = 0) -> str:
    """Return the cache key of a call: a hash of the model (`Llm.asked_as`), the prompt and the
    attempt.

    The bounds of a schema are left out: replies that were kept before a bound was set or changed
    are as good as later ones.
    """
    schema = without_array_bounds(prompt.schema)
    asked = (model, prompt.name, prompt.system, prompt.user, schema, attempt)
    return blake2b(json.dumps(asked, sort_keys=True).encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Spent:
    """Number of paid calls, and their tokens."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class Took:
    """The tokens of one reply; `letters` counts the characters of its prompt, 0 if unknown."""

    tokens_in: int
    tokens_out: int
    letters: int
    attempt: int = 0


class Replies:
    """The cached model replies of one index, shared between threads and processes.

    The file is created with the first reply. If the folder is read-only, new replies are kept in
    memory only, and `unkept` says so. Unusable replies are cached as well: the reader decides about
    them.

    Parameters
    ----------
    lasts : seconds after which a process that shows no sign of life is considered dead.

    Raises
    ------
    StoreError : by every method, if the file is damaged or the disk is full.
    """

    def __init__(self, folder: Place, *, lasts: float = LASTS) -> None:
        self._storage = StoredReplies(folder) if isinstance(folder, Remote) else None
        self._file = ReplyFile(copy_folder(folder) if isinstance(folder, Remote) else folder)
        self._leases = Leases(self._file, lasts)
        self.close = self._file.close

    @property
    def unkept(self) -> str:
        return (self._storage.unkept if self._storage else "") or self._file.unkept

    def get(self, key: str) -> Reply | None:
        """Return the cached reply, from remote storage if it is new there, or None."""
        rows = self._read(_GET, key)
        if not rows and self._storage and self._storage.has(key):
            self._copy(self._storage.rows([key]))
            rows = self._read(_GET, key)
        if not rows:
            return None
        text, tokens_in, tokens_out, seconds, ending, billed, estimated = rows[0]
        return Reply(text, tokens_in, tokens_out, seconds, ending, billed, bool(estimated))

    def put(self, key: str, prompt: Prompt, model: str, reply: Reply, *, attempt: int = 0) -> None:
        """Store `reply` durably; it survives a crash of this process.

        An earlier reply with the same key is no longer returned, but its cost still counts.
        """
        about = key, prompt.name, model, prompt.letters
        *values, _ = astuple(reply)  # without what the server calls the model
        aside = f"{key} before {uuid4().hex}"
        if self._storage:
            old = [
                Row(aside, *[*row, bool(estimated), number])
                for *row, estimated, number in self._read(_KEPT, key)
            ]
            self._storage.put([*old, Row(*[*about, *values, attempt])])
        with self._file.connection() as connection:
            connection.execute("UPDATE replies SET key = ? WHERE key = ?", (aside, key))
            connection.execute(_PUT, (*about, *values, attempt))

    def _copy(self, rows: Iterable[Row]) -> None:
        with self._file.connection() as connection:
            connection.executemany(_PUT, map(astuple, rows))

    def _match_storage(self) -> None:
        """Make the local file hold the same replies as the remote storage."""
        if not self._storage:
            return
        there = self._storage.keys()
        here = {key for (key,) in self._read("SELECT key FROM replies")}
        self._copy(self._storage.rows(sorted(there - here)))
        with self._file.connection() as connection:
            gone = [(key,) for key in here - there]
            connection.executemany("DELETE FROM replies WHERE key = ?", gone)

    @contextmanager
    def turn(self, key: str, done: Callable[[], bool]) -> Iterator[None]:
        """Let only one process at a time request the reply of `key`.

        If another process requests it, wait until its reply makes `done` true.
        """
        if not self._storage:
            with self._leases.turn(key, done):
                yield
            return
        with self._leases.turn(key, done), self._storage.turn(key, done):
            if not done():  # as far as is known here
                self._copy(self._storage.rows([key]))
            yield

    def spent(self, prompt: str = "") -> Spent:
        """Return the total cost of all prompts, or of the prompts of one name."""
        self._match_storage()
        rows = self._read(
            "SELECT coalesce(sum(billed), 0), coalesce(sum(tokens_in * billed), 0),"
            " coalesce(sum(tokens_out * billed), 0) FROM replies WHERE ? IN ('', prompt)",
            prompt,
        )
        return Spent(*rows[0]) if rows else Spent()

    def took(self, prompt: str, model: str) -> list[Took]:
        """Return the token counts of the replies of `model` whose tokens the server counted.

        Parameters
        ----------
        prompt : the name of the prompts; empty for prompts of any name.
        """
        self._match_storage()
        rows = self._read(
            "SELECT tokens_in, tokens_out, letters, attempt FROM replies"
            " WHERE ? IN ('', prompt) AND model = ? AND NOT estimated AND tokens_out > 0",
            prompt,
            model,
        )
        return [Took(*row) for row in rows]

    def to_prompts(self, prompt: str, model: str) -> list[Reply]:
        """Return complete replies of `model` to prompts of a name, in an arbitrary fixed order."""
        self._match_storage()
        rows = self._read(
            "SELECT text, tokens_in, tokens_out FROM replies"
            " WHERE prompt = ? AND model = ? AND ending = 'whole' ORDER BY key LIMIT 200",
            prompt,
            model,
        )
        return [Reply(*row) for row in rows]

    def _read(self, statement: str, *values: str) -> list[tuple[Any, ...]]:
        """Run a SELECT and return its rows; none while the file does not exist."""
        if not self._file.is_there:
            return []
        with self._file.connection() as connection:
            return connection.execute(statement, values).fetchall()
