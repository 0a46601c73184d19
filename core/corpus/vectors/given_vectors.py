"""Vectors that files give with their texts: read, checked, and paired with documents.

A vector is kept as the bytes of little-endian float32 numbers, scaled to unit length.
"""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from core.corpus.file_contents import Contents
from core.corpus.formats import ending_of, format_of
from core.errors import FileRejected
from core.types import Document

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_DIMENSIONS = 16_384
"""Of a vector; today's embedders have 4,096 at most."""
_WIDTH = 4  # bytes of a number
_NUMBERS = (int, float, type(None))
_ENDING = ".npy"
_HOW = "provide one vector per record, in the same order"

Pieces = Sequence[tuple[str, Contents | FileRejected]]


class BadVector(ValueError):
    """The vector of a record cannot be used; the message says why."""


def vector_of(value: object) -> bytes:
    """Return a list of numbers as the bytes of a unit-norm vector.

    Raises
    ------
    BadVector : it is no list of finite numbers, is too long, or is zero.
    """
    import numpy as np  # not by the process that reads files without vectors

    if isinstance(value, array):
        numbers = np.asarray(value, np.float64)
    elif isinstance(value, list) and value and all(type(n) in _NUMBERS for n in value):
        try:
            numbers = np.asarray(value, np.float64)  # None, which JSON has for NaN, is NaN
        except OverflowError as error:
            raise BadVector("its vector contains a number that is out of range") from error
    else:
        raise BadVector("its vector is missing or is not a list of numbers")
    return packed(numbers)


def packed(numbers: "NDArray[np.float64]") -> bytes:
    """Return one vector, (d,), as bytes, scaled to unit length.

    Raises
    ------
    BadVector : it is empty, too long, not finite, or zero.
    """
    import numpy as np

    if not 0 < len(numbers) <= MOST_DIMENSIONS:
        raise BadVector(
            f"its vector has {len(numbers):,} dimensions; 1 to {MOST_DIMENSIONS:,} are supported"
        )
    if not np.isfinite(numbers).all():
        raise BadVector("its vector contains NaN, infinity or null")
    largest = float(np.abs(numbers).max())
    if not largest:
        raise BadVector("its vector is zero")
    scaled = numbers / largest  # squares of large numbers would be infinite
    return (scaled / np.linalg.norm(scaled)).astype("<f4").tobytes()


def dimensions(vector: bytes) -> int:
    return len(vector) // _WIDTH


class SameShape:
    """Checks that either all records of a file have a vector, of one length, or none has."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._first: tuple[int, int] | None = None

    def check(self, number: int, documents: Sequence[Document]) -> None:
        """Raise FileRejected if `documents` of a record differ from those before."""
        for made in documents:
            shape = dimensions(made.vector)
            first, expected = self._first = self._first or (number, shape)
            if shape != expected:
                raise FileRejected(
                    self._file,
                    f"record {number:,} has {_dimensions(shape)}, and record {first:,} has "
                    f"{_dimensions(expected)}; use vectors from the same model for all records",
                )


def _dimensions(count: int) -> str:
    """Describe a vector by its number of dimensions; 0 is no vector."""
    return f"a vector of {count:,} dimensions" if count else "no vector"


def attach_vectors(pieces: Pieces) -> "list[tuple[str, Contents | FileRejected]]":
    """Attach the vectors of `.npy` files to the documents of the files with the same name.

    The rows of `a/b.npy` belong to the records of `a/b.jsonl`; a single file of vectors and a
    single file of records belong together in any case. If the numbers differ, both files are
    refused: nobody would expect texts that have vectors to be embedded.
    """
    vectors = [n for n, (name, _) in enumerate(pieces) if name.lower().endswith(_ENDING)]
    texts = [n for n, (name, each) in enumerate(pieces) if _holds_records(name, each)]
    joined = list(pieces)
    for number in vectors:
        stem = _stem(pieces[number][0])
        others = [other for other in texts if _stem(pieces[other][0]) == stem]
        if not others and len(vectors) == len(texts) == 1:
            others = texts
        for place, piece in _attach(number, others, joined).items():
            joined[place] = (pieces[place][0], piece)
    return joined


def _holds_records(name: str, piece: Contents | FileRejected) -> bool:
    ending = ending_of(name)
    given = isinstance(piece, Contents) and bool(piece.documents)
    return given and bool(ending) and format_of(ending).group == "record"


def _stem(name: str) -> str:
    folder, slash, file = name.rpartition("/")
    return f"{folder}{slash}{file.partition('.')[0]}"


def _attach(
    number: int, others: Sequence[int], pieces: Pieces
) -> dict[int, Contents | FileRejected]:
    """Return the changed contents of one file of vectors and of its file of texts, by number."""
    name, given = pieces[number]
    if not others:
        why = f"no text file has the same name; add {_stem(name)}.jsonl with one record per row"
        return {} if isinstance(given, FileRejected) else {number: FileRejected(name, why)}
    other, held = pieces[others[0]]
    if not isinstance(held, Contents):
        return {}
    if isinstance(given, Contents) and (why := _mismatch(name, given, other, held)):
        given = FileRejected(name, why)
    if isinstance(given, FileRejected):
        problem = f"its vectors in {name} cannot be used; fix them, or remove that file"
        return {number: given, others[0]: FileRejected(other, problem)}
    documents = [
        replace(made, vector=vector)
        for made, vector in zip(held.documents, given.vectors, strict=True)
    ]
    note = f"{other}: its vectors are the rows of {name}"
    return {
        others[0]: replace(held, documents=documents, notes=(*held.notes, note)),
        number: replace(given, vectors=()),
    }


def _mismatch(name: str, given: Contents, other: str, held: Contents) -> str:
    """Explain why vectors do not fit documents; empty if they do."""
    rows, records = len(given.vectors), len(held.documents)
    if any(made.vector for made in held.documents):
        return f"the records of {other} have vectors already; remove one of the two"
    if rows == records:
        return ""
    if rows > records:
        return (
            f"row {records + 1:,} of {name} has no text: {other} has {records:,} records with "
            f"text, and there are {rows:,} vectors; {_HOW}"
        )
    made = held.documents[rows]
    return (
        f"record {rows + 1:,} of {other} ('{made.id[:60]}') has no vector: there are {rows:,} "
        f"vectors and {records:,} records; {_HOW}"
    )
