"""Replace a record of an index, as the holder of the writer's lock."""

from collections.abc import Callable
from contextlib import suppress

from core.errors import LockLost, StoreError
from core.places import Outdated, Place, Remote
from core.store.integrity.damage import reading
from core.store.locking.writer_lock import confirm_lock, token_of
from core.store.records.record import Read, Record, read_record, write_record

_TRIES = 3


def commit(place: Place, name: str, change: Callable[[str | None], str | None]) -> None:
    """Replace the content of the record `name`, all or nothing.

    Parameters
    ----------
    change : returns the new content from the old one, which is None before the first publication.

    Raises
    ------
    LockLost : another process has taken the writer's lock and may have changed the record.
    StoreError : the record is damaged or cannot be written.
    """
    for _ in range(_TRIES):
        with reading(place):
            read = read_record(place, name)
            before = read.record or Record()
        after = Record(token_of(place) or before.token, change(before.content))
        if after.token < before.token:
            raise _changed_by_another(place, name)
        confirm_lock(place)
        try:
            made = write_record(place, name, after, read)
        except Outdated:
            confirm_lock(place)  # if it is still held, whoever lost the lock has written just now
            continue
        except OSError as error:
            raise StoreError(
                f"{place / name} cannot be written ({error.strerror}). Fix the problem and start "
                "again."
            ) from error
        if read.content is None and isinstance(place, Remote):
            _keep_or_withdraw(place, name, made)
        return
    raise _changed_by_another(place, name)


def reset(place: Place, name: str, content: str | None) -> None:
    """Replace a record regardless of its content, even if it is damaged.

    LockLost if another process has taken the writer's lock.
    """
    read = read_record(place, name)
    confirm_lock(place)
    try:
        write_record(place, name, Record(token_of(place), content), read)
    except Outdated:
        raise _changed_by_another(place, name) from None


def _keep_or_withdraw(place: Place, name: str, made: Read) -> None:
    """Empty a newly `made` record if the lock was lost meanwhile.

    A missing record cannot fence off other writers: the index may have been built and deleted
    between the last confirmation and this write.
    """
    try:
        confirm_lock(place)
    except LockLost:
        with suppress(Outdated):  # it was replaced already
            write_record(place, name, Record(gone=True), made)
        raise


def _changed_by_another(place: Place, name: str) -> LockLost:
    """Return the error for a record that another process changed meanwhile."""
    return LockLost(
        f"Could not change {place.name}: another process changed {name} in the meantime. "
        "Nothing else was changed. Wait for the other process to finish, then start again."
    )
