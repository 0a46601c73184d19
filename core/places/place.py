"""Parse the place of an index, or of all indexes, as a user writes it."""

import re
import unicodedata
from pathlib import Path
from urllib.parse import urlsplit

from core.errors import IndexMissing
from core.places.remote import Remote

Place = Path | Remote

SCHEMES = ("s3", "gs", "az")
_BUCKET = re.compile(r"[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]")
_LONGEST = 900  # bytes of a key; the storage takes 1,024, and tables need some of it


def place_of(text: str | Path | Remote) -> Place:
    """Return `text` as a local folder or as a place in object storage.

    Raises
    ------
    IndexMissing : it can be neither, or it holds credentials.
    """
    if isinstance(text, Remote):
        return text
    if "://" in str(text):
        return _parse_uri(str(text))
    try:
        folder = Path(text).expanduser()
        folder.is_dir()
    except (OSError, RuntimeError, ValueError) as error:  # far too long, closed, nobody's home
        raise IndexMissing(f"{str(text)[:60]!r} cannot be a folder on this machine.") from error
    return folder


def _parse_uri(text: str) -> Remote:
    """Parse a URI of object storage; IndexMissing says what is wrong, without any credentials."""
    scheme, _, rest = text.partition("://")
    if scheme not in SCHEMES:
        raise IndexMissing(
            "An index is in a folder on this machine, or at a URI that begins with s3://, "
            f"gs:// or az://; {_shown(text)!r} is neither. Correct it."
        )
    bucket, _, key = rest.partition("/")
    if "@" in bucket or ":" in bucket or "?" in text:
        raise IndexMissing(  # not a word of it is repeated
            "An index URI must not contain credentials: no '@' or ':' in the bucket, and no "
            "query string. Set credentials in the environment, as for the provider's own "
            "tools, and use scheme://bucket/path."
        )
    parts = key.rstrip("/").split("/") if key.rstrip("/") else []
    if not _BUCKET.fullmatch(bucket):
        raise _invalid_place(
            text, "the bucket name is not valid (3 to 63 lower-case letters, digits, . _ -)"
        )
    if any(part in ("", ".", "..") for part in parts):
        raise _invalid_place(text, "it has an empty or dots-only part between slashes")
    if len(key.encode(errors="replace")) > _LONGEST or not _visible(key):
        raise _invalid_place(text, "it is too long or contains invisible characters")
    return Remote("/".join((f"{scheme}://{bucket}", *parts)))


def _visible(text: str) -> bool:
    return "\\" not in text and not any(unicodedata.category(c).startswith("C") for c in text)


def _invalid_place(text: str, why: str) -> IndexMissing:
    return IndexMissing(f"{_shown(text)!r} cannot be used as an index location: {why}. Correct it.")


def _shown(text: str) -> str:
    """Return the part of a URI that may be displayed, without user name and query."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return text.partition("://")[0][:20] + "://"
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"[:60]
