"""Text in a form in which copies of it agree: one kind of space, quotation mark and hyphen."""

import re
import unicodedata
from functools import cached_property

from core.text.clean import clean

_QUOTES = str.maketrans(dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"'))
_HYPHENS = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
# Scripts without spaces: every character is a token, so that a line break between two is ignored.
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
# A number is one token with its sign and separators: '5 percent' is not part of '1.5 percent'.
_TOKEN = re.compile(
    rf"(?:(?<!\S)-)?\d+(?:[.,:]\d+)+|(?<!\S)-\d+|[{_IDEOGRAPH}]|[^\W{_IDEOGRAPH}]+|\S"
)
_WORD = re.compile(rf"[{_IDEOGRAPH}]|[^\W{_IDEOGRAPH}]+")


def normalised(text: str) -> str:
    """Return `text` in Unicode's NFKC with plain spaces, quotation marks and hyphens.

    >>> normalised("The\\u00a0“Osprey” –\\nrebuilt")
    'The "Osprey" - rebuilt'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", clean(text))
        text = _HYPHENS.sub("-", text)
    text = text.translate(_QUOTES) if "`" in text or not text.isascii() else text
    return " ".join(text.replace("''", '"').split())


def tokens(text: str) -> list[str]:
    """Return the words, numbers and punctuation marks of a normalised text.

    >>> tokens("It rose 1.5%, to 2,000.")
    ['It', 'rose', '1.5', '%', ',', 'to', '2,000', '.']
    """
    return _TOKEN.findall(text)


def words(text: str) -> list[str]:
    """Return the words of a normalised text in lower case; an ideograph is a word."""
    return _WORD.findall(text.casefold())


class Text:
    """A text as tokens, and as these with single spaces between and around them."""

    def __init__(self, text: str) -> None:
        self.raw = text

    @cached_property
    def tokens(self) -> list[str]:
        return tokens(normalised(self.raw))

    @cached_property
    def words(self) -> list[str]:
        """The tokens that are no punctuation."""
        return [each for each in self.tokens if not is_punctuation(each)]

    @cached_property
    def spaced(self) -> str:
        return f" {' '.join(self.tokens)} "

    def holds(self, other: "Text") -> bool:
        """Check whether this text contains `other` in whole words."""
        return other.spaced in self.spaced


def is_punctuation(sign: str) -> bool:
    """Return whether a token is punctuation; percent, currency and vowel signs are none."""
    return len(sign) == 1 and sign != "%" and unicodedata.category(sign)[0] == "P"
