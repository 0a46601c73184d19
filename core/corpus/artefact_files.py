"""Files of artefacts made elsewhere, read within the limits of the files of a corpus."""

from pathlib import Path

from core.corpus.archives.compressed_files import gunzip, too_large
from core.corpus.file_contents import LIMITS, Row
from core.corpus.record_files.json_records import json_records
from core.errors import FileRejected

_GZIP = b"\x1f\x8b"


def artefact_bytes(path: Path, name: str) -> bytes:
    """Return the content of a file, unpacked if it is compressed by gzip.

    Raises
    ------
    FileRejected : it cannot be read, is empty, or is too large.
    """
    try:
        if path.stat().st_size > LIMITS.file_bytes:
            raise FileRejected(name, f"it is {too_large(LIMITS)}")
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        raise FileRejected(name, "it could not be opened; check its name and path") from error
    if data.startswith(_GZIP):
        data = gunzip(data, name, LIMITS)
    if not data.strip():
        raise FileRejected(name, "it is empty")
    return data


def artefact_records(path: Path, name: str) -> list[Row]:
    """Return the records of a JSON or JSON Lines file, perhaps compressed.

    Raises
    ------
    FileRejected : it is no such file, or too large.
    """
    return json_records(artefact_bytes(path, name), name)
