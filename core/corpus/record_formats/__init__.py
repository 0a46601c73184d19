"""File formats that are recognised by the fields of their first record."""

from core.corpus.record_formats import hotpot, judged, multihop, questions, stores
from core.corpus.record_formats.base import Format, Piece, Unreadable
from core.corpus.record_formats.plain import plain_format

FORMATS = (
    *questions.FORMATS,
    *hotpot.FORMATS,
    *multihop.FORMATS,
    *judged.FORMATS,
    *stores.FORMATS,
)
"""In the order they are tried; the first that fits a file's first record reads the file."""

__all__ = ["FORMATS", "Format", "Piece", "Unreadable", "plain_format"]
