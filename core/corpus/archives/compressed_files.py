"""Compressed files, read in memory and within limits; nothing is ever unpacked to the disk."""

import gzip
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from lzma import LZMAError
from pathlib import PurePosixPath
from zipfile import BadZipFile, ZipFile, ZipInfo

from core.corpus.archives.zip_names import PASSED_OVER, guess_encoding, is_hidden, path_of
from core.corpus.encodings.decode import encoding_name
from core.corpus.file_contents import Begin, Limits
from core.corpus.formats import ARCHIVE, GZIPPED, ending_of
from core.errors import FileRejected

_NOT_A_ZIP = "not a zip archive despite its file name; zip it again"
_BOMB = "it unpacks to a suspiciously large size for an archive of documents"
_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar", ".bz2", ".xz")
_LONGEST_NAME = 1_000
_DEEPEST = 1  # archives in archives that are read
# What a broken or a hostile entry makes the decompressors raise.
_BROKEN = (
    BadZipFile,
    LookupError,
    LZMAError,
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    OverflowError,
    struct.error,
    zlib.error,
)
# Small archives of repeated text compress well; the ratio only counts above this many bytes.
_RATIO_FROM = 10 * 2**20


def gunzip(data: bytes, name: str, limits: Limits) -> bytes:
    """Return the content of a gzip file, which may be at most `limits.file_bytes` long.

    Raises
    ------
    FileRejected : no gzip, cut short, or too large.
    """
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as file:
            content = file.read(limits.file_bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise FileRejected(name, "the gzip file is incomplete; compress it again") from error
    if len(content) > limits.file_bytes:
        raise FileRejected(name, f"unpacked it is {too_large(limits)}")
    return content


def too_large(limits: Limits) -> str:
    """Return the end of a sentence that refuses a large file."""
    return f"larger than {limits.file_bytes / 2**20:.3g} MB; split it into smaller files"


def check_zip(data: bytes, name: str, limits: Limits, otherwise: str = _NOT_A_ZIP) -> ZipFile:
    """Open the zip archive in `data` and check that its entries keep within `limits`.

    Raises
    ------
    FileRejected : `data` is no zip (the reason is `otherwise`), or its contents are too large.
    """
    try:
        archive = ZipFile(BytesIO(data))
    except _BROKEN as error:
        raise FileRejected(name, otherwise) from error
    entries = archive.infolist()
    size = sum(entry.file_size for entry in entries)
    if len(entries) > limits.archive_files:
        raise FileRejected(name, f"it contains more than {limits.archive_files:,} files; split it")
    if size > limits.archive_bytes:
        raise FileRejected(
            name, f"it contains more than {limits.archive_bytes / 2**20:.3g} MB; split it"
        )
    if size > max(_RATIO_FROM, limits.ratio * len(data)):
        raise FileRejected(name, _BOMB)
    return archive


@dataclass(frozen=True, slots=True)
class Packed:
    """A file in an archive: `content` unpacks it, or raises FileRejected. `size` is in bytes."""

    name: str
    size: int
    content: Callable[[], bytes]


class Unzip:
    """Reads the files of a zip archive, and of archives in it, within `limits` in total.

    Folders, hidden files and system files are passed over.

    Parameters
    ----------
    begin : called before an archive in the archive is unpacked, with its name and its size.
    tally : what is passed over or guessed of the archive is counted there.
    """

    def __init__(self, limits: Limits, begin: Begin, tally: Counter[str]) -> None:
        self._limits = limits
        self._begin = begin
        self._tally = tally
        self._files = self._bytes = 0

    def files(self, data: bytes, name: str, depth: int = 0) -> Iterator[Packed]:
        """Yield each file as `archive.zip/path`.

        Raises
        ------
        FileRejected : the archive as a whole cannot be read.
        """
        with check_zip(data, name, self._limits) as archive:
            self._check_total(archive, name)
            for path, entry in self._visible_entries(archive, name):
                called = f"{name}/{path if entry.filename else ''}"[:_LONGEST_NAME]
                packed = self._packed_file(archive, entry, path, called)
                if path.suffix.lower() == ARCHIVE and depth < _DEEPEST:
                    yield from self._nested_files(packed, depth + 1)
                elif path.suffix.lower() in _ARCHIVES and ending_of(path.name) not in GZIPPED:
                    why = "it is an archive inside an archive; unpack it first"
                    yield _rejected_entry(packed, FileRejected(called, why))
                else:
                    yield packed

    def _nested_files(self, packed: Packed, depth: int) -> Iterator[Packed]:
        """Yield the files of an archive in the archive, or itself if it cannot be read."""
        self._begin(packed.name, packed.size)
        try:
            yield from self.files(packed.content(), packed.name, depth)
        except FileRejected as rejected:
            yield _rejected_entry(packed, rejected)

    def _check_total(self, archive: ZipFile, name: str) -> None:
        """Add an archive to the running totals; raise FileRejected if they exceed the limits."""
        entries = archive.infolist()
        self._files += len(entries)
        self._bytes += sum(entry.file_size for entry in entries)
        if self._files > self._limits.archive_files or self._bytes > self._limits.archive_bytes:
            raise FileRejected(
                name,
                ("this archive and the ones before it contain too much in total; unpack it first"),
            )

    def _visible_entries(self, archive: ZipFile, name: str) -> list[tuple[PurePosixPath, ZipInfo]]:
        """Return the path and entry of each file in `archive`, without hidden files."""
        files = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
        encoding = guess_encoding(files)
        paths = [(path_of(entry, encoding), entry) for entry in files]
        shown = [(path, entry) for path, entry in paths if not is_hidden(path)]
        self._tally[PASSED_OVER] += len(files) - len(shown)
        if encoding:
            guessed = sum(not entry.filename.isascii() for entry in files)
            what = f"file name{{s}} decoded as {encoding_name(encoding)} (a guess)"
            self._tally[what] += guessed
        if not shown:
            hidden = " other than hidden ones" if files else ""
            raise FileRejected(name, f"the archive contains no files{hidden}")
        return shown

    def _packed_file(
        self, archive: ZipFile, entry: ZipInfo, path: PurePosixPath, name: str
    ) -> Packed:
        """Describe one entry; its content is unpacked only when it is requested."""
        return Packed(
            name, entry.file_size, lambda: _content(archive, entry, path, name, self._limits)
        )


def _rejected_entry(packed: Packed, rejected: FileRejected) -> Packed:
    """Return an archive entry whose content raises `rejected` when it is read."""

    def content() -> bytes:
        raise rejected

    return Packed(packed.name, packed.size, content)


def _content(
    archive: ZipFile, entry: ZipInfo, path: PurePosixPath, name: str, limits: Limits
) -> bytes:
    """Return the content of an archive entry; raise FileRejected if it is unsafe or damaged."""
    if not entry.filename or len(entry.filename) > _LONGEST_NAME:
        raise FileRejected(name, "its name is missing or far too long; zip it again")
    if path.is_absolute() or ".." in path.parts:
        raise FileRejected(name, "its path points outside the archive; zip it again")
    if entry.flag_bits & 1:
        raise FileRejected(name, "it is encrypted; zip it without a password")
    try:
        with archive.open(entry) as file:
            content = file.read(limits.file_bytes + 1)
    except _BROKEN as error:
        raise FileRejected(name, "it is damaged in the archive; zip it again") from error
    if len(content) > limits.file_bytes:
        raise FileRejected(name, f"it is {too_large(limits)}")
    return content
