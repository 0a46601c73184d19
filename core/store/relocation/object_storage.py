"""Rename and delete an index in object storage.

Object storage cannot rename. An index is copied, and the originals are deleted afterwards. Another
process may take the lock over at any time meanwhile and write acknowledged changes, so

- what is copied is only ever created at the target, never written over what is there;
- the originals of the records and of the small files are emptied under the condition that they are
  what was copied; emptying the record `published.json` decides that the index has moved;
- the rest is deleted only if it is what was listed, after the lock was confirmed once more.

What appeared or changed meanwhile stays where it is, and an error says so.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime

from core.errors import LockLost, StoreError
from core.places import Outdated, Remote, Version
from core.places.remote import Found
from core.store.locking.object_lock import is_lock
from core.store.locking.writer_lock import confirm_lock, discard_lock
from core.store.records.record import GONE, PUBLISHED, read_record

_AT_ONCE = 16  # objects that are copied
_TRIES = 5
_NAMED = 5  # objects that an error names
_TABLES = (".lance/", "unfinished/", "replies/")
_OLD_RECORD = "meta.lance/"  # readers go by it where there is no record


def move_objects(source: Remote, target: Remote) -> None:
    """Move the index at `source` to `target`; the caller holds both locks.

    Raises
    ------
    LockLost : another process has taken a lock over. If `source` was changed, it stays as it is.
    StoreError : there is something at `target`, or objects of `source` appeared meanwhile.
    """
    if any(not is_lock(each.place.name) for each in target.walk()):
        raise StoreError(f"An index named {target.name} already exists. Choose another name.")
    listed = [each for each in source.walk() if not is_lock(each.place.name)]
    confirm_lock(source)
    move = _Move(source, target)
    tables = [each for each in listed if _is_table(_name(each, source))]
    try:
        move.copy(listed)
    except (Outdated, LockLost) as error:
        raise _not_moved(source, target, undone=move.undo()) from error
    except OSError:  # an object has gone, or the storage does not answer
        if not move.deciding:
            move.undo()
        raise
    discard_lock(source)
    with suppress(LockLost):  # what is left says so
        move.empty_files()
        _delete(source, [*tables, *move.emptied])
    if left := _remaining_objects(source):
        raise LockLost(
            f"{source.name} was renamed to {target.name}, but another process took over the "
            f"lock on {source.name} or changed it in the meantime. {_named(left, source)} "
            f"stayed there. Check {source.name} before you delete it."
        )


def remove_objects(place: Remote) -> None:
    """Delete an index; the caller holds its lock.

    Raises
    ------
    LockLost : another process has taken the lock over; what it wrote stays.
    """
    listed = [each for each in place.walk() if not is_lock(each.place.name)]
    record = _version_of(place / PUBLISHED)
    confirm_lock(place)
    try:
        version = (place / PUBLISHED).replace(GONE, record)
    except Outdated:
        confirm_lock(place)
        raise LockLost(
            f"{place.name} was not deleted because another process changed it in the "
            "meantime. Check it before you delete it."
        ) from None
    discard_lock(place)
    rest = [each for each in listed if each.place.name != PUBLISHED]
    with suppress(LockLost):  # what is left says so
        _delete(place, [*rest, _empty_object(place / PUBLISHED, version)])
    if left := _remaining_objects(place):
        raise LockLost(
            f"{place.name} was deleted, but another process took over the lock or changed it "
            f"in the meantime. {_named(left, place)} stayed there. Delete it again to remove "
            "the rest."
        )


class _Move:
    """The objects copied from `source` to `target` so far.

    Attributes
    ----------
    deciding : whether the original of the record may have been emptied.
    """

    def __init__(self, source: Remote, target: Remote) -> None:
        self.deciding = False
        self.emptied: list[Found] = []
        self._source = source
        self._target = target
        self._made: list[Remote] = []
        self._files: dict[str, tuple[Version, Version]] = {}  # of the original, and of the copy
        self._record: Version | None = None

    def copy(self, objects: Iterable[Found]) -> None:
        """Copy all objects, the published record last, and empty the original record.

        Raises
        ------
        Outdated, LockLost : another process has written one of the places, or may write it now.
        """
        names = [_name(each, self._source) for each in objects]
        tables = [name for name in names if _is_table(name)]
        self._copy_tables(name for name in tables if not name.startswith(_OLD_RECORD))
        for name in names:
            if not _is_table(name) and name != PUBLISHED:
                self._copy_file(name)
        self._copy_tables(name for name in tables if name.startswith(_OLD_RECORD))
        self._publish()

    def _copy_tables(self, names: Iterable[str]) -> None:
        """Copy objects that are written once."""

        def copy(name: str) -> None:
            (self._source / name).copy(self._target / name)
            self._made.append(self._target / name)

        with ThreadPoolExecutor(_AT_ONCE) as copiers:
            list(copiers.map(copy, names))

    def _copy_file(self, name: str) -> None:
        """Copy an object that may be written at any time."""
        with suppress(FileNotFoundError):  # deleted since it was listed
            original = (self._source / name).read()
            copy = (self._target / name).replace(original.content, None)
            self._made.append(self._target / name)
            self._files[name] = original.version, copy

    def _publish(self) -> None:
        """Copy the record and empty the original, so that readers switch to the target."""
        original, copied = self._source / PUBLISHED, self._target / PUBLISHED
        before = None
        with suppress(FileNotFoundError):
            content = original.read()
            before = content.version
            self._record = copied.replace(content.content, None)
            self._made.append(copied)
        confirm_lock(self._source)
        self.deciding = True
        self.emptied.append(_empty_object(original, original.replace(GONE, before)))

    def empty_files(self) -> None:
        """Empty the originals of small files, after copying what was written since."""
        for name in self._new_files():
            self._copy_file(name)
        for name in list(self._files):
            for _ in range(_TRIES):
                original, copy = self._files[name]
                place = self._source / name
                try:
                    self.emptied.append(_empty_object(place, place.replace(GONE, original)))
                    break
                except Outdated:
                    if not self._copied_again(name, copy):
                        break

    def _new_files(self) -> list[str]:
        names = [_name(each, self._source) for each in _remaining_objects(self._source)]
        known = {*self._files, PUBLISHED}
        return [name for name in names if not _is_table(name) and name not in known]

    def _copied_again(self, name: str, copy: Version) -> bool:
        """Copy a changed file once more, and return whether the copy was unchanged."""
        try:
            original = (self._source / name).read()
            version = (self._target / name).replace(original.content, copy)
        except (FileNotFoundError, Outdated):
            return False
        self._files[name] = original.version, version
        return True

    def undo(self) -> bool:
        """Delete the copies, and return whether that was done.

        The copies stay if another process has taken over the target, or if the original is gone.
        """
        with suppress(OSError, LockLost):
            if read_record(self._source, PUBLISHED).content == GONE:
                return False
            made = set(self._made)
            copies = [each for each in self._target.walk() if each.place in made]
            if self._record:
                gone = (self._target / PUBLISHED).replace(GONE, self._record)
                copies.append(_empty_object(self._target / PUBLISHED, gone))
            discard_lock(self._target)
            _delete(self._target, copies)
            return True
        return False


def _delete(place: Remote, objects: Sequence[Found]) -> None:
    """Delete the objects that have not changed since; the locks of others are deleted last."""
    locks = [each for each in place.walk() if is_lock(each.place.name)]
    kept = {place / "writer.lock"}
    confirm_lock(place)
    place.remove_listed(each for each in objects if each.place.name != PUBLISHED)
    place.remove_listed(each for each in objects if each.place.name == PUBLISHED)
    place.remove_listed(each for each in locks if each.place not in kept)


def _remaining_objects(place: Remote) -> list[Found]:
    return [each for each in place.walk() if not is_lock(each.place.name)]


def _named(objects: Sequence[Found], place: Remote) -> str:
    names = [_name(each, place) for each in objects[:_NAMED]]
    more = len(objects) - len(names)
    return ", ".join(names) + (f" and {more} more objects" if more else "")


def _name(found: Found, place: Remote) -> str:
    return str(found.place).removeprefix(f"{place}/")


def _is_table(name: str) -> bool:
    """Check whether an object is written once and never changed."""
    first = f"{name.partition('/')[0]}/"
    return "/" in name and first.endswith(_TABLES)


def _version_of(place: Remote) -> Version | None:
    """Return the version of an object, or None if it does not exist."""
    try:
        return place.read().version
    except FileNotFoundError:
        return None


def _empty_object(place: Remote, version: Version) -> Found:
    return Found(place, 0, datetime.now(UTC), version.e_tag)


def _not_moved(source: Remote, target: Remote, *, undone: bool) -> LockLost:
    """Return the error for a move that another process interrupted."""
    copied = "" if undone else f" {target.name} may contain an earlier copy of it."
    return LockLost(
        f"Could not rename {source.name} to {target.name}: this process was paused or cut off "
        f"for too long, and another process took over. {source.name} is as that process left "
        f"it.{copied} Wait for the other process to finish, then start again."
    )
