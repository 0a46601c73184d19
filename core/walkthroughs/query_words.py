"""Words of the query in texts: which are lit, and which are new on a path."""

from collections.abc import Collection, Iterable
from functools import cached_property, lru_cache

import Stemmer

from core.text.scripts import language
from core.text.stop_words import STOP_WORDS
from core.text.tokens import Token, bare, normal, tokens
from core.walkthroughs.contract import Mark, Piece

Words = frozenset[str]
"""Stems of words of the query."""


class QueryWords:
    """The words of a query that carry content, in whatever form a text has them.

    Stems are those of the retrievers (`core.text.tokens.normal`), and of English by Snowball.
    """

    def __init__(self, query: str) -> None:
        self._query = query
        self._english = language(query) == "en"
        self._numbers: dict[str, list[int]] = {}
        self._written: dict[str, str] = {}
        self.pieces: list[tuple[str, bool]] = []
        for text, token in _split(query):
            word = self._content(token) if token else ""
            self.pieces.append((text, bool(word)))
            if word:
                self._numbers.setdefault(word, []).append(len(self.pieces) - 1)
                self._written.setdefault(word, bare(text))

    def _content(self, token: Token) -> str:
        """Return the stem of a word, or an empty string if it carries no content."""
        return _stem(token.text, self._english)

    @cached_property
    def all(self) -> Words:
        """The stems of all of them."""
        return frozenset(self._numbers)

    def covered(self, text: str) -> Words:
        """Return the stems of the query's words that a text has."""
        return self.all & {self._content(token) for token in tokens(text)}

    def numbers(self, words: Collection[str]) -> list[int]:
        """Return the places of words among `pieces`, in order."""
        return sorted(at for word in words for at in self._numbers[word])

    def written(self, words: Collection[str]) -> list[str]:
        """Return words as the query has them, in its order."""
        return [text for word, text in self._written.items() if word in words]

    def marked(self, text: str, known: Collection[str]) -> list[Piece]:
        """Return a text in pieces. Words of the query that are not `known` are new."""
        marked: list[Piece] = []
        for piece, token in _split(text):
            word = self._content(token) if token else ""
            mark: Mark = "plain"
            if word in self._numbers:
                mark = "query" if word in known else "new"
            if marked and mark == "plain" == marked[-1][1]:
                marked[-1] = (marked[-1][0] + piece, "plain")
            else:
                marked.append((piece, mark))
        return marked


def _split(text: str) -> Iterable[tuple[str, Token | None]]:
    """Yield words with their tokens, and what is between them without."""
    at = 0
    for token in tokens(text):
        if token.start > at:
            yield text[at : token.start], None
        yield token.text, token
        at = token.end
    if at < len(text):
        yield text[at:], None


@lru_cache(maxsize=50_000)
def _stem(word: str, english: bool) -> str:
    """Return the stem of a word, in English by Snowball; empty for stop words."""
    plain = normal(word)
    if plain in STOP_WORDS:
        return ""
    return str(_snowball().stemWord(plain)) if english and plain.isascii() else plain


@lru_cache(maxsize=1)
def _snowball() -> Stemmer.Stemmer:
    # Its own cache is off: it is not made for threads.
    return Stemmer.Stemmer("english", 0)
