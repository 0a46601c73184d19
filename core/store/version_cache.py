"""A local cache of values that take long to compute from a version of a large index.

Processes that read the same version share them. The cache is in HOPRAG_HOME, since an index may be
read-only or in object storage. If HOPRAG_HOME is read-only, too, each process computes the values
itself.
"""

import os
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from core.settings import make_folder, settings
from core.store.adjacency import Ints
from core.store.tables import Tables

_UNUSED = 30 * 24 * 3600  # seconds after which an unused version is deleted from the cache


def mapped(tables: Tables, name: str) -> Mapping[str, Ints]:
    """Return the columns of a numeric table without nulls, memory-mapped."""
    place = _folder(tables) / name
    with suppress(OSError):
        if not place.is_dir():
            _make(place, lambda half: _save(half, _read(tables, name)))
        return {file.stem: _mapped_array(file) for file in place.glob("*.npy")}
    return _read(tables, name)


def kept_text(tables: Tables, name: str, find_out: Callable[[], str]) -> str:
    """Return a cached short text, which `find_out` computes the first time."""
    place = _folder(tables) / name
    with suppress(OSError):
        return place.read_text()
    text = find_out()
    with suppress(OSError):
        _make(place, lambda half: half.write_text(text))
    return text


def _folder(tables: Tables) -> Path:
    """Return the cache folder of this version; another version may order passages otherwise."""
    meta = tables.meta
    state = f"{meta.graph_version} {meta.finished_at} {sorted(meta.versions.items())}"
    key = blake2b(state.encode(), digest_size=12).hexdigest()
    folder = settings().home / "cache" / key
    with suppress(OSError):  # it is not there yet
        os.utime(folder)
    return folder


def _read(tables: Tables, name: str) -> dict[str, Ints]:
    table = tables.read(name)
    return {column: table[column].to_numpy() for column in table.column_names}


def _save(folder: Path, columns: Mapping[str, Ints]) -> None:
    folder.mkdir()
    for column, values in columns.items():
        np.save(folder / f"{column}.npy", values)


def _mapped_array(file: Path) -> Ints:
    # A plain array over the mapped file: each slice of a memmap costs ten times as much.
    column: NDArray[np.int32] = np.load(file, mmap_mode="r").view(np.ndarray)
    return column


def _make(place: Path, write: Callable[[Path], object]) -> None:
    """Create `place` atomically with what `write` writes to the path it is given."""
    make_folder(place.parent)
    _delete_unused(place.parent.parent)
    half = place.parent / f".{uuid4().hex}"
    try:
        write(half)
        with suppress(OSError):  # another process was faster
            half.rename(place)
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _delete_unused(cache: Path) -> None:
    """Delete cached versions that were not used for a long time."""
    for folder in cache.iterdir():
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > _UNUSED:
                shutil.rmtree(folder)
