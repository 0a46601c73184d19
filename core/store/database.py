"""The LanceDB database of one index, and the tables in it as a whole."""

from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from core.places import Place, Remote

if TYPE_CHECKING:
    import lancedb
    import pyarrow as pa

Rows: TypeAlias = "pa.Table | pa.RecordBatchReader"
"""What a table is written from: in memory, or as it comes."""


_ENDING = ".lance"
_OF_INDICES, _OF_TABLES = 2**30, 2**28  # bytes


def connect(place: Place, *, follow: bool = True) -> "lancedb.DBConnection":
    """Open the database at `place`.

    Parameters
    ----------
    follow : whether a table that was opened sees what other processes write.
    """
    import lancedb  # takes seconds, for which a job that only takes its lock need not wait

    interval = timedelta(0) if follow else None
    if isinstance(place, Path):
        return lancedb.connect(place, read_consistency_interval=interval, session=_session())
    uri, options = place.lance
    return lancedb.connect(
        uri, read_consistency_interval=interval, storage_options=options, session=_session()
    )


@cache
def _session() -> "lancedb.Session":
    """Return the LanceDB session of this process, with smaller caches than by default."""
    import lancedb

    return lancedb.Session(_OF_INDICES, _OF_TABLES)


def is_made(place: Place, name: str) -> bool:
    """Check whether any version of a table is complete; a crash may leave none."""
    if isinstance(place, Remote):
        return bool(made_versions(place, name))
    return any((place / f"{name}{_ENDING}" / "_versions").glob("*.manifest"))


def made_versions(place: Remote, name: str) -> tuple[tuple[str, str | None], ...]:
    """Return the complete versions of a table, each with its entity tag."""
    files = (place / f"{name}{_ENDING}" / "_versions").walk()
    return tuple(sorted((each.place.name, each.e_tag) for each in files))


def table_names(place: Place, beginning: str = "") -> list[str]:
    """Return the tables whose names start with `beginning`, incomplete ones included."""
    entries = place.iterdir() if isinstance(place, Remote) or place.is_dir() else ()
    names = (each.name for each in entries)
    return [
        name.removesuffix(_ENDING)
        for name in names
        if name.startswith(beginning) and name.endswith(_ENDING)
    ]


def table_place(place: Place, name: str) -> Place:
    """Return the place of a table."""
    return place / f"{name}{_ENDING}"


def table_size(place: Place, name: str) -> int:
    """Return the bytes of a table with its earlier versions."""
    table = table_place(place, name)
    if isinstance(table, Remote):
        return sum(each.size for each in table.walk())
    return sum(file.stat().st_size for file in table.rglob("*") if file.is_file())
