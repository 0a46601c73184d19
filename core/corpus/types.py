"""What reading files gives: a corpus, and an account of every file."""

from collections.abc import Callable
from dataclasses import dataclass

from core.errors import FileRejected
from core.types import Document, Query

Progress = Callable[[int, int, str], None]
"""Called with (files done, files in all, name of the file that is read now)."""


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file that was read: its format, and its numbers of documents and questions.

    Counts are the file's own, before it is compared with the other files.
    """

    name: str
    format: str
    documents: int
    queries: int


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A document that was left out: title and text equal those of the document `of`."""

    id: str
    source: str
    of: str


@dataclass(frozen=True, slots=True)
class Brought:
    """A document as a file provided it, before duplicates are merged.

    `number` distinguishes files of the same name, from 1. `quiet` marks a paragraph that several
    questions repeat on purpose. `added_at` is when an index added it (UTC, ISO 8601), or empty.
    """

    document: Document
    number: int = 1
    quiet: bool = False
    added_at: str = ""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents and questions of all files together.

    Ids are unique among `documents` and among `queries`. A query's `gold` names documents by
    their ids here; gold that no document answers to stays as the file wrote it. `notes` are
    sentences on what was changed or left out beside rejected files and duplicates; of them,
    `question_notes` hold whatever documents the questions are asked of. `brought` is what
    `documents` were made of, each text as often as a file has it.
    """

    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    rejected: tuple[FileRejected, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    files: tuple[FileRead, ...] = ()
    notes: tuple[str, ...] = ()
    brought: tuple[Brought, ...] = ()
    question_notes: tuple[str, ...] = ()

    @property
    def claims(self) -> tuple[Brought, ...]:
        """The documents of the files, with repetitions; without files, the corpus documents."""
        return self.brought or tuple(map(Brought, self.documents))


NOTHING = Corpus((), ())
