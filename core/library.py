"""The indexes under one folder: listed, named, renamed and deleted."""

import os
import re
import shutil
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from core.errors import IndexLocked, IndexMissing, InputError, StoreError
from core.jobs import JobState, evaluation_place, recorded_files, state
from core.models.kept.replies import FILE as REPLIES
from core.settings import settings
from core.store.lock import holder, is_locked, writer_lock
from core.store.meta import Meta
from core.store.tables import last_meta
from core.uploads import delete_uploads

MAX_NAME = 80  # characters
_MAX_BYTES = 240  # of a file name, on every file system in use
_SLUG = 60


@dataclass(frozen=True, slots=True)
class Listed:
    """An index of the list.

    `meta` and `finished_at` (UTC) are of the last finished version, None if no build has finished
    or it cannot be read. `job` is the last one that was started. `problem` says what is wrong with
    it and what to do; it is empty when the index can be opened. `damaged` when a finished version
    is there that cannot be read.
    """

    name: str
    path: Path
    meta: Meta | None
    size_bytes: int
    finished_at: datetime | None
    job: JobState | None
    problem: str
    damaged: bool = False


def entries(root: Path) -> list[Listed]:
    """All indexes under `root`, the one that changed last first. A damaged one is listed too."""
    try:
        names = [each.name for each in root.iterdir() if each.is_dir() and each.name[0] != "."]
        folders = [root / name for name in names if is_taken(root, name)]
    except OSError:  # nothing was built yet, or nobody may look
        return []
    return sorted(map(_entry, folders), key=_age, reverse=True)


def is_taken(root: Path, name: str) -> bool:
    """Whether there is an index called `name`.

    A folder with nothing but a model's replies is none yet: a pilot was asked before its build.
    """
    path = root / name
    if not path.is_dir():
        return path.exists()
    try:
        inside = [each.name for each in path.iterdir()]
    except OSError:  # deleted at this moment, or nobody may look
        return True
    return not inside or not all(each.startswith(REPLIES) for each in inside)


def folder(root: Path, name: str) -> Path:
    """The folder of the index called `name`.

    Raises
    ------
    InputError : no index can have that name.
    IndexMissing : there is none.
    """
    path = root / checked_name(name)
    if not path.is_dir():
        raise IndexMissing(f"There is no index called {name!r}. Choose one of the list.")
    return path


def rename(root: Path, old: str, new: str) -> Path:
    """Call the index `old` from now on `new`; returns its folder.

    Raises
    ------
    InputError : `new` is no name for an index, or it is taken.
    IndexMissing : there is no index `old`.
    IndexLocked : it is being written.
    """
    source, target = folder(root, old), root / checked_name(new.strip())
    if target.exists() or target.is_symlink():
        raise InputError(f"There is an index called {target.name!r} already. Choose another name.")
    _need_no_evaluation(source)
    with writer_lock(source, "renaming it"):
        _move(source, target)
    return target


def delete(root: Path, name: str) -> None:
    """Delete an index, and the copies of uploaded files that its jobs read.

    Of an index that is a link to a folder elsewhere, only the link is deleted.

    Raises
    ------
    InputError : `name` is no name for an index.
    IndexMissing : there is none.
    IndexLocked : it is being written.
    """
    path = folder(root, name)
    _need_no_evaluation(path)
    if path.is_symlink():
        if is_locked(path):
            raise IndexLocked(f"{name} is being written: {holder(path)}. Wait or cancel it.")
        path.unlink()
        return
    uploads = recorded_files(path)
    gone = root / f".deleted-{uuid4().hex}"
    with writer_lock(path, "deleting it"):
        _move(path, gone)  # at once, so that nobody sees half of it
    try:
        shutil.rmtree(gone)
    except OSError as error:
        raise StoreError(
            f"{name} is gone from the list, but {error.filename} could not be deleted "
            f"({error.strerror}). Delete {gone} by hand."
        ) from error
    delete_uploads(uploads, settings().uploads)


def _need_no_evaluation(path: Path) -> None:
    """Raise IndexLocked while the index at `path` is being measured."""
    if is_locked(evaluation_place(path)):
        raise IndexLocked(
            f"{path.name} is being measured: {holder(evaluation_place(path))}. Wait or cancel it."
        )


def new_name(root: Path, wish: str) -> str:
    """A name that no index has yet, made of `wish`: letters, digits, and a number if need be."""
    plain = unicodedata.normalize("NFKC", wish).strip().lower()
    slug = re.sub(r"[^\w]+", "-", plain).strip("-_")[:_SLUG].strip("-_") or "index"
    slug = slug.encode()[:_SLUG].decode(errors="ignore")
    taken = {path.name for path in _inside(root) if is_taken(root, path.name)}
    taken |= {path.name for path in _inside(settings().uploads)}
    name, number = slug, 1
    while name in taken:
        number += 1
        name = f"{slug}-{number}"
    return name


def checked_name(name: str) -> str:
    """`name`, if an index can have it; InputError otherwise."""
    if not name.strip() or name != name.strip():
        raise _refused(name, "it is empty, or begins or ends with a space")
    if len(name) > MAX_NAME or len(name.encode(errors="replace")) > _MAX_BYTES:
        raise _refused(name[:20] + "…", f"it has more than {MAX_NAME} characters")
    if name.startswith(".") or "/" in name or "\\" in name or ".." in name:
        raise _refused(name, "it has a slash or two dots, or begins with a dot")
    if any(unicodedata.category(letter).startswith("C") for letter in name):
        raise _refused(name, "it has a character that cannot be seen")
    return name


def _refused(name: str, why: str) -> InputError:
    return InputError(
        f"{name!r} cannot be the name of an index: {why}. Use letters, digits, spaces and hyphens."
    )


def _entry(path: Path) -> Listed:
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
        size_bytes=_size(path),
        finished_at=datetime.fromisoformat(meta.finished_at) if meta else None,
        job=job,
        problem=damage or ("" if meta else _unfinished(job)),
        damaged=bool(damage),
    )


def _unfinished(job: JobState | None) -> str:
    if job is None:
        return "No build has finished here. Build it, or delete it."
    match job.status:
        case "running":
            return "Its first build is running."
        case "cancelled":
            return "Its build was stopped. Resume it, or delete it."
        case _:
            return f"Its build did not finish. {job.message}"


def _age(entry: Listed) -> datetime:
    moments = [entry.finished_at, entry.job.last_progress_at if entry.job else None]
    try:
        made = datetime.fromtimestamp(entry.path.stat().st_mtime, UTC)
    except OSError:  # deleted at this moment
        made = datetime.fromtimestamp(0, UTC)
    return max((moment for moment in moments if moment), default=made)


def _size(path: Path) -> int:
    """Bytes of all files in the folder; links are not followed."""
    total, waiting = 0, [str(path)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as found:
                for each in found:
                    if each.is_dir(follow_symlinks=False):
                        waiting.append(each.path)
                    else:
                        total += each.stat(follow_symlinks=False).st_size
        except OSError:  # deleted at this moment, by a build that tidies up
            continue
    return total


def _inside(place: Path) -> list[Path]:
    return list(place.iterdir()) if place.is_dir() else []


def _move(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except OSError as error:
        raise StoreError(
            f"{source} cannot be moved ({error.strerror}). Make {source.parent} writable."
        ) from error
