"""SHA-256 of the files of an index, recorded when a version of a table has been written.

Lance never changes a file that it has written, so a checksum stays valid as long as the file is
there. Each version of a table has a list of its own, in the format of `sha256sum`, at
`checksums/<table>-<version>-<digest of the list>.sha256`; paths are relative to the index.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from core.errors import StoreError
from core.places import Place, Remote, write_whole

FOLDER = "checksums"
_LIST_NAME = re.compile(r"(?P<table>.+)-(?P<version>\d+)-(?P<digest>[0-9a-f]{16})\.sha256")
_LINE = re.compile(r"(?P<digest>[0-9a-f]{64})  (?P<path>.+)")
_LAST = 2**64 - 1  # Lance names the manifest of version v `_LAST - v`, so that the newest is first


class DamagedFile(NamedTuple):
    """A damaged file of a table, by its path relative to the index, and the problem."""

    table: str
    path: str
    problem: str


@dataclass(frozen=True, slots=True)
class FileList:
    """The checksums of the files of one version of a table.

    Parameters
    ----------
    path : of the list, relative to the index.
    files : SHA-256 by the path of the file, relative to the index.
    intact : whether the list itself is unchanged since it was written.
    """

    table: str
    version: int
    path: str
    files: Mapping[str, str]
    intact: bool


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest of a version of a table: the file that lists the files of the version.

    It contains the names of data files and transactions, and the UUIDs of indices as 16 bytes.
    Lance has no function that lists them.
    """

    table: str
    name: str
    content: bytes

    def refers_to(self, path: str) -> bool:
        """Return whether a file belongs to the version; `path` is relative to the index."""
        folder, _, rest = path.removeprefix(f"{self.table}.lance/").partition("/")
        match folder:
            case "data" | "_transactions":
                return rest.encode() in self.content
            case "_indices":
                with suppress(ValueError):
                    return UUID(rest.partition("/")[0]).bytes in self.content
                return False
            case "_versions":
                return rest == self.name
            case _:
                return folder == "_deletions"


def record(place: Place, versions: Mapping[str, int]) -> None:
    """Record the checksums of `versions`, by the names of their tables.

    Each file is read once, from the storage. Lists of versions that Lance has deleted are removed.

    Raises
    ------
    StoreError : the files cannot be read, or the lists cannot be written.
    """
    with _recording(place):
        for table, version in versions.items():
            _record(place, table, version)


def record_added(place: Place, table: str, version: int) -> None:
    """Record the checksums of the files that `version` adds to the version before.

    A table that grows batch by batch is read once in this way, not once for each batch. Other
    processes may add to it at the same time.

    Raises
    ------
    StoreError : the files cannot be read, or the list cannot be written.
    """
    with _recording(place):
        added = _manifest(place, table, version)
        before = read_manifest(place, table, version - 1)
        _write_list(
            place,
            table,
            version,
            (
                path
                for path in _files(place, f"{table}.lance")
                if added.refers_to(path) and not (before and before.refers_to(path))
            ),
        )


@contextmanager
def _recording(place: Place) -> Iterator[None]:
    """Turn an OSError inside this context into a StoreError about the checksums."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"The checksums of {place} cannot be recorded ({error.strerror}). Fix the problem and "
            "run the command again."
        ) from error


def forget(place: Place, table: str) -> None:
    """Delete the checksum lists of a table."""
    for path, name in _list_names(place):
        if name["table"] == table:
            (place / path).unlink(missing_ok=True)


def lists(place: Place, table: str = "") -> Iterator[FileList]:
    """Yield the lists of a table of the index at `place`, or of all tables.

    OSError if the storage cannot be read.
    """
    for path, name in _list_names(place):
        if table and name["table"] != table:
            continue
        try:
            content = (place / path).read_bytes()
        except FileNotFoundError:  # a later version was recorded at this moment
            continue
        if not content and isinstance(place, Remote):  # the index is being renamed
            continue
        matches = [_LINE.fullmatch(line) for line in content.decode(errors="replace").splitlines()]
        yield FileList(
            name["table"],
            int(name["version"]),
            path,
            {line["path"]: line["digest"] for line in matches if line},
            _list_digest(content) == name["digest"],
        )


def damaged_files(place: Place, recorded_files: FileList) -> Iterator[DamagedFile]:
    """Yield the listed files that have changed; OSError if a file cannot be read."""
    table, files = recorded_files.table, recorded_files.files
    if not recorded_files.intact:
        yield DamagedFile(table, recorded_files.path, "a list of checksums that was changed")
        return
    for path, digest in files.items():
        try:
            if digest_of(place / path) != digest:
                yield DamagedFile(table, path, "it differs from its checksum")
        except FileNotFoundError:
            yield DamagedFile(table, path, "it is missing")


def damaged_in(place: Place, versions: Mapping[str, int]) -> Iterator[DamagedFile]:
    """Yield the damaged files of `versions`, by the names of their tables."""
    for table, version in versions.items():
        for each in lists(place, table):
            if each.version == version:
                yield from damaged_files(place, each)


def recorded(place: Place) -> set[tuple[str, int]]:
    """Return the tables and versions that have a checksum list."""
    return {(name["table"], int(name["version"])) for _, name in _list_names(place)}


def digest_of(file: Place) -> str:
    """Return the SHA-256 of a file. OSError if it cannot be read."""
    if isinstance(file, Path):
        with file.open("rb") as opened:
            return file_digest(opened, "sha256").hexdigest()
    digest = sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    return digest.hexdigest()


def read_manifest(place: Place, table: str, version: int) -> Manifest | None:
    """Return the manifest of a version of a table, or None if there is none."""
    file = _manifest_place(place, table, version)
    return Manifest(table, file.name, file.read_bytes()) if file else None


def _manifest_place(place: Place, table: str, version: int) -> Place | None:
    """Find the manifest of a version, named in either of two ways; None if missing."""
    for name in (f"{_LAST - version:020}", str(version)):  # older versions of Lance use the second
        if (candidate := place / f"{table}.lance" / "_versions" / f"{name}.manifest").exists():
            return candidate
    return None


def _manifest(place: Place, table: str, version: int) -> Manifest:
    """Read the manifest of a version; raise StoreError if it is missing."""
    if manifest := read_manifest(place, table, version):
        return manifest
    raise StoreError(
        f"{table}.lance of {place.name} has no manifest of version {version}. "
        "Build the index again."
    )


def latest_version(place: Place, table: str) -> int | None:
    """Return the newest version of a table, or None if it has none."""
    names = [Path(path).stem for path in _files(place, f"{table}.lance/_versions")]
    numbers = [int(name) for name in names if name.isdecimal()]
    return max((_LAST - n if n > _LAST // 2 else n for n in numbers), default=None)


def _record(place: Place, table: str, version: int) -> None:
    """Write the checksum list of a version; delete older lists that are no longer needed.

    A list of another version is kept as long as that version exists.
    """
    manifest = _manifest(place, table, version)
    written = _write_list(
        place, table, version, filter(manifest.refers_to, _files(place, f"{table}.lance"))
    )
    for path, old in _list_names(place):
        if old["table"] != table or path == written:
            continue
        listed_version = int(old["version"])
        if listed_version == version or not _manifest_place(place, table, listed_version):
            (place / path).unlink(missing_ok=True)


def _write_list(place: Place, table: str, version: int, paths: Iterable[str]) -> str:
    """Write the list of the files at `paths`; return its path, relative to the index."""
    lines = (f"{digest_of(place / path)}  {path}\n" for path in sorted(paths))
    content = "".join(lines).encode()
    name = f"{FOLDER}/{table}-{version}-{_list_digest(content)}.sha256"
    if isinstance(place, Path):
        (place / FOLDER).mkdir(exist_ok=True)
    write_whole(place / name, content)
    return name


def _files(place: Place, folder: str) -> Iterator[str]:
    """Yield the files below `folder`, a path relative to the index, as such paths."""
    if isinstance(place, Remote):
        for entry in (place / folder).walk():
            yield str(entry.place).removeprefix(f"{place}/")
        return
    for file in (place / folder).rglob("*"):
        if file.is_file():
            yield file.relative_to(place).as_posix()


def _list_names(place: Place) -> list[tuple[str, re.Match[str]]]:
    """Return the lists by their paths, with the parts of their names."""
    paths = sorted(_files(place, FOLDER))
    matches = ((path, _LIST_NAME.fullmatch(path.removeprefix(f"{FOLDER}/"))) for path in paths)
    return [(path, name) for path, name in matches if name]


def _list_digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]
