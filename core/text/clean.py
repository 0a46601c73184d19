"""Clean text, so that every table, model and screen accepts it."""

import re
import unicodedata
from hashlib import blake2b

# Control characters but tab and line feed, halves of a surrogate pair, and byte order marks.
_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
# A letter carries a few marks; of thousands, which take quadratic time to put in order, 30 stay
# (as in Unicode's Stream-Safe Text Format).
_MARK = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
_MARKS = re.compile(f"([{_MARK}]{{30}})[{_MARK}]+")
# Soft hyphens, word joiners and zero-width spaces are invisible, and cut words in two for whoever
# compares letters. Thai, Lao, Burmese and Khmer write a zero-width space between words.
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f"
_INVISIBLE = re.compile(
    f"[\u00ad\u180e\u2060-\u2064]|(?<![{_SPACELESS}])\u200b|\u200b(?![{_SPACELESS}])"
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]+")
_LINE_END = re.compile("\r\n?|\x0b|\x0c|\x85|\u2028|\u2029")


def clean(text: str) -> str:
    """Normalise `text` to NFC with `\\n` line ends and without characters that cannot be stored.

    A lone surrogate has no UTF-8 form, so that Arrow and LanceDB refuse the whole table. Soft
    hyphens and other invisible characters inside words are removed.

    >>> clean("a\\r\\nb\\x00\\ud800")
    'a\\nb'
    """
    if text.isascii() and text.isprintable():  # most names and values are, and there are many
        return text
    plain = _UNWANTED.sub("", _LINE_END.sub("\n", text))
    if plain.isascii():
        return plain
    plain = _INVISIBLE.sub("", plain)
    return unicodedata.normalize("NFC", _MARKS.sub(r"\1", plain))


def control_characters(text: str) -> int:
    """Count the control characters that `clean` removes from `text`, line ends excluded."""
    if text.isprintable():
        return 0
    return sum(len(run) for run in _CONTROL.findall(text))


def invisible(text: str) -> int:
    """Count the invisible characters that `clean` removes from `text`."""
    return 0 if text.isascii() else len(_INVISIBLE.findall(text))


def one_line(text: str) -> str:
    """Return `clean(text)` with every run of white space as one space."""
    return " ".join(clean(text).split())


def text_digest(text: str) -> str:
    """Return a digest of `text` that ignores differences in white space."""
    return blake2b(" ".join(text.split()).encode(), digest_size=16).hexdigest()
