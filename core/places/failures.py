"""Convert errors of object storage to errors of the operating system."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from core.places.stores import CREDENTIALS, package

# Words of errors that have no kind of their own: of a listing that is refused, of credentials that
# are not there or that nothing can be signed with.
_DENIED = ("401 Unauthorized", "403 Forbidden")
_UNUSABLE = ("redential", "169.254.", "metadata.google", "Account must be", "Invalid Access Key")


class Outdated(OSError):
    """An object is not what it was when it was looked at: another process has written it."""


class Unchanged(OSError):
    """An object is what it was."""


@contextmanager
def told(uri: str) -> Iterator[ModuleType]:
    """Provide `obstore`, whose errors become an OSError about `uri`.

    Its own messages are left out: they contain whole requests, and with some providers a signature.
    """
    scheme = uri.partition("://")[0]
    obstore = package(scheme)
    try:
        yield obstore
    except (obstore.exceptions.BaseError, FileNotFoundError) as error:
        kind, number, why = _describe_error(error, obstore.exceptions, scheme)
        raise kind(number, why, uri) from None


def _describe_error(
    error: Exception, kinds: ModuleType, scheme: str
) -> tuple[type[OSError], int, str]:
    """Return the error class, error number and sentence for an error of object storage.

    `kinds` is the storage library's module of exceptions; `scheme` is such as s3.
    """
    text = str(error)
    if "NoSuchBucket" in text or "ContainerNotFound" in text:
        return FileNotFoundError, errno.ENOENT, "The bucket does not exist"
    if isinstance(error, FileNotFoundError):
        return FileNotFoundError, errno.ENOENT, "The object does not exist"
    if isinstance(error, kinds.NotModifiedError):
        return Unchanged, errno.EEXIST, "It is what it was"
    if isinstance(error, kinds.AlreadyExistsError | kinds.PreconditionError):
        return Outdated, errno.EEXIST, "Another process changed it"
    denied = isinstance(error, kinds.PermissionDeniedError | kinds.UnauthenticatedError)
    if not denied and any(words in text for words in _UNUSABLE):
        why = f"No usable credentials; set {CREDENTIALS[scheme]}"
        return PermissionError, errno.EACCES, why
    if denied or any(words in text for words in _DENIED):
        return PermissionError, errno.EACCES, "The credentials do not allow this"
    return OSError, errno.EHOSTUNREACH, f"The storage behind {scheme}:// does not answer"
