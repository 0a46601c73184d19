"""A small SQLite file beside the tables of an index, for data that people enter.

A build replaces tables and leaves it alone; it is renamed and deleted with the index's folder. It
keeps SQLite's plain journal, not a write-ahead log, so that it is one file to copy, can be read in
a folder that nobody may write, and is safe where a network shares the folder. In object storage it
is one object: a copy is changed under a lock, and put back before the change counts.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from random import getrandbits
from typing import Any

from core.errors import StoreError
from core.places import Place, Remote
from core.store.locking import local_copy
from core.store.locking.writer_lock import confirm_all_locks

_PATIENCE = 30.0  # seconds to wait for another process that writes
_VERSION = 1


class SmallFile:
    """The file at `path`, created at the first write; opened anew for each access.

    Safe to share between threads and processes.

    Parameters
    ----------
    tables : the statements that make its tables.
    """

    def __init__(self, path: Place, tables: tuple[str, ...]) -> None:
        self.path = path
        self._tables = tables

    def read(
        self,
        statement: str,
        *values: object,
        prepare: Callable[[sqlite3.Connection], None] | None = None,
    ) -> list[tuple[Any, ...]]:
        """Return the rows that `statement` selects; none before the first write.

        Parameters
        ----------
        prepare : called with the connection first; may create temporary tables.

        Raises
        ------
        StoreError : the file is damaged, or a newer version of this program made it.
        """
        with self._as_store_error():
            path = self._current_path()
            if path is None:
                return []
            with closing(_opened(path, "rw")) as connection:
                if not self._has_tables(connection):
                    return []
                if prepare:
                    prepare(connection)
                return connection.execute(statement, values).fetchall()

    def stamp(self) -> str:
        """Return a text that changes whenever the file is written."""
        with self._as_store_error():
            if isinstance(self.path, Remote):
                copy = local_copy.current(self.path)
                return str(copy.version) if copy else ""
            if not self.path.exists():
                return ""
            status = self.path.stat()
            return f"{status.st_mtime_ns} {status.st_size}"

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Open the file in one transaction: all changes are stored, or none.

        Afterwards, the changes survive a crash of this process.

        Raises
        ------
        StoreError : as `read` does; or the disk is full, the file is read-only, or the index is
            gone.
        LockLost : another process has changed the file, or taken over a lock that this thread
            held; nothing is stored.
        """
        with (
            self._as_store_error(),
            self._changed() as path,
            closing(_opened(path, "rwc")) as connection,
        ):
            connection.execute("BEGIN IMMEDIATE")
            try:
                if not self._has_tables(connection):
                    for statement in self._tables:
                        connection.execute(statement)
                    connection.execute(f"PRAGMA user_version = {_VERSION}")
                    # Tells the file from an earlier one in its place
                    # (`core.store.integrity.sqlite_checks`).
                    connection.execute(f"PRAGMA application_id = {getrandbits(31)}")
                yield connection
            except BaseException:
                if (
                    connection.in_transaction
                ):  # where the disk is full SQLite has gone back by itself
                    connection.execute("ROLLBACK")
                raise
            confirm_all_locks()  # of the index or of an evaluation that this is a part of
            connection.execute("COMMIT")

    def _current_path(self) -> Path | None:
        """Return a path to the current content, local or a copy; None before the first write."""
        if isinstance(self.path, Remote):
            copy = local_copy.current(self.path)
            return copy.path if copy else None
        return self.path if self.path.exists() else None

    def _changed(self) -> AbstractContextManager[Path]:
        if isinstance(self.path, Remote):
            return local_copy.change_locally(self.path, _PATIENCE)
        return nullcontext(self.path)

    def _has_tables(self, found: sqlite3.Connection) -> bool:
        """Check whether the tables exist; a killed process may have left the file empty."""
        version = int(found.execute("PRAGMA user_version").fetchone()[0])
        if version > _VERSION:
            raise StoreError(
                f"{self.path} was written by a newer HopRAG Explorer. Update this "
                "installation to use it."
            )
        return version > 0

    @contextmanager
    def _as_store_error(self) -> Iterator[None]:
        """Convert file and database errors to StoreError with a remedy."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            if isinstance(self.path, Remote) and isinstance(error, OSError):
                raise StoreError(
                    f"{self.path} cannot be read or written ({error.strerror}). Fix the "
                    "problem and try again."
                ) from error
            raise StoreError(
                f"{self.path} cannot be read or written ({error}). Make its folder writable "
                "and free up disk space. If the file is damaged, move it elsewhere."
            ) from error


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=_PATIENCE, isolation_level=None)
