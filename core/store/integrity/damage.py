"""Distinguish files that were changed or deleted by others from errors of the system."""

import errno
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow as pa

from core.errors import StoreError
from core.places import Place
from core.store.integrity.checksums import damaged_in, recorded
from core.store.records.record import PUBLISHED

_RAISED_AT_DAMAGE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    pa.ArrowException,
)
# A panic of LanceDB's native code. Both classes are made at run time, in modules that cannot be
# imported; the second one is no `Exception`.
_PANICS = {("pyo3_async_runtimes", "RustPanic"), ("pyo3_runtime", "PanicException")}

_REMEDY = (
    "Rebuild it with --restart, or delete it. python -m core info --verify shows the damaged file."
)
_MENDED_OUTSIDE = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EROFS,
    errno.EACCES,
    errno.EPERM,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.EHOSTUNREACH,
}


def is_damage(error: BaseException) -> bool:
    """Check whether `error` is one that LanceDB and Arrow raise for damaged files."""
    kind = type(error)
    return isinstance(error, _RAISED_AT_DAMAGE) or (kind.__module__, kind.__name__) in _PANICS


def system_error(error: BaseException) -> int | None:
    """Return the system's error number, also from an error of LanceDB, or None."""
    if isinstance(error, OSError) and error.errno:
        return error.errno
    match = re.search(r"\(os error (\d+)\)", str(error))
    return int(match[1]) if match else None


def refusal_of(error: BaseException) -> str:
    """Describe a system error that is not the files' fault, such as a full disk; else ""."""
    number = system_error(error)
    if number not in _MENDED_OUTSIDE:
        return ""
    return (error.strerror or "") if isinstance(error, OSError) else os.strerror(number)


@contextmanager
def reading(
    place: Place, what: str = "", remedy: str = "", versions: Mapping[str, int] | None = None
) -> Iterator[None]:
    """Convert a failure to read the tables at `place` to a StoreError.

    Parameters
    ----------
    place : where the index is.
    what : the part of the index that is read; by default the index itself.
    remedy : what to do if it is damaged; by default, build the index again.
    versions : the tables that are read; their checksums show which file is damaged.

    Raises
    ------
    StoreError : the files are damaged, or the system or the storage refuses to read them.
    """
    try:
        yield
    except BaseException as error:  # a panic is no Exception
        if not is_damage(error):
            raise
        if why := refusal_of(error) or kept_away(place, error):
            raise StoreError(
                f"{place} cannot be used: {why}. Fix the problem and continue."
            ) from error
        raise StoreError(
            _damage_message(error, place, what or place.name, remedy or _REMEDY, versions or {})
        ) from error


def _damage_message(
    error: BaseException, place: Place, what: str, remedy: str, versions: Mapping[str, int]
) -> str:
    """Explain why `what` cannot be read: a damaged file, or another error, with the remedy."""
    kind = type(error).__name__
    try:
        damaged = list(damaged_in(place, versions))
    except OSError:  # which is why it cannot be read
        damaged = []
    if damaged:
        return f"{what} is damaged: {damaged[0].path} ({damaged[0].problem}). {remedy}"
    if versions and versions.items() <= recorded(place):
        return (
            f"{what} cannot be read ({kind}: {error}), although its files match their "
            "checksums. Try again, and report it if that does not help. Nothing needs to be "
            "rebuilt."
        )
    return f"{what} is damaged and cannot be read ({kind}). {remedy}"


def kept_away(place: Place, error: BaseException) -> str:
    """Explain why object storage cannot be used now; empty if it can."""
    if isinstance(place, Path):
        return ""
    try:
        # Permission to list does not imply permission to read. An older index has no record.
        old = next((place / "meta.lance" / "_versions").walk(), None)
        with suppress(FileNotFoundError):
            (old.place if old else place / PUBLISHED).read()
    except OSError as refused:
        return refused.strerror or ""
    if "RetryError" in str(error) and "NotFound" not in str(error):
        return "The storage does not respond to LanceDB, although its files can be listed"
    return ""
