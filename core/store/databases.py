"""The SQLite files of an index: labels, reviews, runs, and replies of a model.

They change between builds, and a checksum of the whole file with each write would make writes as
slow as the file is large. So SQLite checks its own structure, and the file is compared with what it
was when it was last verified, if it has not been written since: each write counts up a number in
its header, and damage does not. A file with a write-ahead log has no such number.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from core.places import write_whole
from core.store.checksums import FOLDER, DamagedFile, digest_of

ENDING = ".sqlite"
# Of the header: what may read it, 2 where there is a write-ahead log; how many transactions have
# changed the file.
_READ_VERSION, _COUNTER = 19, slice(24, 28)
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
    """Yield the SQLite files that are damaged, and remember what the others are."""
    for file in database_files(folder):
        if problem := _problem(file, folder / FOLDER / f"{file.name}.seen"):
            yield DamagedFile(file.name, file.name, problem)


def _problem(file: Path, seen: Path) -> str:
    """Return what is wrong with a file, or an empty string.

    Parameters
    ----------
    seen : what it was when it was last verified: the number of its writes, and its SHA-256.
    """
    try:
        uri = f"{file.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=_PATIENCE)) as opened:
            opened.execute("BEGIN")  # nobody writes meanwhile
            (told,) = opened.execute("PRAGMA integrity_check(1)").fetchone()
            if told != "ok":
                return f"SQLite says: {told}"
            with file.open("rb") as content:
                header = content.read(_COUNTER.stop)
            if len(header) < _COUNTER.stop:  # nothing was written yet
                return ""
            if header[_READ_VERSION] == _WITH_LOG:
                return ""
            counter = header[_COUNTER].hex()
            now = f"{counter} {digest_of(file)}"
    except sqlite3.Error as error:
        return "" if error.sqlite_errorcode & 0xFF in _NO_DAMAGE else f"SQLite says: {error}"
    with suppress(OSError):  # not verified before, or nobody may write here
        if seen.exists() and (before := seen.read_text()).startswith(f"{counter} "):
            return "" if before == now else "it has changed since it was last verified"
        seen.parent.mkdir(exist_ok=True)
        write_whole(seen, now.encode())
    return ""
