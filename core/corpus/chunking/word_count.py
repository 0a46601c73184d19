"""Words as chunkings count them."""

import re

# A word between spaces; Chinese and Japanese write none, so each of their characters counts.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]|[^\s{_CJK}]+")
_LETTERS = 12  # a run of letters without a space counts as a word for each so many


def words_in(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each word."""
    return [match.span() for match in _WORD.finditer(text)]


def word_count(text: str) -> int:
    """Return how many words `text` has, one of many letters counting as several.

    Thai writes no spaces, and neither do tables of codes: they are long all the same.
    """
    return sum(1 + (end - start - 1) // _LETTERS for start, end in words_in(text))
