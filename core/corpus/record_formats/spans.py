"""Answers that are spans of a paragraph: the sentences that hold them are evidence."""

from collections.abc import Iterable
from functools import lru_cache

from core.corpus.contents import characters
from core.corpus.given_evidence import without_repeats
from core.text.clean import clean, one_line
from core.text.sentences import sentence_places
from core.types import Document, Evidence, EvidenceKind

NO_SPAN = "an answer is no part of its paragraph, so the whole paragraph is evidence"

Span = tuple[object, str]
"""Where an answer begins in its paragraph, in characters, and its text."""


def span_evidence(
    context: str, spans: Iterable[Span], made: Document
) -> tuple[tuple[Evidence, ...], bool]:
    """Return the sentences that hold `spans`, each once, and whether all spans were found.

    Parameters
    ----------
    context : the paragraph as its file has it, in which the spans' places count.
    made : the document that it became.
    """
    found: dict[tuple[int, int], Evidence] = {}
    all_found = True
    for place, text in spans:
        answer = clean(characters(text)).strip()
        at = _nearest(made.text, answer, _moved(context, place)) if answer else -1
        kind: EvidenceKind = "span"
        if at >= 0:
            start, end = _sentences(made.text, at, at + len(answer))
        else:
            kind, all_found, start, end = "paragraph", False, 0, len(made.text)
        held = Evidence(one_line(made.text[start:end]), kind, made.id, answer=one_line(answer))
        found.setdefault((start, end), held)
    return without_repeats(found.values()), all_found


def _moved(context: str, place: object) -> int:
    """Return where a place of `context` is in the text of its document."""
    before = context[:place] if isinstance(place, int) else ""
    return len(clean(characters(before)).lstrip())


def _nearest(text: str, span: str, place: int) -> int:
    """Return the start of `span` that is nearest to `place`, -1 if the text does not hold it."""
    before, behind = text.rfind(span, 0, place + len(span)), text.find(span, place)
    starts = [each for each in (before, behind) if each >= 0]
    return min(starts, key=lambda start: abs(start - place), default=-1)


def _sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the sentences begin and end that hold the characters from `start` to `end`."""
    held = [place for place in _places(text) if place[0] < end and place[1] > start]
    return held[0][0], held[-1][1]


@lru_cache(maxsize=256)  # the questions of a paragraph follow one another
def _places(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(sentence_places(text))
