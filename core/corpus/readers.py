"""Files and folders to a corpus. One bad file never stops the others."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from core.corpus.archives import gunzip, too_large, unzip
from core.corpus.assemble import assemble
from core.corpus.contents import LIMITS, Contents, Limits
from core.corpus.office import read_docx, read_pdf
from core.corpus.prose import read_html, read_markdown, read_text
from core.corpus.records import csv_records, json_records, parquet_records
from core.corpus.server import is_inside
from core.corpus.tables import contents_of
from core.corpus.types import Corpus, FileRead, Progress
from core.errors import FileRejected
from core.text.clean import one_line

Reader = Callable[[bytes, str, Limits], Contents]

_READERS: Mapping[str, Reader] = {
    ".txt": lambda data, name, _: read_text(data, name),
    ".md": lambda data, name, _: read_markdown(data, name),
    ".html": lambda data, name, _: read_html(data, name),
    ".htm": lambda data, name, _: read_html(data, name),
    ".pdf": read_pdf,
    ".docx": read_docx,
    ".csv": lambda data, name, _: contents_of(csv_records(data, name), name, "CSV"),
    ".tsv": lambda data, name, _: contents_of(csv_records(data, name), name, "TSV"),
    ".json": lambda data, name, _: contents_of(json_records(data, name), name, "JSON"),
    ".jsonl": lambda data, name, _: contents_of(json_records(data, name), name, "JSONL"),
    ".parquet": lambda data, name, limits: contents_of(
        parquet_records(data, name, limits), name, "Parquet"
    ),
}
_GZIPPED = (".jsonl.gz", ".json.gz")
SUFFIXES = (*_READERS, *_GZIPPED, ".zip")
"""Endings of the file names that can be read."""

_Named = tuple[str, Contents | FileRejected]


def read_files(
    paths: Sequence[Path],
    *,
    names: Mapping[Path, str] | None = None,
    progress: Progress | None = None,
    limits: Limits = LIMITS,
) -> Corpus:
    """The corpus that files and folders hold together, what each was, and what was refused.

    Parameters
    ----------
    paths : files, and folders that are read with all below them but hidden files.
    names : what the user calls a file, if not by its own name (an upload has a temporary one).
    progress : called before each file and once at the end.
    limits : what counts as too large.
    """
    files = [file for path in paths for file in _walk(path, (names or {}).get(path, path.name))]
    read: list[FileRead] = []
    rejected: list[FileRejected] = []
    everything: list[Contents] = []
    for done, (name, path) in enumerate(files):
        if progress:
            progress(done, len(files), name)
        for inner, contents in _pieces(path, name, limits):
            if isinstance(contents, FileRejected):
                rejected.append(contents)
                continue
            everything.append(contents)
            read.append(
                FileRead(inner, contents.format, len(contents.documents), len(contents.queries))
            )
    if progress:
        progress(len(files), len(files), "")
    corpus = assemble(everything)
    return Corpus(
        corpus.documents,
        corpus.queries,
        tuple(rejected),
        corpus.duplicates,
        tuple(read),
        corpus.notes,
    )


def _walk(path: Path, name: str) -> Iterator[tuple[str, Path | FileRejected]]:
    """The files of a folder, each called `folder/sub/file`; a file is itself."""
    name = one_line(name)
    if not _is_folder(path):
        yield name, path
        return
    closed: list[OSError] = []
    empty = True
    for folder, folders, files in os.walk(path, onerror=closed.append):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        inside = Path(folder).relative_to(path)
        for file in sorted(each for each in files if not each.startswith(".")):
            empty = False
            called = one_line(f"{name}/{(inside / file).as_posix()}")
            found = Path(folder) / file
            if is_inside(found, path):
                yield called, found
            else:
                yield called, FileRejected(called, "a link that leads out of its folder")
    for error in closed:
        called = one_line(str(error.filename))
        yield (
            called,
            FileRejected(called, _closed(error)),
        )
    if empty and not closed:
        yield name, FileRejected(name, "no file in the folder")


def _closed(error: OSError) -> str:
    return f"it cannot be opened ({error.strerror}); make it readable"


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # what it is, is said when it is opened as a file
        return False


def _pieces(path: Path | FileRejected, name: str, limits: Limits) -> Iterator[_Named]:
    """What a file brings; an archive brings one piece for each file in it."""
    if isinstance(path, FileRejected):
        yield name, path
        return
    try:
        data = _bytes(path, name, limits)
        if _ending(name) != ".zip":
            yield name, _read(data, name, limits)
            return
        for inner, content in unzip(data, name, limits):
            yield _entry(one_line(inner), content, limits)
    except FileRejected as rejected:
        yield name, rejected


def _entry(name: str, content: bytes | FileRejected, limits: Limits) -> _Named:
    if isinstance(content, FileRejected):
        return name, content
    try:
        return name, _read(content, name, limits)
    except FileRejected as rejected:
        return name, rejected


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
        raise FileRejected(name, _closed(error)) from error


def _read(data: bytes, name: str, limits: Limits) -> Contents:
    ending = _ending(name)
    _filled(data, name)
    if ending in _GZIPPED:
        data = gunzip(data, name, limits)
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
