"""Checkpoints of a build: finished parts of a long stage, for a resumed build.

Each is a file named by a hash of its input, in a folder that is deleted when a version is
published. Several processes may write at the same time; files are written atomically.
"""

import shutil
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import pyarrow as pa

from core.errors import StoreError
from core.places import Place, Remote, write_whole
from core.store.locking.writer_lock import confirm_lock

FOLDER = "unfinished"
_DIGEST = 16  # bytes at the end of each file: damage must not change a graph silently
_PACKED = pa.ipc.IpcWriteOptions(compression="zstd")


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The checkpoints of the build of the index at `index`."""

    index: Place

    def find(self, name: str) -> pa.Table | None:
        """Return the checkpoint called `name`; None if it is missing or damaged."""
        with suppress(OSError, pa.ArrowInvalid):
            content = self._place(name).read_bytes()
            table, digest = content[:-_DIGEST], content[-_DIGEST:]
            if _digest(table) == digest:
                return pa.ipc.open_file(pa.py_buffer(table)).read_all()
        return None

    def keep(self, name: str, table: pa.Table) -> None:
        """Write a checkpoint to disk before returning.

        Raises
        ------
        StoreError : it cannot be written.
        """
        content = pa.BufferOutputStream()
        with pa.ipc.new_file(content, table.schema, options=_PACKED) as stream:
            stream.write_table(table)
        try:
            self._write(name, content.getvalue().to_pybytes())
        except OSError as error:
            raise StoreError(
                f"{self.index} cannot be written ({error.strerror}). Fix the problem and resume."
            ) from error

    def forget(self) -> None:
        """Delete all checkpoints after publishing.

        Raises
        ------
        LockLost : another process has taken the writer's lock.
        """
        folder = self.index / FOLDER
        if isinstance(folder, Remote):
            listed = list(folder.walk())
            confirm_lock(self.index)
            folder.remove_listed(listed)
        else:
            shutil.rmtree(folder, ignore_errors=True)

    def _place(self, name: str) -> Place:
        return self.index / FOLDER / f"{name}.arrow"

    def _write(self, name: str, content: bytes) -> None:
        """Write the content with its checksum, all or nothing."""
        place = self._place(name)
        if isinstance(place, Path):
            place.parent.mkdir(exist_ok=True)
        write_whole(place, content + _digest(content))


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_DIGEST).digest()
