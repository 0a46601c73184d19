"""What passages are called: by their titles, or without one by what their text opens with."""

import re
from collections.abc import Iterable

from core.text.keywords import Keywords
from core.text.tokens import STOP_WORDS, normal, tokens
from core.types import Passage

OPENING = 4
"""A sentence opens with what starts at this character or before: behind an article or a quote."""
_BEGINNING = 200  # characters that surely hold the first words of a text
# 'Gallu is a demon': one word that opens a text is a name when the sentence defines it.
_DEFINES = re.compile(r"\s*(?:[(,–—]|(?:is|was|are|were)\b)")


def names(passages: Iterable[Passage]) -> tuple[str, ...]:
    """The name of each passage, in their order: the title, or its stand-in, or empty.

    The stand-in of a passage without a title is the thing that its text opens with, as it is
    written there: 'Ada Birch' of 'Ada Birch (born 1952) is a potter.'
    """
    keywords = Keywords()
    return tuple(p.title.strip() or _opening(p.text[:_BEGINNING], keywords) for p in passages)


def _opening(text: str, keywords: Keywords) -> str:
    for mention in keywords.mentions(text):
        if mention.kind != "number" and mention.start <= OPENING:
            return text[mention.start : mention.end]
    return _defined(text)


def _defined(text: str) -> str:
    first = next((t for t in tokens(text) if normal(t.text) not in STOP_WORDS), None)
    if first and first.start <= OPENING and first.text[0].isupper():
        return first.text if _DEFINES.match(text, first.end) else ""
    return ""
