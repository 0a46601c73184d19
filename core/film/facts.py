"""The text of a passage as a film shows it, with the evidence in it."""

from collections.abc import Sequence

from core.evidence import evidence_spans, excerpt
from core.film.words import cropped
from core.types import Evidence

_BEFORE = 80  # characters before the first evidence, so that it is read without scrolling
_LEAST = 60  # characters on each side of evidence


def readable(text: str, evidence: Sequence[Evidence], length: int) -> tuple[str, list[str]]:
    """Return about `length` characters of a text, and the parts of them that are evidence.

    They are its first, or begin shortly before the first evidence. Where that is too little for
    all evidence, they are the text around each piece.
    """
    spans = evidence_spans(text, evidence)
    if not spans:
        return cropped(text, length), []
    space = text.rfind(" ", 0, max(0, spans[0][0] - _BEFORE))
    begun = f"… {text[space + 1 :]}" if space > 0 else text
    if spans[-1][1] - space < length:
        return cropped(begun, length), [text[start:end] for start, end in spans]
    left = length - sum(end - start for start, end in spans)
    pieces = excerpt(text, spans, max(_LEAST, left // (2 * len(spans))))
    return "".join(piece for piece, _ in pieces), [piece for piece, marks in pieces if marks]
