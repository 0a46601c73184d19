"""The SQLite files of an index: labels, reviews, runs, and replies of a model.

They change between builds, and a checksum of the whole file with each write would make writes as
slow as the file is large. So SQLite checks its own structure, and the file is compared with what it
was when it was last verified, if it has not been written since: each write counts up a number in
its header, and damage does not. A file with a write-ahead log has no such number. Two changes that
do not count are no damage either: a transaction that was rolled back may have used free pages, and
a file that was deleted and made again may have been written as often (its header has another id).
"""

import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from core.places import write_whole
from core.store.integrity.checksums import FOLDER, DamagedFile

ENDING = ".sqlite"
# Of the header: what may read it, 2 where there is a write-ahead log; how many transactions have
# changed the file; the id that `core.store.locking.sqlite_file` gives each file; the size of a
# page; the first page that lists free pages. See https://www.sqlite.org/fileformat2.html.
_READ_VERSION, _COUNTER, _ID = 19, slice(24, 28), slice(68, 72)
_PAGE_SIZE, _FREE = slice(16, 18), slice(32, 36)
_HEADER = 100
_LARGEST_PAGE = 65_536  # which the header calls 1
_WITH_LOG = 2
_NO_DAMAGE = {
    sqlite3.SQLITE_BUSY,  # a process that writes for so long finds damage itself
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
}
_PATIENCE = 30.0  # seconds to wait for a process that writes


def database_files(folder: Path) -> list[Path]:
    """Return the SQLite files of the index in `folder`."""
    return sorted(folder.glob(f"*{ENDING}"))


def damaged_databases(folder: Path) -> Iterator[DamagedFile]:
    """Yield the damaged SQLite files, and store the digests of the others for next time."""
    for file in database_files(folder):
        if problem := _problem(file, folder / FOLDER / f"{file.name}.seen"):
            yield DamagedFile(file.name, file.name, problem)


def _problem(file: Path, seen: Path) -> str:
    """Describe the damage of a file; empty if there is none.

    Parameters
    ----------
    seen : its state when it was last verified: number of writes, file id, and the SHA-256 of the
        pages in use.
    """
    try:
        uri = f"{file.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=_PATIENCE)) as opened:
            opened.execute("BEGIN")  # nobody writes meanwhile
            (verdict,) = opened.execute("PRAGMA integrity_check(1)").fetchone()
            if verdict != "ok":
                return f"SQLite says: {verdict}"
            with file.open("rb") as content:
                header = content.read(_HEADER)
                if len(header) < _HEADER:  # nothing was written yet
                    return ""
                if header[_READ_VERSION] == _WITH_LOG:
                    return ""
                counter = f"{header[_COUNTER].hex()}-{header[_ID].hex()}"
                now = f"{counter} {_digest_of_used(content, header)}"
    except sqlite3.Error as error:
        return "" if error.sqlite_errorcode & 0xFF in _NO_DAMAGE else f"SQLite says: {error}"
    with suppress(OSError):  # not verified before, or nobody may write here
        if seen.exists() and (before := seen.read_text()).startswith(f"{counter} "):
            return "" if before == now else "it has changed since it was last verified"
        seen.parent.mkdir(exist_ok=True)
        write_whole(seen, now.encode())
    return ""


def _digest_of_used(content: BinaryIO, header: bytes) -> str:
    """Hash the pages that are not free (SHA-256)."""
    size = int.from_bytes(header[_PAGE_SIZE])
    size = _LARGEST_PAGE if size == 1 else size
    free = set(_free_pages(content, size, int.from_bytes(header[_FREE])))
    digest, number = sha256(), 1
    content.seek(0)
    while page := content.read(size):
        if number not in free:
            digest.update(page)
        number += 1
    return digest.hexdigest()


def _free_pages(content: BinaryIO, size: int, trunk: int) -> Iterator[int]:
    """Yield the numbers of the free pages, by following the list of trunk pages."""
    while trunk:
        content.seek((trunk - 1) * size)
        trunk, count, *free = struct.unpack(f">{size // 4}I", content.read(size // 4 * 4))
        yield from free[:count]
