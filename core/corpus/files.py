"""Read files and folders into a corpus. One bad file never stops the others."""

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path, PurePosixPath

from core.corpus.archives.zip_names import PASSED_OVER, is_hidden
from core.corpus.assembly import assemble
from core.corpus.file_contents import LIMITS, Contents, Limits
from core.corpus.file_reader import is_table, unreadable_reason
from core.corpus.reader_process.client import IsolatedReader
from core.corpus.reader_process.messages import Piece
from core.corpus.server_paths import is_inside
from core.corpus.types import Corpus, FileRead, Progress
from core.corpus.vectors.given_vectors import attach_vectors
from core.errors import FileRejected
from core.text.clean import one_line

File = tuple[str, Path]
"""A file's display name and its path."""
Say = Callable[[str], None]
"""Called repeatedly with the name of the file being read; it may raise."""
Read = Callable[[Sequence[File], Limits, Say], Generator[Iterable[Piece]]]
"""Reads files in order and yields the pieces of each."""


def one_by_one(files: Sequence[File], limits: Limits, say: Say) -> Generator[Iterable[Piece]]:
    """Read files in a separate process (`core.corpus.reader_process.client`).

    A file that crashes it, or exhausts its memory or time, is refused.
    """
    with IsolatedReader(limits) as reader:
        for name, path in files:
            yield reader.read(path, name, say)


def read_files(
    paths: Sequence[Path],
    *,
    names: Mapping[Path, str] | None = None,
    progress: Progress | None = None,
    limits: Limits = LIMITS,
    read: Read = one_by_one,
) -> Corpus:
    """Read files and folders into one corpus, with the format of each file and those refused.

    Parameters
    ----------
    paths : files, and folders to read recursively, without hidden files.
    names : display names of files that differ from their own (an upload has a temporary name).
    progress : called before each file, repeatedly while it is read, and once at the end.
        What it raises ends the reading.
    limits : what counts as too large.
    read : the function that reads the files.
    """
    files = files_in(paths, names or {})
    report = progress or _ignore_progress
    done = 0
    pieces: list[Piece] = []
    wanted = [(name, path) for name, path in files if not isinstance(path, FileRejected)]
    with closing(read(wanted, limits, lambda name: report(done, len(files), name))) as each:
        for done, (name, path) in enumerate(files):
            report(done, len(files), name)
            pieces.extend([(name, path)] if isinstance(path, FileRejected) else next(each))
    report(len(files), len(files), "")
    return gather([*pieces, *_hidden_file_tallies(paths, names or {})])


def _ignore_progress(done: int, total: int, name: str) -> None:
    """Ignore the progress."""


def gather(pieces: Sequence[Piece]) -> Corpus:
    """Join the contents of files to one corpus; list the refused files in it."""
    pieces = attach_vectors(pieces)
    taken = [(name, each) for name, each in pieces if isinstance(each, Contents)]
    return replace(
        assemble([contents for _, contents in taken], [name for name, _ in taken]),
        rejected=tuple(each for _, each in pieces if isinstance(each, FileRejected)),
        files=tuple(
            FileRead(name, each.format, len(each.documents), len(each.queries))
            for name, each in taken
            if each.format
        ),
    )


def files_in(
    paths: Sequence[Path], names: Mapping[Path, str]
) -> list[tuple[str, Path | FileRejected]]:
    """List the files of `paths`, including those in folders, each with its display name."""
    return [file for path in paths for file in _walk(path, names.get(path, path.name))]


def _walk(path: Path, name: str) -> Iterator[tuple[str, Path | FileRejected]]:
    """Yield the files of a folder, each called `folder/sub/file`; a file is itself."""
    name = one_line(name)
    if not _is_folder(path) or is_table(path):
        yield name, path
        return
    failed: list[OSError] = []
    empty = True
    for folder, folders, files in os.walk(path, onerror=failed.append):
        folders[:] = sorted(each for each in folders if not is_hidden(PurePosixPath(each)))
        inside = Path(folder).relative_to(path)
        for table in [each for each in folders if is_table(Path(folder) / each)]:
            folders.remove(table)
            empty = False
            yield _checked_file(f"{name}/{(inside / table).as_posix()}", Path(folder) / table, path)
        for file in sorted(each for each in files if not is_hidden(PurePosixPath(each))):
            empty = False
            yield _checked_file(f"{name}/{(inside / file).as_posix()}", Path(folder) / file, path)
    for error in failed:
        called = one_line(str(error.filename))
        yield called, FileRejected(called, unreadable_reason(error))
    if empty and not failed:
        yield name, FileRejected(name, "no file in the folder")


def _checked_file(name: str, file: Path, folder: Path) -> tuple[str, Path | FileRejected]:
    """Return a file in `folder` with its display name; refuse a link out of the folder."""
    called = one_line(name)
    if is_inside(file, folder):
        return called, file
    return called, FileRejected(called, "a link that leads out of its folder")


def _hidden_file_tallies(paths: Sequence[Path], names: Mapping[Path, str]) -> Iterator[Piece]:
    """Yield a tally of hidden files and folders, and system files, for each folder that has any."""
    for path in filter(_is_folder, paths):
        hidden = 0
        for _, folders, files in os.walk(path):
            hidden += sum(is_hidden(PurePosixPath(each)) for each in (*folders, *files))
            folders[:] = [each for each in folders if not is_hidden(PurePosixPath(each))]
        if hidden:
            yield one_line(names.get(path, path.name)), Contents("", tally={PASSED_OVER: hidden})


def _is_folder(path: Path) -> bool:
    """Return whether a path is a folder; False if the system cannot tell."""
    try:
        return path.is_dir()
    except (OSError, ValueError):  # what it is, is said when it is opened as a file
        return False
