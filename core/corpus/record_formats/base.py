"""The interface of a file format: how it is recognised, and how a record is converted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.corpus.file_contents import Judgement, Row
from core.corpus.record_formats.field_names import folded_name
from core.types import Document, Query


class Unreadable(ValueError):
    """A record is not in its format; the message says why, in words for the user."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The contents of one record; see `Contents` for the fields.

    `remarks` say what of the record was left out or changed. They continue the words 'in 3 of 7
    records' and are counted over a file. `without_text` are documents left out for want of one.
    """

    documents: tuple[Document, ...] = ()
    queries: tuple[Query, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    retrieved: tuple[Document, ...] = ()
    remarks: tuple[str, ...] = ()
    without_text: int = 0

    @property
    def is_empty(self) -> bool:
        return not (self.documents or self.queries or self.judgements)


NOTHING = Piece()


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name, whether the first record of a file fits, and how to read one record.

    `read(row, file)` may raise `Unreadable`, LookupError, TypeError, ValueError, AttributeError or
    OverflowError for a record that is not in the format. Empty records of a `judges` format are
    not missed: they are judgements of 'not relevant'.
    """

    name: str
    fits: Callable[[Row, str], bool]
    read: Callable[[Row, str], Piece]
    merges: bool = False
    judges: bool = False


def has_keys(*keys: str) -> Callable[[Row, str], bool]:
    """Return whether a record has all of `keys`."""
    return lambda row, _: all(key in row for key in keys)


def has_folded(*keys: str) -> Callable[[Row, str], bool]:
    """Return a test like `has_keys` that ignores the case of the field names."""
    return lambda row, _: set(keys) <= set(map(folded_name, row))


def with_text(documents: Sequence[Document], piece: Piece = NOTHING) -> Piece:
    """`piece` with those of `documents` that have a text, and how many have none."""
    made = tuple(each for each in documents if each.text)
    return replace(piece, documents=made, without_text=len(documents) - len(made))
