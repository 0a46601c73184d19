"""Words of scripts with rich endings, cut down to what stays the same in every sentence.

| script | cut off |
| --- | --- |
| Cyrillic, Greek | endings, by Snowball's stemmers of Russian and Greek |
| Arabic | articles, prepositions and endings: Light10 (Larkey et al., SIGIR 2002) |
| Hangul | particles |
| full and half width | the width |
"""

import re
import unicodedata
from functools import cache, lru_cache

import Stemmer

from core.text.stop_words import STOP_WORDS

_FIRST = (
    ("Russian", "\u0400", "\u052f"),
    ("Greek", "\u0370", "\u03ff"),
    ("Greek", "\u1f00", "\u1fff"),
    ("Arabic", "\u0620", "\u06ff"),
    ("Korean", "\uac00", "\ud7a3"),
    ("width", "\uff10", "\uffdc"),
)
_STRESS = re.compile("[\u0300\u0301]")
_HARAKAT = re.compile("[\u0640\u064b-\u065f\u0670]")
_LETTERS = str.maketrans("أإآٱىة", "اااايه")
_ARTICLE = re.compile("^(?:و(?=...))?(?:(?:[بكف]?ال|لل)(?=..))?")
_ENDING = re.compile("(?<=..)(?:ها|ان|ات|ون|ين|يه|ه|ي)$")
_PARTICLE = re.compile(
    "(?<=..)(?:에게서|으로서|으로써|으로부터|에서는|에서도|이었다|이라고|입니다|에게|에서|에는|에도|으로"
    "|부터|까지|보다|처럼|마다|조차|이나|이며|이고|이다|였다|이란|라는|하고|은|는|이|가|을|를|의|에|와|과"
    "|도|만|로|인|나)$"
)


@lru_cache(maxsize=200_000)
def root(word: str) -> str:
    """`word`, without case, as it is counted; a function word and any other script stay.

    >>> root("москве"), root("αθήνασ"), root("والبحيرة"), root("한글은")
    ('москв', 'αθην', 'بحير', '한글')
    """
    if word in STOP_WORDS:
        return word
    match _script(word):
        case "Russian" | "Greek" as name:
            return str(_stemmer(name).stemWord(_STRESS.sub("", word)))
        case "Arabic":
            return _arabic_stem(word)
        case "Korean":
            return _without_particles(word)
        case "width":
            return unicodedata.normalize("NFKC", word)
    return word


def _script(word: str) -> str:
    return next((name for name, low, high in _FIRST if low <= word[:1] <= high), "")


@cache
def _stemmer(language: str) -> Stemmer.Stemmer:
    # Its own cache is off: it is not made for threads.
    return Stemmer.Stemmer(language.casefold(), 0)


def _arabic_stem(word: str) -> str:
    """Strip vowel marks, the article and endings from an Arabic word (light stemming)."""
    plain = _HARAKAT.sub("", word).translate(_LETTERS)
    short = _ARTICLE.sub("", plain)
    while (shorter := _ENDING.sub("", short)) != short:
        short = shorter
    return short


def _without_particles(word: str) -> str:
    """Strip the particles from the end of a Korean noun."""
    # One may hide another: 'in Jeju, too' is the place, a preposition and a particle.
    while (shorter := _PARTICLE.sub("", word)) != word:
        word = shorter
    return word
