"""Text in a form in which copies of it agree: one kind of space, quotation mark and hyphen."""

import re
import unicodedata

from core.text.clean import clean

_QUOTES = str.maketrans(dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"'))
_HYPHENS = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
# Scripts that write no spaces: a line end between two such letters is none of the text.
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_SPACED = re.compile(f"(?<=[{_IDEOGRAPH}]) (?=[{_IDEOGRAPH}])")
_WORD = re.compile(f"[{_IDEOGRAPH}]|[^\\W{_IDEOGRAPH}]+")


def normalised(text: str) -> str:
    """Return `text` with plain spaces, quotation marks and hyphens, in Unicode's NFKC.

    >>> normalised("The\\u00a0“Osprey” –\\nrebuilt")
    'The "Osprey" - rebuilt'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", clean(text)).translate(_QUOTES)
        text = _HYPHENS.sub("-", text)
    text = " ".join(text.split())
    return text if text.isascii() else _SPACED.sub("", text)


def words(text: str) -> list[str]:
    """Return the words of a normalised text in lower case; an ideograph is a word."""
    return _WORD.findall(text.casefold())
