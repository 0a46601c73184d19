"""Copies of files that browsers sent, and when they go."""

import shutil
import time
from collections.abc import Collection, Iterable
from pathlib import Path

from core.jobs import recorded_files
from core.places import Place
from core.store.relocation.index_files import names_in

KEPT_SECONDS = 24 * 3600.0
"""How long files stay that no session and no index has any more."""


def sweep_uploads(uploads: Path, indexes: Place, live: Collection[Path]) -> None:
    """Delete the folders of uploads that are older than `KEPT_SECONDS` and that nobody has.

    Parameters
    ----------
    indexes : the folder of all indexes; what a job of one was given stays with it.
    live : the folders of sessions that are open.
    """
    before = time.time() - KEPT_SECONDS
    old = [each for each in _inside(uploads) if each not in live and _newest(each) < before]
    if not old:
        return
    kept = {file for name in names_in(indexes) for file in recorded_files(indexes / name)}
    for folder in old:
        if not any(file.is_relative_to(folder) for file in kept):
            shutil.rmtree(folder, ignore_errors=True)


def delete_uploads(files: Iterable[Path], uploads: Path) -> None:
    """Delete those of `files` that are copies of uploads, and the folders that this empties."""
    for file in files:
        inside = file.is_relative_to(uploads) and file.resolve().is_relative_to(uploads.resolve())
        if not inside or not file.is_file():
            continue
        file.unlink()
        parent = file.parent
        while parent != uploads and not any(parent.iterdir()):
            parent.rmdir()
            parent = parent.parent


def _inside(place: Path) -> list[Path]:
    """Return the folders in `place`; links are none."""
    try:
        return [each for each in place.iterdir() if each.is_dir() and not each.is_symlink()]
    except OSError:  # nothing was made there yet
        return []


def _newest(folder: Path) -> float:
    """When something last changed in it."""
    try:
        return max(each.lstat().st_mtime for each in (folder, *folder.rglob("*")))
    except OSError:  # deleted at this moment
        return time.time()
