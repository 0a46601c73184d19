"""Paths on the server, which are read only under the folders that HOPRAG_ROOTS names."""

import os
from collections.abc import Sequence
from pathlib import Path

from core.errors import InputError


def server_paths(text: str, roots: Sequence[Path]) -> list[Path]:
    """Return the files and folders that `text` names, one a line, with every link resolved.

    A relative path starts at the first root that has it.

    Raises
    ------
    InputError : no root is set, a path leads out of all of them, or there is nothing there.
    """
    if not roots:
        raise InputError(
            "Server folders are disabled. Set HOPRAG_ROOTS to the folders to allow, separated by "
            f"'{os.pathsep}', and restart the app."
        )
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise InputError("Enter files or folders on the server, one per line.")
    return [_resolve_under(line, [root.resolve() for root in roots]) for line in lines]


def is_inside(path: Path, folder: Path) -> bool:
    """Return whether `path`, with links resolved, is in `folder`."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # a loop of links, a name no file can have
        return False


def _resolve_under(line: str, roots: Sequence[Path]) -> Path:
    """Resolve a path that must be inside one of `roots`."""
    candidates = [root / line for root in roots]
    allowed = [
        path
        for path, root in ((path, root) for path in candidates for root in roots)
        if is_inside(path, root)
    ]
    if not allowed:
        raise InputError(
            f"{line} is not inside a folder listed in HOPRAG_ROOTS "
            f"({', '.join(map(str, roots))}). Move it there, or add its folder and restart "
            "the app."
        )
    folder = next((path for path in allowed if _exists(path)), None)
    if folder is None:
        raise InputError(f"{line} does not exist. Check the path.")
    return folder.resolve()


def _exists(path: Path) -> bool:
    """Return whether a path exists; False if the system cannot tell."""
    try:
        return path.exists()
    except OSError:  # a name that is too long, a folder that may not be entered
        return False
