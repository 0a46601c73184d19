"""Answers that are spans of a paragraph: a sentence that contains one is evidence."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from core.corpus.file_contents import characters
from core.text.clean import clean, one_line
from core.text.sentences import sentence_places
from core.types import Document, Evidence

NO_SPAN = "an answer is not in its paragraph, so the whole paragraph is evidence"

Span = tuple[object, str]
"""Where an answer begins in its paragraph, in characters, and its text."""


def span_evidence(
    context: str, spans: Iterable[Span], made: Document
) -> tuple[tuple[Evidence, ...], bool]:
    """Return the sentence that contains most of `spans`, and whether all spans were found.

    The spans are the answers of several annotators to one question: the sentences of the others
    are alternatives. The evidence is the whole paragraph if no span is found.

    Parameters
    ----------
    context : the paragraph as its file has it, in which the spans' places count.
    made : the document that it became.
    """
    answers_by_span: dict[tuple[int, int], list[str]] = {}
    answers = [(place, clean(characters(text)).strip()) for place, text in spans]
    for place, answer in answers:
        at = _nearest(made.text, answer, _moved(context, place)) if answer else -1
        if at >= 0:
            answers_by_span.setdefault(_sentences(made.text, at, at + len(answer)), []).append(
                answer
            )
    all_found = sum(map(len, answers_by_span.values())) == len(answers)
    if not answers_by_span:
        whole = Evidence(one_line(made.text), "paragraph", made.id)
        return tuple(replace(whole, answer=one_line(each)) for _, each in answers[:1]), all_found
    best, *others = sorted(answers_by_span, key=lambda held: -len(answers_by_span[held]))
    text, *alternatives = (one_line(made.text[start:end]) for start, end in (best, *others))
    held = Evidence(text, "span", made.id, answer=one_line(answers_by_span[best][0]))
    distinct = tuple(each for each in dict.fromkeys(alternatives) if each != text)
    return (replace(held, alternatives=distinct),), all_found


def _moved(context: str, place: object) -> int:
    """Map a character position of `context` to the cleaned text of its document."""
    before = context[:place] if isinstance(place, int) else ""
    return len(clean(characters(before)).lstrip())


def _nearest(text: str, span: str, place: int) -> int:
    """Return the start of `span` nearest to `place`; -1 if the text does not contain it."""
    before, behind = text.rfind(span, 0, place + len(span)), text.find(span, place)
    starts = [each for each in (before, behind) if each >= 0]
    return min(starts, key=lambda start: abs(start - place), default=-1)


def _sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the sentences that overlap the characters from `start` to `end`."""
    held = [place for place in _places(text) if place[0] < end and place[1] > start]
    return held[0][0], held[-1][1]


@lru_cache(maxsize=256)  # the questions of a paragraph follow one another
def _places(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(sentence_places(text))
