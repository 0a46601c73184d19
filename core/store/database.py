"""The LanceDB database of one index, and replacing a table in it."""

from datetime import timedelta
from pathlib import Path

import lancedb
import pyarrow as pa


def connect(path: Path) -> lancedb.DBConnection:
    """The database in `path`; a handle sees what other processes have written."""
    return lancedb.connect(path, read_consistency_interval=timedelta(0))


def replace_table(database: lancedb.DBConnection, name: str, rows: pa.Table) -> lancedb.table.Table:
    """A new version of a table; LanceDB warns when one that is not there is overwritten."""
    known = name in database.list_tables().tables
    return database.create_table(name, rows, mode="overwrite" if known else "create")
