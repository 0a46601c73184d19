"""Errors for stored runs that cannot be read, with the run's name and the remedy."""

from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import RunUnreadable
from core.store.locking.sqlite_file import SmallFile


@contextmanager
def reading(file: SmallFile, run: str) -> Iterator[None]:
    """Translate errors inside the context, where values of `run` are read from `file`.

    Raises
    ------
    RunUnreadable : for any ValueError, KeyError or TypeError.
    """
    try:
        yield
    except (ValueError, KeyError, TypeError) as error:
        names = [name for (name,) in file.read("SELECT name FROM runs WHERE id = ?", run)]
        raise RunUnreadable(
            f"Could not read some results of {names[0] if names else run}: they are damaged, or "
            "another version of this program wrote them. Evaluate again in a new run. The other "
            "runs are not affected."
        ) from error
