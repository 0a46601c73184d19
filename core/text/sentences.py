"""The sentences of a text, by the rules of sentencex (Wikimedia, about 300 languages, no model)."""

from itertools import groupby

from sentencex import segment

from core.text.clean import clean
from core.text.scripts import language

# The segmenter is quadratic in the worst case (many sentences of one character, quotes that never
# close), so it sees a paragraph through a window of this many characters that slides by whole
# sentences. No real sentence is longer; one that is, is cut at a space.
WINDOW = 4_000


def sentences(text: str) -> list[str]:
    """Return the sentences of `text` in order, none empty; a blank line always ends one.

    Abbreviations, initials, decimals and quotes are seen through; the time is linear in the
    length. A run of more than `WINDOW` characters without an end is cut at its last space.

    >>> sentences("Dr. J. R. Smith came to the U.S. He paid $3.5 million.")
    ['Dr. J. R. Smith came to the U.S.', 'He paid $3.5 million.']
    """
    parts: list[str] = []
    for paragraph in paragraphs(clean(text)):
        parts.extend(_sentences_by_window(paragraph))
    return parts


def sentence_places(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each sentence of a cleaned text, in characters.

    >>> sentence_places("It floats.  It sank.")
    [(0, 10), (12, 20)]
    """
    places, at = [], 0
    for each in sentences(text):
        start = text.index(each, at)
        at = start + len(each)
        places.append((start, at))
    return places


def paragraphs(text: str) -> list[str]:
    """The parts of `text` that blank lines separate, none empty.

    >>> paragraphs("one\\nline\\n \\ntwo")
    ['one\\nline', 'two']
    """
    lines = text.split("\n")
    runs = groupby(lines, key=lambda line: bool(line.strip()))
    return ["\n".join(run).strip() for filled, run in runs if filled]


def _sentences_by_window(paragraph: str) -> list[str]:
    """Split a long paragraph into sentences, `WINDOW` characters at a time."""
    pieces: list[str] = []
    start = 0
    language_code = language(paragraph)
    while len(paragraph) - start > WINDOW:
        window = paragraph[start : start + WINDOW]
        parts = segment(language_code, window)
        # The window's last sentence may go on behind it, so the next window begins with it.
        whole = parts[:-1] or [window[: _cut(window)]]
        pieces.extend(whole)
        start += sum(map(len, whole))
    pieces.extend(segment(language_code, paragraph[start:]))
    return [piece.strip() for piece in pieces if piece.strip()]


def _cut(window: str) -> int:
    """Return the offset at which to split a window of one sentence: after its last space, or its
    end.
    """
    return (max(map(window.rfind, " \n\t")) + 1) or len(window)
