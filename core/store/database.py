"""The LanceDB database of one index, and replacing a table in it."""

import shutil
from datetime import timedelta
from pathlib import Path

import lancedb
import pyarrow as pa


def connect(path: Path) -> lancedb.DBConnection:
    """The database in `path`; a handle sees what other processes have written."""
    return lancedb.connect(path, read_consistency_interval=timedelta(0))


def is_made(folder: Path, name: str) -> bool:
    """Whether a version of a table was ever finished; what a crash left half made is no table."""
    return any((folder / f"{name}.lance" / "_versions").glob("*.manifest"))


def replace_table(
    database: lancedb.DBConnection, name: str, rows: pa.Table | pa.RecordBatchReader
) -> lancedb.table.Table:
    """A new version of a table; LanceDB warns when one that is not there is overwritten."""
    place = Path(database.uri)
    known = is_made(place, name)
    if not known and (half := place / f"{name}.lance").is_dir():
        shutil.rmtree(half)
    return database.create_table(name, rows, mode="overwrite" if known else "create")
