"""The columns of a table of numbers as files of this machine, mapped into memory.

Processes that read the same version of an index share them. They lie in HOPRAG_HOME, since the
folder of an index may be one that nobody may write, or no folder at all.
"""

import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from core.settings import make_folder, settings
from core.store.adjacency import Ints
from core.store.tables import Tables

_UNUSED = 30 * 24 * 3600  # seconds, after which the files of a version go


def mapped(tables: Tables, name: str) -> Mapping[str, Ints]:
    """The columns of a table of numbers without gaps. Made at the first call for a version.

    Where nobody may write into HOPRAG_HOME, they are read into memory.
    """
    place = settings().home / "cache" / name / _key(tables, name)
    with suppress(OSError):
        if not place.is_dir():
            _make(place, _read(tables, name))
        place.touch()
        return {file.stem: _opened(file) for file in place.glob("*.npy")}
    return _read(tables, name)


def _key(tables: Tables, name: str) -> str:
    """Of this version alone: of the same graph passages may lie in another order."""
    meta = tables.meta
    told = f"{meta.graph_version} {meta.finished_at} {meta.versions[name]}"
    return blake2b(told.encode(), digest_size=12).hexdigest()


def _read(tables: Tables, name: str) -> dict[str, Ints]:
    table = tables.read(name)
    return {column: table[column].to_numpy() for column in table.column_names}


def _opened(file: Path) -> Ints:
    # A plain array over the mapped file: each slice of a memmap costs ten times as much.
    found: NDArray[np.int32] = np.load(file, mmap_mode="r").view(np.ndarray)
    return found


def _make(place: Path, columns: Mapping[str, Ints]) -> None:
    """At once, so that nobody sees half of them."""
    make_folder(place.parent)
    _tidy(place.parent)
    half = place.parent / f".{uuid4().hex}"
    half.mkdir()
    try:
        for column, values in columns.items():
            np.save(half / f"{column}.npy", values)
        with suppress(OSError):  # another process was faster
            half.rename(place)
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _tidy(folder: Path) -> None:
    for place in folder.iterdir():
        with suppress(OSError):
            if time.time() - place.stat().st_mtime > _UNUSED:
                shutil.rmtree(place)
