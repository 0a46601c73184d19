"""A text cut into passages of a length that embedders read, at the best places there are.

The bundled embedder reads 256 word pieces of a passage, about 200 English words, and is blind to
the rest.
"""

from collections.abc import Iterable, Iterator

from core.corpus.chunking.word_count import word_count, words_in
from core.text.sentences import paragraphs, sentences

WORDS = 200
"""What a passage of a text that is cut has at most, and a third more where it ends."""
WHOLE = 400
"""What a text that is kept whole has at most: the paragraphs of HotpotQA, 2WikiMultiHopQA
and MuSiQue have fewer, but for one in some hundreds."""
_LEAST = WORDS // 3  # a last passage of fewer words joins the one before
Span = tuple[int, int]
_LETTERS = 1600  # of a word that is cut, since it has no end


def split_by_length(text: str) -> list[str]:
    """Split `text` into passages: the whole text if it is short, else groups of paragraphs.

    A paragraph that is too long is split between sentences, and a long sentence between words.
    """
    if word_count(text) <= WHOLE:
        return [text.strip()] if text.strip() else []
    spans: list[tuple[Span, int]] = []
    for span in _pieces(text):
        size = word_count(text[slice(*span)])
        if spans and spans[-1][1] + size <= WORDS:
            spans[-1] = ((spans[-1][0][0], span[1]), spans[-1][1] + size)
        else:
            spans.append((span, size))
    if len(spans) > 1 and spans[-1][1] < _LEAST:
        (last, size) = spans.pop()
        spans[-1] = ((spans[-1][0][0], last[1]), spans[-1][1] + size)
    return [text[slice(*span)] for span, _ in spans]


def _pieces(text: str) -> Iterator[Span]:
    """Yield the spans that are never split further, in order. Together they cover the text, except
    for white space.
    """
    for start, end in _spans_of(text, paragraphs(text), 0):
        paragraph = text[start:end]
        if word_count(paragraph) <= WORDS:
            yield start, end
            continue
        for first, last in _spans_of(text, sentences(paragraph), start):
            yield from _runs(text, first, last)


def _spans_of(text: str, parts: Iterable[str], place: int) -> Iterator[Span]:
    """Yield the span of each part in `text`; parts follow one another."""
    for part in parts:
        place = text.index(part, place)
        yield place, place + len(part)
        place += len(part)


def _runs(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield a sentence, or runs of words of one that is too long."""
    sentence = text[start:end]
    if word_count(sentence) <= WORDS:
        yield start, end
        return
    spans = words_in(sentence)
    for first in range(0, len(spans), WORDS):
        last = min(first + WORDS, len(spans)) - 1
        stop = start + spans[last][1]
        for place in range(start + spans[first][0], stop, _LETTERS):
            yield place, min(place + _LETTERS, stop)
