"""Compare the files of an index with their recorded checksums."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import sleep

from core.errors import StoreError
from core.places import Place
from core.store import schema
from core.store.artefact_tables import shelved
from core.store.integrity.checksums import (
    DamagedFile,
    FileList,
    damaged_files,
    latest_version,
    lists,
    read_manifest,
    record,
    recorded,
)
from core.store.integrity.sqlite_checks import ENDING, damaged_databases, database_files
from core.store.locking.writer_lock import is_locked, writer_lock
from core.store.metadata import OLD_TABLE, is_finished, not_finished
from core.store.records.record import PUBLISHED, SHELF, read_record
from core.store.tables import Tables, last_meta, read_meta

_SETTLES = 0.5  # seconds
_SHOWN = 3  # damaged files that a message names
Versions = frozenset[tuple[str, int]]
"""Tables, each with the version of it that belongs to the index."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of comparing the files of an index with their checksums.

    Parameters
    ----------
    name : of the index.
    files : how many files were compared.
    damaged : files that differ from their checksum, are missing, or cannot be read.
    unrecorded : the tables whose files have no checksums.
    repeated_id : an id that two passages have; empty if there is none.
    """

    name: str
    files: int
    damaged: tuple[DamagedFile, ...]
    unrecorded: tuple[str, ...]
    repeated_id: str = ""

    def problem(self) -> str:
        """Describe the damage and how to fix it; empty if no file is damaged."""
        if not self.damaged:
            return ""
        named = ", ".join(f"{each.path} ({each.problem})" for each in self.damaged[:_SHOWN])
        if more := len(self.damaged) - _SHOWN:
            named += f" and {more:,} more" if more > 0 else ""
        return f"{self.name} is damaged: {named}. Its results may be wrong. {_remedy(self.damaged)}"

    def gap(self) -> str:
        """Describe what cannot be verified and how to fix it; empty if everything can."""
        if not self.unrecorded:
            return ""
        if not self.files and not self.damaged:
            what = f"{self.name} cannot be verified: it was built before checksums were recorded"
        else:
            what = f"No checksums were recorded for {', '.join(self.unrecorded)}"
        return (
            f"{what}. Rebuild it, or record checksums of the current files: python -m core "
            f"info --index {self.name} --record-checksums"
        )

    def note(self) -> str:
        """Describe other problems and how to fix them; empty if there are none."""
        if not self.repeated_id:
            return ""
        return (
            f"Two passages of {self.name} have the id '{self.repeated_id}', which an earlier "
            "version allowed. Only one of them has edges. Rebuild the index, or add one of "
            "its files again, to give each passage its own id."
        )


def verify(place: Place) -> Verification:
    """Verify all files of the index at `place`.

    The tables of the published version, the artefacts, and the embeddings that are kept for the
    next build are compared with their recorded checksums. SQLite files in a folder are verified
    as `core.store.integrity.sqlite_checks` says; those in object storage are left to the storage.
    Passages that share an id are named too.

    Raises
    ------
    IndexMissing : no build has finished there.
    StoreError : the storage cannot be read.
    """
    verified = replace(verify_tables(place), repeated_id=_repeated_id(place))
    if not isinstance(place, Path):
        return verified
    with _as_store_error(place):
        damaged = (*verified.damaged, *damaged_databases(place))
    return replace(verified, files=verified.files + len(database_files(place)), damaged=damaged)


def verify_tables(place: Place, *, artefacts: bool = True) -> Verification:
    """Compare the files of the tables at `place` with their recorded checksums.

    Parameters
    ----------
    artefacts : whether the tables of artefacts are compared too.

    Raises
    ------
    IndexMissing : no build has finished there.
    StoreError : the storage cannot be read.
    """
    with _as_store_error(place), suppress(ValueError):  # a damaged record, which is named below
        if not is_finished(place, read_record(place, PUBLISHED).record):
            raise not_finished(place)
    return _compared(place, artefacts=artefacts)


def require_intact(place: Place) -> None:
    """Raise StoreError if a file that a build would reuse differs from its checksum.

    Results computed from damaged files must not get checksums of their own.
    """
    compared = _compared(place, artefacts=False)
    if compared.damaged:
        raise StoreError(compared.problem())


def damaged_tables(place: Place) -> frozenset[str]:
    """Return the names of tables with a damaged file."""
    return frozenset(each.table for each in _compared(place, artefacts=True).damaged)


def _compared(place: Place, *, artefacts: bool) -> Verification:
    """Compare files with their checksums, also those of a first build that has not finished."""
    with _as_store_error(place):
        wanted = _versions_in_use(place)
        files, damaged = 0, list(_damaged_records(place))
        for each in lists(place):
            if not artefacts and each.table.startswith(schema.ARTEFACTS):
                continue
            needed = _needed(place, each, wanted)
            changed = list(damaged_files(place, needed)) if needed else []
            if changed and is_locked(place):
                sleep(_SETTLES)  # a writer may be deleting the files of an earlier version
            if changed:  # deleted meanwhile, by a build that has published another version
                needed = _needed(place, each, _versions_in_use(place))
            if needed:
                files += len(needed.files)
                damaged += [one for one in changed if one.path in {each.path, *needed.files}]
        missing = {table for table, _ in wanted - recorded(place)}
    return Verification(place.name, files, tuple(damaged), tuple(sorted(missing)))


@contextmanager
def _as_store_error(place: Place) -> Iterator[None]:
    """Raise file errors as StoreError that says how to fix them."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{place} cannot be verified: {error.strerror}. Fix the problem and try again."
        ) from error


def _repeated_id(place: Place) -> str:
    """Return an id that two passages have; empty if there is none, or if they cannot be read."""
    with suppress(StoreError):  # the damaged file is named by its own list
        if meta := last_meta(place):
            tables = Tables(place, meta)
            with tables.reading():
                counts = Counter(tables.select("passages", ["id"])["id"].to_pylist())
            name, count = counts.most_common(1)[0]
            return name if count > 1 else ""
    return ""


def _damaged_records(place: Place) -> Iterator[DamagedFile]:
    """Yield the records that differ from the checksum that each contains."""
    for name in (PUBLISHED, SHELF):
        try:
            _ = read_record(place, name).record
        except ValueError:
            yield DamagedFile(name, name, "it differs from its checksum")


def record_missing(place: Place) -> tuple[str, ...]:
    """Record checksums for files that have none, as they are; return their tables.

    Raises
    ------
    IndexLocked : another process is writing the index.
    StoreError : it is damaged, or the checksums cannot be written.
    """
    with writer_lock(place, "recording checksums"):
        read_meta(place)
        missing = _versions_in_use(place) - recorded(place)
        record(place, dict(missing))
    return tuple(sorted(table for table, _ in missing))


def _versions_in_use(place: Place) -> Versions:
    """Return the tables and versions of the index that can be read."""
    pairs: list[tuple[str, int]] = []
    for read in (_published, _artefact_versions):
        try:
            pairs += read(place)
        except StoreError:  # the damaged file that it was read from is named by its own list
            continue
    # An index of an earlier version has tables in place of the records, until it is written again.
    records = {OLD_TABLE: PUBLISHED, schema.SHELF: SHELF}
    old = [table for table, name in records.items() if not _has_content(place, name)]
    newest = ((table, latest_version(place, table)) for table in old)
    return frozenset(
        [*pairs, *((table, version) for table, version in newest if version is not None)]
    )


def _has_content(place: Place, name: str) -> bool:
    """Check whether a record has replaced the table of an earlier version."""
    try:
        record = read_record(place, name).record
    except ValueError:  # a damaged record is no table either
        return True
    return record is not None and record.content is not None


def _published(place: Place) -> Iterable[tuple[str, int]]:
    meta = last_meta(place)
    return meta.versions.items() if meta else ()


def _artefact_versions(place: Place) -> Iterator[tuple[str, int]]:
    for row in shelved(place).values():
        for name, version in row.versions.items():
            yield row.table(name), version


def _needed(place: Place, each: FileList, wanted: Versions) -> FileList | None:
    """Return the files of a list that readers and the next build need, or None.

    A version that no record names may have been half deleted by an interrupted clean-up. Embeddings
    are not in a record either: the next build takes them from the newest version, whose files are
    in the lists of the versions that added them.
    """
    if (each.table, each.version) in wanted:
        return each
    if not each.table.startswith(schema.EMBEDDINGS):
        return None
    newest = latest_version(place, each.table)
    manifest = None if newest is None else read_manifest(place, each.table, newest)
    if manifest is None:
        return None
    files = {path: digest for path, digest in each.files.items() if manifest.refers_to(path)}
    return replace(each, files=files) if files or not each.intact else None


def _remedy(damaged: Iterable[DamagedFile]) -> str:
    """Return how to repair damaged files; artefacts can be rebuilt without the graph."""
    tables = {each.table for each in damaged}
    if all(table.startswith(schema.ARTEFACTS) for table in tables):
        names = sorted({table.removeprefix(schema.ARTEFACTS).partition("_")[0] for table in tables})
        return f"Delete {', '.join(names)} on Settings and build it again."
    if all(table.endswith(ENDING) for table in tables):
        return "Restore the file from a backup: a build does not recreate it."
    return (
        "Restore the file from a backup, or rebuild the index: python -m core build "
        "CORPUS... --restart, or Build in the app."
    )
