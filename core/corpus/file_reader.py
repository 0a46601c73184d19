"""Read one file in this process; `core.corpus.reader_process.client` does it in a separate one."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from core.corpus.archives.compressed_files import Packed, Unzip, gunzip, too_large
from core.corpus.archives.zip_names import PASSED_OVER, is_system_file
from core.corpus.file_contents import Begin, Contents, Limits
from core.corpus.formats import ARCHIVE, GZIPPED, LANCE, conversion, ending_of, format_of
from core.corpus.omissions import tallying
from core.errors import FileRejected
from core.text.clean import one_line


def read_pieces(
    path: Path, name: str, limits: Limits, begin: Begin, skip: int = 0
) -> Iterator[tuple[str, Contents | FileRejected]]:
    """Yield the name and contents of a file, or of each file in an archive.

    Parameters
    ----------
    begin : called before each piece is read.
    skip : the number of pieces of an archive to leave out at the start.
    """
    begin(name, 0)
    if is_system_file(name):
        yield name, Contents("", tally={PASSED_OVER: 1})
        return
    try:
        if is_table(path):
            from core.corpus.record_files.readers import read_lance  # not where there is none

            with tallying() as counted:
                contents = read_lance(path, name, limits)
            yield name, replace(contents, tally=counted)
            return
        data = _read_bytes(path, name, limits)
        begin(name, len(data))
        if _known_ending(name) != ARCHIVE:
            yield name, _read(data, name, limits, begin)
            return
        tally: Counter[str] = Counter()
        files = Unzip(limits, begin, tally).files(data, name)
        for packed in islice(files, skip, None):
            begin(packed.name, packed.size)
            called = one_line(packed.name)
            yield called, _read_entry(called, packed, limits, begin)
        if tally := +tally:
            yield name, Contents("", tally=tally)
    except FileRejected as rejected:
        yield name, rejected


def is_table(path: Path) -> bool:
    """Return whether a path is the folder of a LanceDB table."""
    return path.suffix == LANCE and path.is_dir()


def unreadable_reason(error: OSError) -> str:
    """Explain why a file or folder that cannot be opened is refused."""
    return f"it could not be opened ({error.strerror}); make it readable"


def _read_entry(name: str, packed: Packed, limits: Limits, begin: Begin) -> Contents | FileRejected:
    """Read one file of an archive; return its rejection instead of raising it."""
    try:
        return _read(packed.content(), name, limits, begin)
    except FileRejected as rejected:
        return rejected


def _read_bytes(path: Path, name: str, limits: Limits) -> bytes:
    """Read a file from the disk, after checks of its existence, format and size."""
    try:
        if not path.exists():
            raise FileRejected(name, "the file does not exist; check its name")
        if not path.is_file():
            raise FileRejected(name, "it is neither a file nor a folder")
        _known_ending(name)  # refused before it is read
        if path.stat().st_size > limits.file_bytes:
            raise FileRejected(name, f"it is {too_large(limits)}")
        return _checked_not_empty(path.read_bytes(), name)
    except OSError as error:
        raise FileRejected(name, unreadable_reason(error)) from error


def _read(data: bytes, name: str, limits: Limits, begin: Begin) -> Contents:
    """Read the contents of one file by the format of its ending; decompress it first if needed."""
    ending = _known_ending(name)
    _checked_not_empty(data, name)
    if ending in GZIPPED:
        data = gunzip(data, name, limits)
        begin(name, len(data))
    with tallying() as tally:
        contents = format_of(ending).read(data, name, limits)
    return replace(contents, tally=tally)


def _checked_not_empty(data: bytes, name: str) -> bytes:
    if not data.strip():
        raise FileRejected(name, "it is empty")
    return data


def _known_ending(name: str) -> str:
    """Return the known ending of a file name; raise FileRejected, with advice, if there is none."""
    ending = ending_of(name)
    if not ending:
        raise FileRejected(name, conversion(name))
    return ending
