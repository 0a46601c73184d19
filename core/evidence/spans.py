"""Spans of evidence, or of a part of it, in the text of a passage."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz import fuzz

from core.evidence.normalising import normalised
from core.types import Evidence

Span = tuple[int, int]
"""First character of a part of a text, and the one after its last."""

NEAREST = 60.0
"""Similarity, in [0, 100], from which words count as near to evidence that no passage holds."""

_CLUSTER = re.compile(r"\S[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]*")
_FEWEST = 3  # letters of a part of evidence


@dataclass(frozen=True, slots=True)
class _Letters:
    """The letters of a text, normalised and without white space; `starts` are their places in it.

    A letter that stands for several characters of the text ends where the next cluster begins.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def span(self, start: int, end: int) -> Span:
        return self.starts[start], self.ends[end - 1]


def _letters(text: str) -> _Letters:
    """Normalise a text and drop its white space; remember where each letter comes from."""
    if text.isascii():
        places = tuple(at for at, letter in enumerate(text) if not letter.isspace())
        return _Letters("".join(text.split()), places, tuple(at + 1 for at in places))
    letters, starts, ends = list[str](), list[int](), list[int]()
    for cluster in _CLUSTER.finditer(text):
        for letter in "".join(normalised(cluster.group()).split()):
            letters.append(letter)
            starts.append(cluster.start())
            ends.append(cluster.end())
    return _Letters("".join(letters), tuple(starts), tuple(ends))


def evidence_spans(text: str, evidence: Iterable[Evidence]) -> tuple[Span, ...]:
    """Return the spans of `evidence` in `text`, in order; touching spans are merged.

    Parameters
    ----------
    text : the text of a passage to which the evidence was mapped. It may contain only a part of
        evidence that spans several passages.
    """
    letters = _letters(text)
    spans = (span for each in evidence for span in _spans(letters, each))
    return _merge_spans(letters.span(*each) for each in spans)


def nearest_span(text: str, evidence: Evidence) -> tuple[float, Span] | None:
    """Return the similarity and the span of the words of `text` most similar to `evidence`.

    None if the similarity is below `NEAREST`.
    """
    letters, wanted = _letters(text), _letters(evidence.text).text
    if not wanted or len(letters.text) < len(wanted):
        return None
    near = fuzz.partial_ratio_alignment(wanted, letters.text, score_cutoff=NEAREST)
    if near is None:
        return None
    start, end = letters.span(near.dest_start, near.dest_end)
    return near.score, whole_words(text, start, end)


def whole_words(text: str, start: int, end: int) -> Span:
    """Return a part of `text`, made longer until it begins and ends with a whole word."""
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return start, end


def _spans(letters: _Letters, evidence: Evidence) -> list[Span]:
    """Return the spans of the evidence and its alternatives, or else of a part of the evidence."""
    texts = [_letters(each).text for each in (evidence.text, *evidence.alternatives)]
    places = [(letters.text.find(each), len(each)) for each in texts if each]
    if whole := [(at, at + size) for at, size in places if at >= 0]:
        return whole
    part = _part_span(letters, texts[0], evidence)
    return [part] if part else []


def _part_span(letters: _Letters, wanted: str, evidence: Evidence) -> Span | None:
    """Return the span of a part of `wanted` in `letters`, exact if possible, else approximate."""
    if not wanted or not letters.text:
        return None
    if evidence.step != "fuzzy" and (part := _part(letters.text, wanted)):
        return part
    near = fuzz.partial_ratio_alignment(wanted, letters.text, score_cutoff=NEAREST)
    return (near.dest_start, near.dest_end) if near else None


def _part(text: str, wanted: str) -> Span | None:
    """Return the part of `wanted` that `text` ends or begins with, or all of `text` if it is one.

    >>> _part("Itwas.Theosprey", "Theospreywasrebuilt.")
    (6, 15)
    """
    if text in wanted:
        return 0, len(text)
    most = min(len(text), len(wanted))
    tail = next((n for n in range(most, _FEWEST - 1, -1) if text.endswith(wanted[:n])), 0)
    head = next((n for n in range(most, _FEWEST - 1, -1) if text.startswith(wanted[-n:])), 0)
    if not (head or tail):
        return None
    return (0, head) if head > tail else (len(text) - tail, len(text))


def _merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Merge spans that overlap or touch."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)
