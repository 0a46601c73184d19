"""The records of an index: small JSON documents that name the tables to read.

| record | content |
| --- | --- |
| published.json | the last finished version (`core.store.metadata.Meta`) |
| shelf.json | the finished artefacts (`core.store.artefact_tables.Shelved`) |

A record carries the fencing token of the lock holder that wrote it. In object storage it is only
ever replaced under the condition that it is still the version that was read (`If-Match`), so the
storage refuses a process that lost its lock. An empty object stands for an index that was deleted
or renamed: its record must not come back.

Indexes of earlier versions of this program have tables `meta` and `shelf` instead. Those are read
as long as the record has no content.
"""

import json
from dataclasses import asdict, dataclass
from hashlib import blake2b

from core.places import Outdated, Place, Remote, Version, write_whole
from core.places.remote import Content
from core.store.records.json_values import stored

PUBLISHED, SHELF = "published.json", "shelf.json"
GONE = b""
_CACHED = 128  # records of object storage


@dataclass(frozen=True, slots=True)
class Record:
    """The content of a record.

    Parameters
    ----------
    token : the fencing token of the lock holder that wrote it.
    content : JSON; None before the first publication.
    gone : whether the index was deleted or renamed.
    """

    token: int = 0
    content: str | None = None
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """A record as it was read.

    Parameters
    ----------
    content : None if there is no such record.
    version : of the object; None if there is no record, and in a folder.
    """

    content: bytes | None = None
    version: Version | None = None

    @property
    def record(self) -> Record | None:
        """The parsed record, or None if there is none. ValueError if it is damaged."""
        return None if self.content is None else _parse(self.content)


@dataclass(frozen=True, slots=True)
class _Stored:
    token: int
    content: str | None
    digest: str


_cache: dict[Remote, Read] = {}


def read_record(place: Place, name: str) -> Read:
    """Read the record `name` of the index at `place`; OSError if it cannot be read.

    OSError if it cannot be read.
    """
    target = place / name
    if isinstance(target, Remote):
        return _read_cached(target)
    try:
        return Read(target.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return Read()


def write_record(place: Place, name: str, record: Record, read: Read) -> Read:
    """Replace a record if it still is what was `read`; return what it is then.

    In a folder, the lock of the operating system excludes other writers.

    Raises
    ------
    Outdated : another process has written it.
    OSError : it cannot be written.
    """
    target, content = place / name, GONE if record.gone else _formatted(record)
    if isinstance(target, Remote):
        return Read(content, target.replace(content, read.version))
    write_whole(target, content, durable=True)
    return Read(content)


def fence(place: Remote, token: int, *, create: bool) -> int:
    """Rewrite the records of an index, so that no holder before this one can replace them.

    Parameters
    ----------
    token : fencing token of the new holder.
    create : whether to create a missing record, without content.

    Returns
    -------
    The token of the records, higher than any before.
    """
    token = max(token, *(1 + last_token(place, name) for name in (PUBLISHED, SHELF)))
    for name in (PUBLISHED, SHELF):
        read = read_record(place, name)
        while read.content is not None or create:
            try:
                (place / name).replace(_fenced(read.content, token), read.version)
            except Outdated:  # by the holder before, which was not fenced off yet
                read = read_record(place, name)
            else:
                break
    return token


def last_token(place: Place, name: str) -> int:
    """Return the token of a record; 0 if it has none or is damaged."""
    try:
        record = read_record(place, name).record
    except ValueError:
        return 0
    return record.token if record else 0


def _fenced(content: bytes | None, token: int) -> bytes:
    """Return the same record with another version."""
    try:
        record = _parse(content) if content is not None else Record()
    except ValueError:
        return (content or b"") + b"\n"
    if record.gone:
        return (content or b"") + b"\n"
    return _formatted(Record(token, record.content))


def _read_cached(target: Remote) -> Read:
    """Read a record; unchanged content comes from the cache."""
    known = _cache.get(target)
    try:
        if known is None:
            content: Content | None = target.read()
        else:
            content = target.read_unless(known.version)
    except FileNotFoundError:
        return Read()
    if content is None:
        return known or Read()
    while len(_cache) >= _CACHED:
        _cache.pop(next(iter(_cache)), None)
    read = _cache[target] = Read(content.content, content.version)
    return read


def _formatted(record: Record) -> bytes:
    return json.dumps(asdict(_Stored(record.token, record.content, _digest(record)))).encode()


def _parse(content: bytes) -> Record:
    """Parse a record; raise ValueError if its checksum is wrong."""
    if not content.strip():
        return Record(gone=True)
    parsed = stored(_Stored, content)
    record = Record(parsed.token, parsed.content)
    if parsed.digest != _digest(record):
        raise ValueError("the record is not what was written")
    return record


def _digest(record: Record) -> str:
    return blake2b(json.dumps([record.token, record.content]).encode(), digest_size=16).hexdigest()
