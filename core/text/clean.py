"""Text as every table, model and screen can take it."""

import re
import unicodedata

# Control characters but tab and line feed, halves of a surrogate pair, and byte order marks.
_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
_LINE_END = re.compile("\r\n?|\x0b|\x0c|\x85|\u2028|\u2029")


def clean(text: str) -> str:
    """`text` in Unicode's NFC with `\\n` as its only line end and nothing that cannot be stored.

    A lone surrogate has no UTF-8 form, so that Arrow and LanceDB refuse the whole table.

    >>> clean("a\\r\\nb\\x00\\ud800")
    'a\\nb'
    """
    return unicodedata.normalize("NFC", _UNWANTED.sub("", _LINE_END.sub("\n", text)))


def one_line(text: str) -> str:
    """`clean(text)` with every run of white space as one space: a title, a name, an answer."""
    return " ".join(clean(text).split())
