"""Scripts, as far as the words of a text depend on them."""

import re
from collections.abc import Iterator

from icu4py.breakers import WordBreaker

# Scripts without a space between words: Thai, Lao, Burmese, Khmer, Han, kana, bopomofo.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029"
    "\u3031-\u3035\u303b\u303c\u3041-\u309f\u30a1-\u30fa\u30fc-\u312f\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff"
)
# Scripts whose words an expression over letters does not find: those above, and those in which
# marks that are no letters stand inside words, as from Hebrew to Mongolian. For a set in an
# expression.
SEGMENTED_SIGNS = (
    "\u0590-\u0dff\u0f00-\u0fff\u10a0-\u177f\u1800-\u19df\u1a00-\u1cff\ua000-\ua63f\ua800-\ua9df"
    "\uaa00-\uaa5f\uaa80-\uab2f\uabc0-\ud7ff\ufb1d-\ufdff\ufe70-\ufefc\uffa0-\uffdc"
    f"\U00010000-\U0001afff\U0001e000-\U0001efff{_UNSPACED}"
)
UNSPACED = re.compile(f"[{_UNSPACED}]")
SEGMENTED = re.compile(f"[{SEGMENTED_SIGNS}](?:[\u200c\u200d ]?[{SEGMENTED_SIGNS}])*")
_SAMPLE = 400  # characters that tell a text's language
# Languages whose sentences end otherwise than those of English, by their letters.
_LETTERS = {
    "en": re.compile("[A-Za-z\u00c0-\u024f]"),
    "zh": re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"),
    "ko": re.compile("[\uac00-\ud7a3]"),
    "ar": re.compile("[\u0620-\u06ff]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
}
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_OTHER = re.compile("[\u0370-\u06ff\u1f00-\u1fff\u3041-\ud7a3]")


def segments(run: str) -> Iterator[tuple[str, int]]:
    """Yield the words of `run`, a match of `SEGMENTED`, with their starts, by ICU dictionaries."""
    at = 0
    # Its own places count in UTF-16, ours in characters.
    for part in WordBreaker(run, "root"):
        if any(map(str.isalnum, part)):
            yield part, at
        at += len(part)


def is_unspaced(text: str) -> bool:
    """Check whether any of `text` is in a script without spaces between words."""
    return not text.isascii() and bool(UNSPACED.search(text))


def is_han(text: str) -> bool:
    """Check whether any of `text` is a Han character."""
    return bool(_HAN.search(text))


def language(text: str) -> str:
    """Return the ISO code of a language in the script of most of `text`; `en` for Latin.

    >>> language("鲁迅是作家。"), language("Dostojewski (Достоевский) war Schriftsteller.")
    ('zh', 'en')
    """
    if text.isascii() or not _OTHER.search(text):
        return "en"
    sample = text[:_SAMPLE]
    return max(_LETTERS, key=lambda code: len(_LETTERS[code].findall(sample)))
