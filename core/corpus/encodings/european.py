"""Guess which 8-bit encoding a text of a European language is in.

Statistical detectors need long texts. A short one shows its encoding by its letters: those beyond
ASCII all belong to one alphabet if it is decoded as it was written, and hardly ever otherwise.
"""

import re
from collections import Counter
from collections.abc import Sequence

ENCODINGS = ("cp1252", "iso8859_15", "cp1250", "cp1254", "iso8859_2", "mac_roman", "cp437", "cp850")
"""Candidates, the most frequent first."""

_ALPHABETS = (
    "äöüß",  # German
    "àâæçéèêëîïôœùûÿ",  # French
    "áéíñóúü",  # Spanish
    "àáâãçéêíóôõú",  # Portuguese
    "àèéìíòóù",  # Italian
    "åäöé",  # Swedish, Finnish
    "æøåéó",  # Danish, Norwegian
    "éëïóöèü",  # Dutch
    "áæðéíóöúýþ",  # Icelandic
    "ąćęłńóśźż",  # Polish
    "áčďéěíňóřšťúůýž",  # Czech
    "áäčďéíĺľňóôŕšťúýž",  # Slovak
    "áéíóöőúüű",  # Hungarian
    "čćđšž",  # Croatian, Slovenian
    "ăâîşţ",  # Romanian
    "çğıöşüâîi̇",  # Turkish; a capital I with a dot is two characters in lower case
    "äõöüšž",  # Estonian
)
_TYPOGRAPHIC = frozenset("‘’“”„‚–—…€£«»¿¡")  # as good a proof as a letter
_NEUTRAL = frozenset("§°‹›·•©®™ºª†½²³\xa0")
_INSIDE = re.compile(
    r"(?<=[^\W\d_])[^\w\s'’.\-–·ºª]+(?=[^\W\d_])"  # a sign between two letters
    r"|[\u00b2\u00b3\u00b9\u00bc-\u00be](?=[a-z])"  # a raised number or a fraction before one
)


def guess_encoding(data: bytes) -> str:
    """Return the candidate that gives `data` the most plausible letters.

    Parameters
    ----------
    data : text with a few bytes beyond ASCII.
    """
    return best_encoding(data, ENCODINGS)


def best_encoding(data: bytes, encodings: Sequence[str]) -> str:
    """Return that of `encodings` with the most plausible letters, the first of equals."""
    return max(encodings, key=lambda encoding: plausibility(data, encoding))


def plausibility(data: bytes, encoding: str) -> float:
    """Count the letters of the best alphabet, less other letters and signs inside words."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return float("-inf")
    beyond = Counter(sign for sign in text if sign > "\x7f")
    letters = {sign: n for sign, n in beyond.items() if sign.isalpha()}
    best = max(
        sum(n if letter.lower() in alphabet else -n for letter, n in letters.items())
        for alphabet in _ALPHABETS
    )
    signs = {sign: n for sign, n in beyond.items() if not sign.isalpha()}
    typographic = sum(n for sign, n in signs.items() if sign in _TYPOGRAPHIC)
    strange = sum(n for sign, n in signs.items() if sign not in _TYPOGRAPHIC | _NEUTRAL)
    inside = sum(len(word_part) for word_part in _INSIDE.findall(text) if not word_part.isascii())
    return best + typographic - 2 * strange - 2 * inside
