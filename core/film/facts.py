"""The text of a passage as a film shows it, with the evidence in it."""

from collections.abc import Sequence

from core.evidence import evidence_spans, excerpt
from core.film.words import cropped
from core.types import Evidence

_LEAST = 60  # characters on each side of evidence


def readable(text: str, evidence: Sequence[Evidence], length: int) -> tuple[str, list[str]]:
    """Return about `length` characters of a text, and the parts of them that are evidence.

    They are its first, unless evidence stands behind them: then they are those around it.
    """
    spans = evidence_spans(text, evidence)
    if not spans or spans[-1][1] < length:
        return cropped(text, length), [text[start:end] for start, end in spans]
    left = length - sum(end - start for start, end in spans)
    pieces = excerpt(text, spans, max(_LEAST, left // (2 * len(spans))))
    return "".join(piece for piece, _ in pieces), [piece for piece, marks in pieces if marks]
