"""Word tokens: what BM25, coverage and the gazetteer count."""

import re
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")


class Token(NamedTuple):
    """A word as it stands in the text, `text[start:end]`."""

    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Words of `text` in order; an apostrophe inside a word belongs to it, a hyphen does not."""
    return [Token(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]


def normal(word: str) -> str:
    """One word without case and without a possessive ending: `Rome's` is `rome`."""
    return bare(word.casefold())


def bare(name: str) -> str:
    """`name` as it is written, without a possessive ending."""
    return _POSSESSIVE.sub("", name)


def words(text: str) -> list[str]:
    """Normalised words of `text` in order, repeated as often as they stand there."""
    return [normal(match) for match in _WORD.findall(text)]


# Function words of English. They never name a thing, so they are no keyword, cover nothing of a
# question and start no name; another language simply has none of them.
STOP_WORDS = frozenset(
    """
    a about above after again against all almost along already also although always am among an
    and another any are around as at away back be became because become been before began
    behind being below besides between both but by came can cannot come could currently despite
    did do does doing done down due during each earlier early either else even ever every few
    finally first following for former formerly from further gave get given go had has have
    having he hence her here hers herself him himself his how however i if in indeed initially
    instead into is it its itself just last late later latter least less like made mainly make
    many may me meanwhile might mine more moreover most mostly much must my myself near nearly
    neither never nevertheless next no none nor not nothing now of off often on once one only
    onto or originally other others otherwise our ours out over own part per perhaps please
    previously rather recently same second several she should similarly since so some soon
    still such than that the their theirs them themselves then there therefore these they third
    this those though three through throughout thus to today together too toward towards two
    under unlike until up upon us very via was we well were what whatever when whenever where
    whereas wherever whether which while who whoever whom whose why will with within without
    would yet you your yours yourself
    """.split()
)
