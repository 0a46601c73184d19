"""What a file becomes, for tests of readers."""

from pathlib import Path
from zipfile import ZipFile

from core.corpus import Corpus
from core.corpus.file_contents import LIMITS, Limits
from core.types import Document
from tests.core.corpus.files import read


def only(
    folder: Path, name: str, content: bytes | str, limits: Limits = LIMITS
) -> tuple[Document, list[str]]:
    """The document of a file, and the notes on it without the name of the file."""
    corpus = read(folder, {name: content}, limits)
    assert not corpus.rejected, corpus.rejected
    (made,) = corpus.documents
    return made, notes(corpus, name)


def notes(corpus: Corpus, name: str) -> list[str]:
    return [note.removeprefix(f"{name}: ") for note in corpus.notes]


def sections(made: Document) -> list[tuple[str, ...]]:
    """The headings that the parts of a document stand under."""
    return [each.path for each in made.layout.sections]


def pack(path: Path, parts: dict[str, str]) -> bytes:
    with ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return path.read_bytes()
