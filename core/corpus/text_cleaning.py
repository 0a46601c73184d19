"""Remove invisible characters and inline images from the text of a document."""

import re

from core.corpus.omissions import count
from core.text.clean import clean, control_characters, invisible

_IMAGE = r"data:[\w.+-]{1,40}/[\w.+-]{1,80}(?:;[\w.+=-]{1,80}){0,8},"
# With Markdown's or HTML's image around it; base64 may be broken into lines.
_BASE64 = re.compile(
    rf"!\[([^\[\]\n]{{0,300}})\]\(\s*{_IMAGE}[\w+/=%-]{{20,}}[^)\n]{{0,200}}\)"
    rf"|<img\b[^<>]{{0,500}}?\bsrc\s*=\s*[\"']?{_IMAGE}[\w+/=%-]{{20,}}[^<>]{{0,500}}>"
    rf"|{_IMAGE}[\w+/%-]{{20,}}(?:\s*\n[\w+/%-]{{60,}})*=*"
    r"|(?<![\w+/])(?=[\w+/]{0,200}[A-Z])(?=[\w+/]{0,200}[a-z])(?=[\w+/]{0,200}\d)"
    r"[A-Za-z0-9+/]{400,}(?:\s*\n[A-Za-z0-9+/]{60,})*=*"
)
_LONG = 400  # characters of base64 that nothing announces
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile(f"[{''.join(_LIGATURES)}]")


def _without_ligatures(text: str) -> str:
    """Return `text` with the letters of ligatures, by which words are found."""
    if text.isascii():
        return text
    text, number = _LIGATURE.subn(lambda found: _LIGATURES[found[0]], text)
    count("ligature{s} written as letters", number)
    return text


def readable(text: str) -> str:
    """Return `clean(text)` without data encoded in base64, counting what was removed.

    The description of a Markdown image is kept.
    """
    count("control character{s} removed", control_characters(text))
    count("invisible character{s} removed (soft hyphens, zero-width spaces)", invisible(text))
    text = _without_ligatures(clean(text))
    if "data:" not in text and all(len(word) < _LONG for word in text.split()):
        return text  # as nearly all are: the search takes a second for each MB
    text, number = _BASE64.subn(lambda found: found[1] or "", text)
    count("inline image{s} or other data in base64 left out", number)
    return text
