"""Tables of a build that is not published: what it has finished of a stage that can die halfway.

A file each, named by what it was made from, in a folder of the index that goes when a version is
published. Any number of processes may write it, each file whole or not at all.
"""

import shutil
from contextlib import suppress
from dataclasses import dataclass
from uuid import uuid4

import pyarrow as pa

from core.errors import StoreError
from core.places import Place, Remote
from core.store.lock import confirm_lock

FOLDER = "unfinished"
_PACKED = pa.ipc.IpcWriteOptions(compression="zstd")


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The finished parts of the build of the index at `index`."""

    index: Place

    def find(self, name: str) -> pa.Table | None:
        """What was kept under `name`; None if there is nothing that can be read."""
        with suppress(OSError, pa.ArrowInvalid):
            return pa.ipc.open_file(pa.py_buffer(self._place(name).read_bytes())).read_all()
        return None

    def keep(self, name: str, table: pa.Table) -> None:
        """Have it found under `name`, on return even if this process dies.

        Raises
        ------
        StoreError : it cannot be written.
        """
        content = pa.BufferOutputStream()
        with pa.ipc.new_file(content, table.schema, options=_PACKED) as stream:
            stream.write_table(table)
        try:
            _write(self._place(name), content.getvalue().to_pybytes())
        except OSError as error:
            raise StoreError(
                f"{self.index} cannot be written ({error.strerror}). Mend that, and resume."
            ) from error

    def forget(self) -> None:
        """Delete all of it: it has been published. LockLost if another process took the lock."""
        folder = self.index / FOLDER
        if isinstance(folder, Remote):
            listed = list(folder.walk())
            confirm_lock(self.index)
            folder.remove_listed(listed)
        else:
            shutil.rmtree(folder, ignore_errors=True)

    def _place(self, name: str) -> Place:
        return self.index / FOLDER / f"{name}.arrow"


def _write(place: Place, content: bytes) -> None:
    if isinstance(place, Remote):
        place.write_bytes(content)
        return
    place.parent.mkdir(exist_ok=True)
    half = place.with_suffix(f".{uuid4().hex}")
    half.write_bytes(content)
    half.replace(place)
