"""The replies of an index in object storage, one object each, so that writers never conflict.

What this machine has seen of them is in a file of its own (`ReplyFile`), which answers; here is
what makes a reply outlive the process and known to other machines.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from pydantic import TypeAdapter

from core.errors import Cancelled, StoreError
from core.models.server.window import abandoned
from core.places import Remote
from core.store.locking.object_lock import LOOK, Lease
from core.store.records.json_values import stored

FOLDER = "replies"
_ENDING = ".json"
_BEFORE = (" before ", "-before-")  # in a key, and in the name of its object
_AT_ONCE = 16  # objects that are read
_LOOK_EVERY = 30.0  # seconds; a million replies are a thousand requests to list


@dataclass(frozen=True, slots=True)
class Row:
    """A reply with its prompt and model, in the order of the columns of `replies`."""

    key: str
    prompt: str
    model: str
    letters: int
    text: str
    tokens_in: int
    tokens_out: int
    seconds: float
    ending: str
    billed: int
    estimated: bool
    attempt: int = 0  # which try, from 0; older objects do not have it


_JSON = TypeAdapter(Row)


class StoredReplies:
    """The reply objects below `place`, the location of the index."""

    def __init__(self, place: Remote) -> None:
        self._place = place / FOLDER
        self.unkept = ""
        self._listed: set[str] = set()
        self._looked = -_LOOK_EVERY

    def has(self, key: str) -> bool:
        """Check whether a reply is stored; the list of keys may be half a minute old."""
        if time.monotonic() - self._looked > _LOOK_EVERY:
            self._listed, self._looked = self.keys(), time.monotonic()
        return key in self._listed

    def put(self, rows: Iterable[Row]) -> None:
        """Store replies as objects; note in `unkept` if the storage is read-only."""
        with _as_store_error(self._place):
            try:
                for row in rows:
                    self._object(row.key).write_bytes(_JSON.dump_json(row))
            except PermissionError as error:
                self.unkept = (
                    f"The storage of the index cannot be written ({error.strerror}), so model "
                    "replies are cached on this machine only."
                )

    def keys(self) -> set[str]:
        """List the keys of all stored replies."""
        with _as_store_error(self._place):
            names = [each.place.name for each in self._place.walk()]
        ours = (name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING))
        return {name.replace(_BEFORE[1], _BEFORE[0]) for name in ours}

    def rows(self, keys: Iterable[str]) -> list[Row]:
        """Return the rows of `keys` that are stored and can be read."""
        with _as_store_error(self._place), ThreadPoolExecutor(_AT_ONCE) as readers:
            return [row for row in readers.map(self._row, keys) if row]

    @contextmanager
    def turn(self, key: str, done: Callable[[], bool]) -> Iterator[None]:
        """Like `Replies.turn`, but between machines."""
        lease = Lease(self._place / f"{key}.lock", "asking a model")
        while not self._acquire(lease):
            if done():
                yield
                return
            if abandoned():
                raise Cancelled("This reply is no longer needed.")
            time.sleep(LOOK)
        with lease.renewed():
            yield

    def _acquire(self, lease: Lease) -> bool:
        """Try to acquire the lease; without write permission, proceed without one."""
        with _as_store_error(self._place):
            try:
                return lease.try_acquire()
            except PermissionError:  # no write permission: others cannot use the reply
                return True

    def _row(self, key: str) -> Row | None:
        """Read a stored reply; None if it is missing or damaged, so that it is requested again."""
        try:
            return stored(Row, self._object(key).read_bytes())
        except (FileNotFoundError, ValueError):
            return None

    def _object(self, key: str) -> Remote:
        return self._place / f"{key.replace(*_BEFORE)}{_ENDING}"


@contextmanager
def _as_store_error(place: Remote) -> Iterator[None]:
    """Convert file errors to StoreError with a remedy."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{place} cannot be read or written ({error.strerror}). Fix the problem and try again."
        ) from error
