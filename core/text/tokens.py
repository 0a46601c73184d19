"""Word tokens: what BM25, coverage and the gazetteer count."""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from core.text.scripts import SEGMENTED, is_unspaced, segments
from core.text.stemming import root

# An accent that marks the stress of a Cyrillic vowel has no letter of its own to be part of.
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+|(?<=[\u0400-\u04ff])[\u0300\u0301][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
# The first letter behind the Latin ones (and those of phonetic script).
_BEYOND_LATIN = "\u0370"
_NEXT = re.compile(r"\w")


class Token(NamedTuple):
    """A word as written in the text, `text[start:end]`."""

    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Return words of `text` in order.

    An apostrophe inside a word belongs to it, a hyphen does not.

    Where words are not told by letters and spaces alone, ICU's dictionaries say what is a word.
    """
    if text.isascii() or not SEGMENTED.search(text):
        return [Token(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]
    return list(_segmented_tokens(text))


def _segmented_tokens(text: str) -> Iterator[Token]:
    """Yield tokens; runs in scripts without spaces are segmented into words."""
    at = 0
    token = Token("", 0, 0)
    for run in SEGMENTED.finditer(text):
        for token in _plain(text, at, run.start()):
            yield token
        parts = list(segments(run.group()))
        if len(parts) == len(run.group()) and _amid_latin(token, text, run.end()):
            parts = [(run.group(), 0)]
        for word, start in parts:
            token = Token(word, run.start() + start, run.start() + start + len(word))
            yield token
        at = run.end()
    yield from _plain(text, at, len(text))


def _plain(text: str, start: int, end: int) -> Iterator[Token]:
    for match in _WORD.finditer(text, start, end):
        yield Token(match.group(), match.start(), match.end())


def _amid_latin(before: Token, text: str, end: int) -> bool:
    """Return whether what ends there has Latin words on both sides: a name, if no dictionary knows
    it.
    """
    after = _NEXT.search(text, end)
    latin = after and max(before.text[:1], after.group()) < _BEYOND_LATIN
    return bool(latin and before.text)


def normal(word: str) -> str:
    """One word without case, without a possessive ending and as its `root`: `Rome's` is `rome`."""
    plain = bare(word.casefold())
    return plain if plain < _BEYOND_LATIN else root(plain)


def bare(name: str) -> str:
    """Return `name` without a possessive ending."""
    return _POSSESSIVE.sub("", name)


def words(text: str) -> list[str]:
    """Return the normalised words of `text` in order, repeated as often as they occur.

    Equal words are equal however they are typed: in NFC, with a straight apostrophe.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).replace("’", "'")
    if text.isascii() or not SEGMENTED.search(text):
        return [normal(match) for match in _WORD.findall(text)]
    return [normal(token.text) for token in _segmented_tokens(text)]


def opening(text: str, most: int) -> str:
    """Return the first `most` words of `text`, with a single space where white space was."""
    if is_unspaced(text):
        run = tokens(text)
        text = text if len(run) <= most else text[: run[most].start]
        return " ".join(text.split())
    return " ".join(text.split()[:most])


def ending(text: str, most: int) -> str:
    """Return the last `most` words of `text`, with a single space where white space was."""
    if is_unspaced(text):
        run = tokens(text)
        text = text if len(run) <= most else text[run[-most].start :]
        return " ".join(text.split())
    return " ".join(text.split()[-most:])
