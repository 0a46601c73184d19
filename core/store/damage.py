"""Files that were cut, changed or deleted behind our back."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import StoreError

# What LanceDB and Arrow raise at files that are not as they wrote them.
DAMAGE = (OSError, RuntimeError, ValueError, TypeError, KeyError)


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Turns a failure to read the tables in `folder` into a StoreError with the way out."""
    try:
        yield
    except DAMAGE as error:
        raise StoreError(
            f"{folder.name} is damaged and cannot be read ({type(error).__name__}). Build it again "
            "with --restart, or delete it."
        ) from error
