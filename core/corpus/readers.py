"""One file to what it brings, in this process: `core.corpus.apart` has another one do it."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from core.corpus.archives import gunzip, too_large, unzip
from core.corpus.contents import Begin, Contents, Limits
from core.corpus.markdown import read_markdown
from core.corpus.prose import read_html, read_text
from core.corpus.records import json_records
from core.corpus.separated import csv_records
from core.corpus.tables import contents_of
from core.corpus.trec_files import judgements
from core.errors import FileRejected
from core.text.clean import one_line

Reader = Callable[[bytes, str, Limits], Contents]


def _pdf(data: bytes, name: str, limits: Limits) -> Contents:
    from core.corpus.pdf import read_pdf  # its libraries take half a second to load

    return read_pdf(data, name, limits)


def _docx(data: bytes, name: str, limits: Limits) -> Contents:
    from core.corpus.office import read_docx

    return read_docx(data, name, limits)


def _parquet(data: bytes, name: str, limits: Limits) -> Contents:
    from core.corpus.parquet import parquet_records

    return contents_of(parquet_records(data, name, limits), name, "Parquet", limits)


def _csv(kind: str) -> Reader:
    def read(data: bytes, name: str, limits: Limits) -> Contents:
        rows, notes = csv_records(data, name, limits)
        return contents_of(rows, name, kind, limits, notes)

    return read


def _json(kind: str) -> Reader:
    return lambda data, name, limits: contents_of(json_records(data, name), name, kind, limits)


def _text(data: bytes, name: str, limits: Limits) -> Contents:
    """A text, unless it is a list of judgements as TREC writes them."""
    if rows := judgements(data, name):
        return contents_of(rows, name, "Text", limits)
    return read_text(data, name)


_READERS: Mapping[str, Reader] = {
    ".txt": _text,
    ".md": lambda data, name, _: read_markdown(data, name),
    ".html": lambda data, name, _: read_html(data, name),
    ".htm": lambda data, name, _: read_html(data, name),
    ".pdf": _pdf,
    ".docx": _docx,
    ".csv": _csv("CSV"),
    ".tsv": _csv("TSV"),
    ".json": _json("JSON"),
    ".jsonl": _json("JSONL"),
    ".parquet": _parquet,
}
_GZIPPED = (".jsonl.gz", ".json.gz")
SUFFIXES = (*_READERS, *_GZIPPED, ".zip")
"""Endings of the file names that can be read."""


def pieces(
    path: Path, name: str, limits: Limits, begin: Begin, skip: int = 0
) -> Iterator[tuple[str, Contents | FileRejected]]:
    """What a file brings: one piece, or one for each file in an archive, each with its name.

    Parameters
    ----------
    begin : called before each piece is read.
    skip : so many pieces of an archive are left out, from the first on.
    """
    begin(name, 0)
    try:
        data = _bytes(path, name, limits)
        begin(name, len(data))
        if _ending(name) != ".zip":
            yield name, _read(data, name, limits, begin)
            return
        for inner, content in unzip(data, name, limits, begin, skip):
            called = one_line(inner)
            yield called, _entry(called, content, limits, begin)
    except FileRejected as rejected:
        yield name, rejected


def closed(error: OSError) -> str:
    """Why a file or a folder is refused that the system does not open."""
    return f"it cannot be opened ({error.strerror}); make it readable"


def _entry(
    name: str, content: bytes | FileRejected, limits: Limits, begin: Begin
) -> Contents | FileRejected:
    if isinstance(content, FileRejected):
        return content
    try:
        return _read(content, name, limits, begin)
    except FileRejected as rejected:
        return rejected


def _bytes(path: Path, name: str, limits: Limits) -> bytes:
    try:
        if not path.exists():
            raise FileRejected(name, "there is no such file; check its name")
        if not path.is_file():
            raise FileRejected(name, "neither a file nor a folder")
        _ending(name)  # refused before it is read
        if path.stat().st_size > limits.file_bytes:
            raise FileRejected(name, f"it holds {too_large(limits)}")
        return _filled(path.read_bytes(), name)
    except OSError as error:
        raise FileRejected(name, closed(error)) from error


def _read(data: bytes, name: str, limits: Limits, begin: Begin) -> Contents:
    ending = _ending(name)
    _filled(data, name)
    if ending in _GZIPPED:
        data = gunzip(data, name, limits)
        begin(name, len(data))
        ending = ending.removesuffix(".gz")
    return _READERS[ending](data, name, limits)


def _filled(data: bytes, name: str) -> bytes:
    if not data.strip():
        raise FileRejected(name, "it is empty")
    return data


def _ending(name: str) -> str:
    ending = next((suffix for suffix in SUFFIXES if name.lower().endswith(suffix)), None)
    if ending is None:
        known = " ".join(SUFFIXES)
        raise FileRejected(name, f"files of this kind are not read; convert it to one of {known}")
    return ending
