"""What cannot be read of a run, said by its name and with what mends it."""

from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import RunUnreadable
from core.store.small import SmallFile


@contextmanager
def reading(file: SmallFile, run: str) -> Iterator[None]:
    """Inside, values of `run` are made of what `file` holds.

    Raises
    ------
    RunUnreadable : for any ValueError, KeyError or TypeError.
    """
    try:
        yield
    except (ValueError, KeyError, TypeError) as error:
        names = [name for (name,) in file.read("SELECT name FROM runs WHERE id = ?", run)]
        raise RunUnreadable(
            f"Some of what was measured in {names[0] if names else run} cannot be read: it is "
            "damaged, or another version of this program wrote it. Measure it again, which makes a "
            "new run; the other runs are as they were."
        ) from error
