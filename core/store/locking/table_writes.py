"""Write a new version of a table or delete a table, as the holder of the writer's lock.

A table can be written by a process that lost its lock between the last confirmation and the write.
That makes a version which no record names, so that no reader sees it.
"""

import shutil
from pathlib import Path
from urllib.parse import unquote

import lancedb

from core.places import Place, Remote
from core.store.database import Rows, connect, is_made, table_names, table_place
from core.store.integrity.checksums import forget
from core.store.locking.writer_lock import confirm_lock


def replace_table(database: lancedb.DBConnection, name: str, rows: Rows) -> lancedb.table.Table:
    """Write a new version of a table.

    Returns
    -------
    The table at exactly that version, even if other processes write meanwhile.

    Raises
    ------
    LockLost : another process has taken the writer's lock.
    """
    place = _place_of(database)
    known = is_made(place, name)
    if not known and name in table_names(place, name):
        remove_table(place, name)
    confirm_lock(place)
    # LanceDB warns when a table that is not there is overwritten.
    mode = "overwrite" if known else "create"
    return connect(place, follow=False).create_table(name, rows, mode=mode)


def remove_table(place: Place, name: str) -> None:
    """Delete all files of a table; LockLost if another process has taken the lock."""
    table = table_place(place, name)
    confirm_lock(place)
    forget(place, name)
    if isinstance(table, Remote):
        listed = list(table.walk())
        confirm_lock(place)
        table.remove_listed(listed)
    else:
        confirm_lock(place)
        shutil.rmtree(table)


def _place_of(database: lancedb.DBConnection) -> Place:
    uri = database.uri
    return Remote(unquote(uri)) if "://" in uri else Path(uri)
