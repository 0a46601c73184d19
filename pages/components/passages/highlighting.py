"""Texts with their evidence highlighted, as HTML. The texts are escaped."""

from collections.abc import Iterable
from html import escape

from core.evidence import Piece, evidence_spans, excerpt, marked
from core.types import Evidence
from pages.components.shell.formatting import cropped


def highlighted(text: str, evidence: Iterable[Evidence]) -> str:
    """Return `text` with its evidence highlighted."""
    return as_html(marked(text, evidence_spans(text, evidence)))


def highlighted_excerpt(text: str, evidence: Iterable[Evidence], around: int) -> str:
    """Return the evidence in `text` with about `around` characters on each side; without evidence
    the beginning of the text."""
    return as_html(excerpt(text, evidence_spans(text, evidence), around))


def fact(text: str, length: int) -> str:
    """Return the text of evidence highlighted, in at most `length` characters, between words."""
    return as_html([(cropped(text, length), True)])


def as_html(pieces: Iterable[Piece]) -> str:
    """Return pieces of a text, those that are marked in a `mark`."""
    return "".join(
        f"<mark class='hop-fact'>{escape(text)}</mark>" if marks else escape(text)
        for text, marks in pieces
    )
