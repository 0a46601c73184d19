"""Reading files on Ray: each as in one process, by `core.corpus.reader_process.client`, and in
their order.

Files are read where a process runs, so every machine has to see them under the same name. What
they bring comes back to the process that begins the build, which tells documents from duplicates.
"""

import pickle
import socket
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import ray

from core.cluster.engine import Engine
from core.cluster.waiting import readable_errors
from core.corpus.file_contents import Limits
from core.corpus.files import File, Say, one_by_one
from core.corpus.reader_process.messages import Piece
from core.errors import InputError

FILES = 64  # maximum per batch; starting a reader process takes a quarter of a second
BYTES = 16 * 2**20  # approximate size of a batch

SeenFile = tuple[str, Path, bool]
"""Name and path of a file, and whether the process that starts the build can see it."""


def read_files(files: Sequence[File], limits: Limits, say: Say) -> Generator[Iterable[Piece]]:
    """Read files on Ray, in order; a counterpart of `core.corpus.files.one_by_one`.

    Raises
    ------
    InputError : a machine of the cluster cannot see a file.
    StoreError : Ray failed.
    """
    with readable_errors():
        engine = Engine(lambda: say(""))
        blocks = [ray.put(_packed(batch)) for batch in _batches(files)]
        for rows in engine.each(blocks, partial(read_batch, limits=limits), lambda _: say("")):
            yield from _unpacked(rows)


def read_batch(rows: pa.Table, limits: Limits) -> pa.Table:
    """Return the contents of each file of a batch."""
    return _packed(list(_read_batch(_unpacked(rows), limits)))


def _read_batch(batch: Sequence[SeenFile], limits: Limits) -> Iterator[list[Piece]]:
    """Read a batch of files on a worker; InputError if it cannot see a file."""
    for name, path, seen in batch:
        if seen and not path.exists():
            raise InputError(
                f"{socket.gethostname()} cannot see {name}. Every machine in the cluster "
                "reads the files. Put them in a folder that all machines share under the "
                "same path, or build without --on."
            )
    files = [(name, path) for name, path, _ in batch]
    yield from map(list, one_by_one(files, limits, _no_progress))


def _no_progress(name: str) -> None:
    """Ignore progress; the driver reports it."""


def _batches(files: Sequence[File]) -> Iterator[list[SeenFile]]:
    """Split files into batches of at most `FILES` files and about `BYTES` bytes."""
    batch: list[SeenFile] = []
    size = 0
    for name, path in files:
        seen, file_size = _seen_and_size(path)
        if batch and (len(batch) == FILES or size + file_size > BYTES):
            yield batch
            batch, size = [], 0
        batch.append((name, path.absolute(), seen))
        size += file_size
    if batch:
        yield batch


def _seen_and_size(path: Path) -> tuple[bool, int]:
    """Return whether the file can be seen, and its size in bytes."""
    try:
        return True, path.stat().st_size
    except (OSError, ValueError):  # the reader reports why
        return False, 0


def _packed(values: Sequence[object]) -> pa.Table:
    """Return a table of one cell that holds the pickled values."""
    return pa.table({"packed": pa.array([pickle.dumps(list(values))], pa.large_binary())})


def _unpacked(rows: pa.Table) -> list[Any]:
    objects: list[Any] = pickle.loads(rows["packed"][0].as_py())  # noqa: S301
    return objects
