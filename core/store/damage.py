"""Files that were cut, changed or deleted behind our back, and a system that refuses."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import StoreError
from core.places import Place
from core.store.records import PUBLISHED

# What LanceDB and Arrow raise at files that are not as they wrote them.
DAMAGE = (OSError, RuntimeError, ValueError, TypeError, LookupError)


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


def system_error(error: BaseException) -> int | None:
    """The number of the error that the system gave, also as LanceDB passes it on."""
    if isinstance(error, OSError) and error.errno:
        return error.errno
    told = re.search(r"\(os error (\d+)\)", str(error))
    return int(told[1]) if told else None


def refusal_of(error: BaseException) -> str:
    """What the system refused, in its words, if it is no fault of the files: a full disk, a folder
    that nobody may read."""
    number = system_error(error)
    if number not in _MENDED_OUTSIDE:
        return ""
    return (error.strerror or "") if isinstance(error, OSError) else os.strerror(number)


@contextmanager
def reading(place: Place) -> Iterator[None]:
    """Turns a failure to read the tables at `place` into a StoreError with the way out."""
    try:
        yield
    except DAMAGE as error:
        if why := refusal_of(error) or kept_away(place, error):
            raise StoreError(f"{place} cannot be used: {why}. Mend that, and go on.") from error
        raise StoreError(
            f"{place.name} is damaged and cannot be read ({type(error).__name__}). Build it again "
            "with --restart, or delete it."
        ) from error


def kept_away(place: Place, error: Exception) -> str:
    """Why object storage cannot be used now, if it cannot: LanceDB's `error` has no kind."""
    if isinstance(place, Path):
        return ""
    try:
        # Who may list need not be allowed to read. An older index has a table and no record.
        old = next((place / "meta.lance" / "_versions").walk(), None)
        with suppress(FileNotFoundError):
            (old.place if old else place / PUBLISHED).read()
    except OSError as refused:
        return refused.strerror or ""
    if "RetryError" in str(error) and "NotFound" not in str(error):
        return "LanceDB gets no answer from the storage, which can be listed"
    return ""
