"""Names of passages: their own name or title, or else one from the start of their text."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol

from core.text.entities.keywords import Keywords
from core.text.entities.mentions import entity_key
from core.text.scripts import is_unspaced, language
from core.text.stop_words import STOP_WORDS
from core.text.table_rows import cells_of
from core.text.tokens import Token, normal, tokens, words
from core.types import Passage

OPENING = 4
"""A sentence opens with what starts at this character or before: behind an article or a quote."""
_BEGINNING = 200  # characters that surely hold the first words of a text
_LONGEST = 10  # words
# What stands before the first of these is what the text is about: 'Gallu is a demon'.
_HEAD = re.compile(r"(.{2,80}?)\s*(?=[(,;:–—]|\b(?:is|was|are|were|είναι|ήταν)\b)")
_DEFINES = re.compile(r"(?:is|was|are|were)\s+(?:an?|the|one)\b")
_SENTENCE_END = re.compile(r"(?:\b[a-z]\w*|\w{5,})[.!?]\s")
_QUOTES = "\"“”„«»`'‘’《》〈〉「」『』 "
# Where nothing has capitals, what stands before one of these or a bracket is what a text is about.
_COPULAS = frozenset("是 位于 位於 坐落 は هو هي كان كانت".split())
_TOPIC = re.compile("[은는]$")
_CASELESS = frozenset(("zh", "ko", "ar"))


def names(passages: Iterable[Passage]) -> tuple[str, ...]:
    """Return the name of each passage: its own, its title, or a substitute, or empty.

    The substitute for a missing title is the thing that the text opens with, as written there: 'Ada
    Birch' for 'Ada Birch (born 1952) is a potter.'
    """
    keywords = Keywords()
    return tuple(
        p.name or p.title.strip() or _opening(p.text[:_BEGINNING], keywords) for p in passages
    )


def _opening(text: str, keywords: Keywords) -> str:
    """Return the name at the start of a passage: a table cell, a topic, a defined name or an
    entity.
    """
    if row := cells_of(text.lstrip().partition("\n")[0]):
        return row[0].text
    if language(text) in _CASELESS:
        return _topic(text)
    if defined := _defined(text):
        return defined
    for mention in keywords.mentions(text):
        if mention.kind != "number" and mention.start <= OPENING:
            return text[mention.start : mention.end]
    return ""


def _defined(text: str) -> str:
    """Return the name that the text defines at its start; empty if there is none."""
    head = _HEAD.match(text)
    if not head or _SENTENCE_END.search(head[1]):
        return ""
    run = tokens(head[1])
    content = [token for token in run if normal(token.text) not in STOP_WORDS]
    if not content or len(run) > _LONGEST:
        return ""
    # 'The Deep South tornado outbreak was a deadly one': where it is defined, small words are fine.
    written = [token.text[0] for token in content]
    named = all(letter.isupper() or letter.isdigit() for letter in written)
    defines = _DEFINES.match(text, head.end())
    return head[1].strip(_QUOTES) if any(map(str.isupper, written)) and (named or defines) else ""


def _topic(text: str) -> str:
    """Return the topic of the first sentence in a script without capitals, or "".

    '青石镇' of '青石镇是一座小镇。', '한빛 천문대' of '한빛 천문대는 산에 있다.'
    """
    run = tokens(text)[:_LONGEST]
    for place, token in enumerate(run):
        if place and token.text in _COPULAS:
            return _head(text, run[:place], run[place - 1].end)
        if text[token.end : token.end + 2].lstrip()[:1] in ("(", "（"):
            return _head(text, run[: place + 1], token.end)
        if language(token.text) == "ko" and (particle := _TOPIC.search(token.text)):
            return _head(text, run[: place + 1], token.start + particle.start())
    return ""


def _head(text: str, run: list[Token], end: int) -> str:
    """Return `text` up to `end` if its words `run` may be a name; 'this bridge' is none."""
    head = text[:end].strip(_QUOTES)
    ended = any(sign in head for sign in "。！？!?،,，、؛\n")
    return "" if ended or normal(run[0].text) in STOP_WORDS or run[0].text.isdigit() else head


class Called(Protocol):
    """Finds the passages or entities that a name refers to."""

    def of(self, keyword: str) -> list[int]:
        """Return the numbers of the things with the normalised name `keyword`, or a longer one."""
        ...


class Bearers:
    """Finds the items that have a name, given the `names` of all in order of their numbers."""

    def __init__(self, names: Iterable[str]) -> None:
        self._called: defaultdict[str, list[int]] = defaultdict(list)
        self._with: defaultdict[str, set[str]] = defaultdict(set)
        for number, name in enumerate(names):
            self._called[entity_key(name)].append(number)
        for key in self._called:
            for word in name_words(key):
                self._with[word].add(key)

    def of(self, keyword: str) -> list[int]:
        """Return the numbers of the things with the normalised name `keyword`.

        If there is none and the name has two or more words, longer names with these words in this
        order match: 'ada birch' then finds 'Ada Mary Birch'.
        """
        parts = name_words(keyword)
        if keyword in self._called or len(parts) < 2:
            return self._called.get(keyword, [])
        longer = set.intersection(*(self._with.get(part, set()) for part in parts))
        lists = (self._called[key] for key in longer if in_order(parts, name_words(key)))
        return sorted(number for numbers in lists for number in numbers)


def in_order(words: Iterable[str], longer: Iterable[str]) -> bool:
    """Check whether `longer` contains all of `words` in their order, perhaps with gaps."""
    rest = iter(longer)
    return all(word in rest for word in words)


def name_words(key: str) -> list[str]:
    """Return the words of a normalised name."""
    return words(key) if is_unspaced(key) else key.split()
