"""Parts of a text around what is marked in it, cut between words."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.evidence.spans import Span, whole_words

Piece = tuple[str, bool]
"""A part of a text, and whether it is marked."""

_GAP = "…"
_MERGED = 40
"""Characters that two excerpts may lie apart to be shown as one."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """A part of a text that is shown, and the marks in it."""

    start: int
    end: int
    marks: tuple[Span, ...]


def excerpt(text: str, spans: Sequence[Span], around: int) -> list[Piece]:
    """Return the marked parts of `text` with about `around` characters on each side.

    Parameters
    ----------
    spans : in order and apart. Without any, the beginning of the text is returned.
    """
    cuts = _cuts(text, spans, around) or [_Cut(0, _word_end(text, 2 * around), ())]
    pieces: list[Piece] = []
    for cut in cuts:
        if cut.start > 0:
            pieces.append((f"{_GAP} " if not pieces else f" {_GAP} ", False))
        pieces += marked(
            text[cut.start : cut.end], [(a - cut.start, b - cut.start) for a, b in cut.marks]
        )
    if cuts[-1].end < len(text.rstrip()):
        pieces.append((f" {_GAP}", False))
    return pieces


def marked(text: str, spans: Sequence[Span]) -> list[Piece]:
    """Split `text` into pieces, with those in `spans` marked."""
    pieces, at = list[Piece](), 0
    for start, end in spans:
        pieces += [(text[at:start], False), (text[start:end], True)]
        at = end
    return [piece for piece in (*pieces, (text[at:], False)) if piece[0]]


def _cuts(text: str, spans: Sequence[Span], around: int) -> list[_Cut]:
    """Return the part around each of the sorted `spans`, `around` characters wide on both sides.

    Parts that overlap or nearly do are joined.
    """
    cuts: list[_Cut] = []
    for span in spans:
        start, end = _word_start(text, span[0] - around), _word_end(text, span[1] + around)
        if cuts and start <= cuts[-1].end + _MERGED:
            last = cuts.pop()
            cuts.append(_Cut(last.start, max(end, last.end), (*last.marks, span)))
        else:
            cuts.append(_Cut(start, end, (span,)))
    return cuts


def _word_start(text: str, at: int) -> int:
    """Return the start of the first word that begins at `at` or after it; 0 at the beginning."""
    if at <= 0:
        return 0
    space = text.find(" ", at - 1, at + _MERGED)
    return space + 1 if space >= 0 else whole_words(text, at, at + 1)[0]


def _word_end(text: str, at: int) -> int:
    """Return the end of the last word that ends at `at` or before it."""
    if at >= len(text):
        return len(text)
    space = text.rfind(" ", max(0, at - _MERGED), at + 1)
    return space if space >= 0 else at
