"""The indexes under one folder, or one URI: listed, named, renamed and deleted."""

import os
import re
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.errors import IndexLocked, IndexMissing, InputError, StoreError
from core.jobs import JobState, evaluation_place, recorded_files, state
from core.library.uploads import delete_uploads
from core.models.kept.stored_replies import FOLDER as REPLIES
from core.places import Place, Remote, place_of
from core.settings import settings
from core.store.integrity.damage import reading
from core.store.locking.writer_lock import holder, is_locked, writer_lock
from core.store.metadata import Meta
from core.store.relocation.index_files import move, names_in, remove, size_of
from core.store.tables import last_meta

MAX_NAME = 80  # characters
_MAX_BYTES = 240  # of a file name, on every file system in use
_SLUG = 60
_AT_ONCE = 16  # indexes that are looked at


@dataclass(frozen=True, slots=True)
class Listed:
    """An index of the list.

    `meta` and `finished_at` (UTC) are of the last finished version, None if no build has finished
    or it cannot be read. `job` is the last one that was started. `problem` says what is wrong with
    it and what to do; it is empty when the index can be opened. `damaged` when a finished version
    is there that cannot be read.
    """

    name: str
    path: Place
    meta: Meta | None
    size_bytes: int
    finished_at: datetime | None
    job: JobState | None
    problem: str
    damaged: bool = False


def entries(root: Place, looked_at: Callable[[Place], Listed] | None = None) -> list[Listed]:
    """Return all indexes under `root`, the one that changed last first.

    A damaged one is listed too.

    Parameters
    ----------
    looked_at : does what `look` does, and may know an index already.

    Raises
    ------
    StoreError : the object storage behind it cannot be used.
    """
    looked_at = looked_at or look
    places = [root / name for name in names_in(root) if _is_index(root, name)]
    if isinstance(root, Remote):  # each waits for a dozen answers
        with ThreadPoolExecutor(_AT_ONCE) as readers:
            listed = list(readers.map(looked_at, places))
    else:
        listed = list(map(looked_at, places))
    return sorted(listed, key=_last_change, reverse=True)


def find(text: str) -> Place:
    """Return the place that `text` names: a folder, a URI, or an index shown in the app.

    Raises
    ------
    InputError : it is no possible name of an index.
    """
    path = place_of(text)
    if isinstance(path, Remote):
        return path
    if path.is_dir() or path.is_absolute() or os.sep in text or text in (".", ".."):
        return path
    return place(settings().indexes, text)


def holds(root: Place, name: str) -> bool:
    """Return whether `entries` of `root` has one called `name`, which may be any text."""
    return name in names_in(root) and _is_index(root, name)


def _is_index(root: Place, name: str) -> bool:
    return name[0] != "." and is_taken(root, name)


def is_taken(root: Place, name: str) -> bool:
    """Check whether an index called `name` exists.

    A folder with nothing but a model's replies is none yet: a pilot was asked before its build.
    """
    path = root / name
    if isinstance(path, Path) and not path.is_dir():
        return path.exists()
    try:
        inside = [each.name for each in path.iterdir()]
    except OSError:  # deleted at this moment, or nobody may look
        return True
    if not inside:
        return isinstance(path, Path)
    return not all(each.startswith(REPLIES) for each in inside)


def folder(root: Place, name: str) -> Place:
    """Return the place of the index called `name`.

    Raises
    ------
    InputError : no index can have that name.
    IndexMissing : there is none.
    """
    path = place(root, name)
    if not _is_there(path):
        raise IndexMissing(f"No index named {name!r}. Choose one from the list.")
    return path


def place(root: Place, name: str) -> Place:
    """Return the path for an index called `name`; InputError if the name is invalid."""
    path = root / checked_name(name)
    if isinstance(path, Remote):
        place_of(str(path))
    return path


def _is_there(path: Place) -> bool:
    with reading(path):
        return path.is_dir()


def rename(root: Place, old: str, new: str) -> Place:
    """Call the index `old` from now on `new`; returns its place.

    Raises
    ------
    InputError : `new` is no name for an index, or it is taken.
    IndexMissing : there is no index `old`.
    IndexLocked : it is being written.
    LockLost : another process has taken the lock over and changed the index, which stays.
    """
    source, target = folder(root, old), place(root, new.strip())
    if _is_there(target) or (isinstance(target, Path) and os.path.lexists(target)):
        raise InputError(f"An index named {target.name!r} already exists. Choose another name.")
    _need_no_evaluation(source)
    with writer_lock(source, "renaming it"):
        move(source, target)
    return target


def delete(root: Place, name: str) -> None:
    """Delete an index, and the copies of uploaded files that its jobs read.

    Of an index that is a link to a folder elsewhere, only the link is deleted.

    Raises
    ------
    InputError : `name` is no name for an index.
    IndexMissing : there is none.
    IndexLocked : it is being written.
    LockLost : another process has taken the lock over and changed the index, which stays.
    """
    path = folder(root, name)
    _need_no_evaluation(path)
    if isinstance(path, Path) and path.is_symlink():
        if is_locked(path):
            raise IndexLocked(f"{name} is being written: {holder(path)}. Wait or cancel it.")
        path.unlink()
        return
    with writer_lock(path, "deleting it"):
        uploads = recorded_files(path)
        remove(path)
    delete_uploads(uploads, settings().uploads)


def _need_no_evaluation(path: Place) -> None:
    """Raise IndexLocked while the index at `path` is being measured."""
    if is_locked(evaluation_place(path)):
        raise IndexLocked(
            f"{path.name} is being evaluated: {holder(evaluation_place(path))}. Wait or cancel it."
        )


def new_name(root: Place, wish: str) -> str:
    """Return a name that no index has yet, made of `wish`: letters, digits, and a number if need
    be.
    """
    plain = unicodedata.normalize("NFKC", wish).strip().lower()
    slug = re.sub(r"[^\w]+", "-", plain).strip("-_")[:_SLUG].strip("-_") or "index"
    slug = slug.encode()[:_SLUG].decode(errors="ignore")
    taken = {name for name in names_in(root) if is_taken(root, name)}
    taken |= set(names_in(settings().uploads))
    name, number = slug, 1
    while name in taken or is_taken(root, name):
        number += 1
        name = f"{slug}-{number}"
    return name


def checked_name(name: str) -> str:
    """`name`, if an index can have it; InputError otherwise."""
    if not name.strip() or name != name.strip():
        raise _invalid_name(name, "it is empty, or begins or ends with a space")
    if len(name) > MAX_NAME or len(name.encode(errors="replace")) > _MAX_BYTES:
        raise _invalid_name(name[:20] + "…", f"it has more than {MAX_NAME} characters")
    if name.startswith(".") or "/" in name or "\\" in name or ".." in name:
        raise _invalid_name(name, "it has a slash or two dots, or begins with a dot")
    if any(unicodedata.category(letter).startswith("C") for letter in name):
        raise _invalid_name(name, "it contains an invisible character")
    return name


def _invalid_name(name: str, why: str) -> InputError:
    return InputError(
        f"{name!r} cannot be the name of an index: {why}. Use letters, digits, spaces and hyphens."
    )


def look(path: Place) -> Listed:
    """Return the catalogue entry of the index at `path`."""
    meta, damage = None, ""
    try:
        meta = last_meta(path)
    except StoreError as error:
        damage = str(error)
    job = state(path)
    return Listed(
        name=path.name,
        path=path,
        meta=meta,
        size_bytes=size_of(path),
        finished_at=datetime.fromisoformat(meta.finished_at) if meta else None,
        job=job,
        problem=damage or ("" if meta else _unfinished(job)),
        damaged=bool(damage),
    )


def _unfinished(job: JobState | None) -> str:
    """Describe an index without a finished build."""
    if job is None:
        return "No build has finished here. Build it, or delete it."
    match job.status:
        case "running":
            return "Its first build is running."
        case "cancelled":
            return "Its build was stopped. Resume it, or delete it."
        case _:
            return f"Its build did not finish. {job.message}"


def _last_change(entry: Listed) -> datetime:
    """Return the time of an entry's last change, by which entries are sorted.

    It is the latest of job and build times; the folder's own time if there are none.
    """
    moments = [entry.finished_at, entry.job.last_progress_at if entry.job else None]
    made = datetime.fromtimestamp(0, UTC)
    if isinstance(entry.path, Path):
        with suppress(OSError):  # deleted at this moment
            made = datetime.fromtimestamp(entry.path.stat().st_mtime, UTC)
    return max((moment for moment in moments if moment), default=made)
