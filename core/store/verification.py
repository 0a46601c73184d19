"""Comparing the files of an index with their recorded checksums, at once or in the background."""

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock, Thread
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
from core.store.metadata import OLD_TABLE, Meta, is_finished, not_finished
from core.store.passages.passages import is_large
from core.store.records.record import PUBLISHED, SHELF, read_record
from core.store.tables import Tables, last_meta, read_meta

_SETTLES = 0.5  # seconds
_SHOWN = 3  # damaged files that a message names
_REMEMBERED = 200  # results of this process
Versions = frozenset[tuple[str, int]]
"""Tables, each with the version of it that belongs to the index."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of comparing the files of an index with their checksums.

    Parameters
    ----------
    name : of the index.
    files : how many files were compared.
    damaged : those that differ from their checksum, are missing, or cannot be read.
    unrecorded : the tables whose files have no checksums.
    repeated_id : an id that two passages have; empty if there is none.
    """

    name: str
    files: int
    damaged: tuple[DamagedFile, ...]
    unrecorded: tuple[str, ...]
    repeated_id: str = ""

    def problem(self) -> str:
        """Return what is damaged and what to do, or an empty string if no file is."""
        if not self.damaged:
            return ""
        named = ", ".join(f"{each.path} ({each.problem})" for each in self.damaged[:_SHOWN])
        if more := len(self.damaged) - _SHOWN:
            named += f" and {more:,} more" if more > 0 else ""
        return f"{self.name} is damaged: {named}. Its results may be wrong. {_remedy(self.damaged)}"

    def gap(self) -> str:
        """Return what cannot be verified and what to do, or an empty string if all can be."""
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
        """Return what else is wrong and what to do, or an empty string if nothing is."""
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
    with _readable(place):
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
    with _readable(place), suppress(ValueError):  # a damaged record, which is named below
        if not is_finished(place, read_record(place, PUBLISHED).record):
            raise not_finished(place)
    return _compared(place, artefacts=artefacts)


def require_intact(place: Place) -> None:
    """Raise StoreError if a file that a build would reuse differs from its checksum.

    What is computed from damaged files must not get checksums of its own.
    """
    compared = _compared(place, artefacts=False)
    if compared.damaged:
        raise StoreError(compared.problem())


def damaged_tables(place: Place) -> frozenset[str]:
    """Return the tables of which a file differs from its checksum."""
    return frozenset(each.table for each in _compared(place, artefacts=True).damaged)


def _compared(place: Place, *, artefacts: bool) -> Verification:
    """Compare files with their checksums, also those of a first build that has not finished."""
    with _readable(place):
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
def _readable(place: Place) -> Iterator[None]:
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
    """Record the checksums that are missing, of the files as they are; return the tables.

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
    """Return the tables and versions of the index, of those that can be read."""
    pairs: list[tuple[str, int]] = []
    for read in (_published, _on_shelf):
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
    """Return whether a record has taken the place of the table of an earlier version."""
    try:
        record = read_record(place, name).record
    except ValueError:  # a damaged record is no table either
        return True
    return record is not None and record.content is not None


def _published(place: Place) -> Iterable[tuple[str, int]]:
    meta = last_meta(place)
    return meta.versions.items() if meta else ()


def _on_shelf(place: Place) -> Iterator[tuple[str, int]]:
    for row in shelved(place).values():
        for name, version in row.versions.items():
            yield row.table(name), version


def _needed(place: Place, each: FileList, wanted: Versions) -> FileList | None:
    """Return what readers and the next build need of the files of a list; None if nothing.

    A version that no record names may have been half deleted by a clean-up that was killed. No
    record names embeddings either: the next build takes them from the newest version, whose files
    are in the lists of the versions that added them.
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
    """What to do: what is kept beside the graph can be made again without it."""
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


def is_costly(place: Place, meta: Meta) -> bool:
    """Return whether an index is only verified when somebody asks for it.

    So it is with a large index, of which little is read otherwise, and with object storage, from
    which each file would be fetched twice.
    """
    return not isinstance(place, Path) or is_large(meta.counts.vertices)


@contextmanager
def verifying(place: Place, meta: Meta) -> Iterator[None]:
    """Verify the index at `place` in a thread while it is opened.

    Left out are an index that `is_costly` says; and artefacts, whose files are verified when one is
    read, so that a damaged one can be dropped and made again.

    Raises
    ------
    StoreError : a file of the index is damaged.
    """
    if is_costly(place, meta):
        yield
        return
    with ThreadPoolExecutor(1, "verification") as pool:
        future = pool.submit(verify_tables, place, artefacts=False)
        try:
            yield
        except StoreError as error:  # which may not know the file
            if problem := future.result().problem():
                raise StoreError(problem) from error
            raise
        if problem := future.result().problem():
            raise StoreError(problem)


class Verifications:
    """Verifications that run in the background, one for each version that is opened."""

    def __init__(self) -> None:
        self._found: dict[tuple[Place, str], Future[Verification]] = {}
        self._lock = Lock()

    def begin(self, place: Place, version: str) -> None:
        """Verify the index at `place` in a thread, unless this version has been already.

        Parameters
        ----------
        version : tells it from others of the same index, such as when it was finished.
        """
        with self._lock:
            if (place, version) in self._found:
                return
            future = self._found[place, version] = Future()
            while len(self._found) > _REMEMBERED:
                self._found.pop(next(iter(self._found)))
        # The interpreter does not wait for a daemon when it ends, as it would for a pool.
        Thread(target=_run, args=(future, place), name="verification", daemon=True).start()

    def forget(self, place: Place) -> None:
        """Forget what was found at `place`, so that the next `begin` verifies it again."""
        with self._lock:
            for key in [key for key in self._found if key[0] == place]:
                del self._found[key]

    def result(self, place: Place, version: str) -> Verification | None:
        """Return the result, or None while it is not known.

        Raises
        ------
        StoreError : the index could not be verified.
        """
        future = self._found.get((place, version))
        return future.result() if future and future.done() else None

    def wait(self, place: Place, version: str) -> Verification:
        """Wait for a verification that has begun and return its result; raises as `result` does."""
        return self._found[place, version].result()


def _run(future: "Future[Verification]", place: Place) -> None:
    try:
        future.set_result(verify(place))
    except StoreError as error:  # raised where the result is asked for
        future.set_exception(error)
    except Exception as error:  # a page shows it; without this the result would never come
        failure = StoreError(f"{place.name} cannot be verified ({type(error).__name__}: {error}).")
        failure.__cause__ = error
        future.set_exception(failure)
