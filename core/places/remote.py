"""A place in object storage, used as a `pathlib.Path` is where both are used alike."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from core.places.failures import Outdated, Unchanged, told
from core.places.stores import lance_options, store_of

if TYPE_CHECKING:
    from obstore import GetResult
    from obstore.store import ObjectStore

_CHUNK = 2**20  # bytes


_DELETED_AT_ONCE = 1000  # objects, the most that S3 takes in a request


@dataclass(frozen=True, slots=True)
class Version:
    """The identity of an object, which differs from earlier and later objects in its place."""

    e_tag: str | None
    version: str | None


@dataclass(frozen=True, slots=True)
class Content:
    """An object as it was read; `changed` is when it was written, by the clock of the storage."""

    content: bytes
    version: Version
    changed: datetime


@dataclass(frozen=True, slots=True)
class Found:
    """An object of a listing; `size` in bytes, `changed` by the clock of the storage."""

    place: "Remote"
    size: int
    changed: datetime
    e_tag: str | None


@dataclass(frozen=True, slots=True)
class Remote:
    """An object, or a folder of objects: all whose names go on from its own with a slash.

    What fails raises an OSError, with the error's number and words for people.

    Parameters
    ----------
    uri : scheme, bucket and path, not percent-encoded, without a slash at its end. It is made of
        what `core.places.place_of` has checked.
    """

    uri: str

    @property
    def scheme(self) -> str:
        return self.uri.partition("://")[0]

    @property
    def name(self) -> str:
        return self.uri.rpartition("/")[2]

    @property
    def parent(self) -> "Remote":
        return Remote(self.uri.rpartition("/")[0])

    def absolute(self) -> "Remote":
        return self

    def __truediv__(self, name: str) -> "Remote":
        return Remote(f"{self.uri}/{name}")

    def __str__(self) -> str:
        return self.uri

    @property
    def lance(self) -> tuple[str, dict[str, str]]:
        """The same as LanceDB's address of a database, with its options."""
        scheme, _, rest = self.uri.partition("://")
        return f"{scheme}://{quote(rest)}", lance_options(scheme)

    def exists(self) -> bool:
        """Check whether there is an object with this name."""
        return self.changed() is not None

    def changed(self) -> datetime | None:
        """Return when the object was last written, by the storage's clock, or None."""
        try:
            with told(self.uri) as obstore:
                modified: datetime = obstore.head(self._store, self._key)["last_modified"]
                return modified
        except FileNotFoundError:
            return None

    def is_dir(self) -> bool:
        """Check whether there is an object below this name."""
        return next(self.walk(), None) is not None

    def folders(self) -> list["Remote"]:
        """Return the direct children that have objects below them."""
        with told(self.uri) as obstore:
            listing = obstore.list_with_delimiter(self._store, self._key or None)
        return [self._in_bucket(key) for key in listing["common_prefixes"]]

    def copy(self, target: "Remote") -> None:
        """Copy the object to `target`, in the same bucket.

        Raises
        ------
        Outdated : there is an object at `target` already.
        """
        with told(self.uri) as obstore:
            obstore.copy(self._store, self._key, target._key, overwrite=False)

    def iterdir(self) -> Iterator["Remote"]:
        """Yield the direct children, folders first."""
        with told(self.uri) as obstore:
            listing = obstore.list_with_delimiter(self._store, self._key or None)
        for key in (*listing["common_prefixes"], *(each["path"] for each in listing["objects"])):
            yield self._in_bucket(key)

    def walk(self) -> Iterator[Found]:
        """Yield every object below this place."""
        with told(self.uri) as obstore:
            for some in obstore.list(self._store, self._key or None):
                for each in some:
                    place = self._in_bucket(each["path"])
                    yield Found(place, each["size"], each["last_modified"], each["e_tag"])

    def read_bytes(self) -> bytes:
        return self.read().content

    def read(self) -> Content:
        with told(self.uri) as obstore:
            return _content(obstore.get(self._store, self._key))

    def chunks(self) -> Iterator[bytes]:
        """Yield the content of the object in parts of about a megabyte."""
        with told(self.uri) as obstore:
            stream = obstore.get(self._store, self._key).stream(min_chunk_size=_CHUNK)
            yield from map(bytes, stream)

    def read_unless(self, known: Version | None) -> Content | None:
        """Read the object, or return None if its version is still `known`."""
        try:
            with told(self.uri) as obstore:
                options: Any = {"if_none_match": known.e_tag if known else None}
                return _content(obstore.get(self._store, self._key, options=options))
        except Unchanged:
            return None

    def write_bytes(self, content: bytes) -> None:
        with told(self.uri) as obstore:
            obstore.put(self._store, self._key, content)

    def replace(self, content: bytes, seen: Version | None) -> Version:
        """Write the object if its version is still `seen` (None: if it does not exist); return the
        new version.

        Raises
        ------
        Outdated : it is not.
        """
        mode: Any = {k: v for k, v in asdict(seen).items() if v} if seen else "create"
        try:
            with told(self.uri) as obstore:
                made = obstore.put(self._store, self._key, content, mode=mode)
        except Outdated:
            # It may be ours: written, and tried again since the answer was lost.
            with suppress(FileNotFoundError):
                stored = self.read()
                if stored.content == content:
                    return stored.version
            raise
        return Version(made["e_tag"], made["version"])

    def touch(self) -> None:
        self.write_bytes(b"")

    def unlink(self, *, missing_ok: bool = False) -> None:
        """Delete the object; FileNotFoundError if there is none, unless `missing_ok`."""
        try:
            with told(self.uri) as obstore:
                obstore.delete(self._store, self._key)
        except FileNotFoundError:
            if not missing_ok:
                raise

    def remove_listed(self, listed: Iterable[Found]) -> None:
        """Delete those objects below it that have not changed since they were listed.

        Object storage has no conditional deletion, so the objects are listed a second time.
        """
        known = {(each.place, each.size, _plain(each.e_tag)) for each in listed}
        same = [
            each.place._key
            for each in self.walk()
            if (each.place, each.size, _plain(each.e_tag)) in known
        ]
        with told(self.uri) as obstore:
            for first in range(0, len(same), _DELETED_AT_ONCE):
                obstore.delete(self._store, same[first : first + _DELETED_AT_ONCE])

    @property
    def _store(self) -> "ObjectStore":
        return store_of(self.scheme, self._bucket)

    @property
    def _bucket(self) -> str:
        return self.uri.partition("://")[2].partition("/")[0]

    @property
    def _key(self) -> str:
        return self.uri.partition("://")[2].partition("/")[2]

    def _in_bucket(self, key: str) -> "Remote":
        return Remote(f"{self.scheme}://{self._bucket}/{key}")


def _plain(e_tag: str | None) -> str:
    """Return an ETag without the quotes that some servers add."""
    return (e_tag or "").strip('"')


def _content(result: "GetResult") -> Content:
    """Read the whole object with its version."""
    meta = result.meta
    return Content(
        bytes(result.bytes()), Version(meta["e_tag"], meta["version"]), meta["last_modified"]
    )
