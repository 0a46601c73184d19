"""What passages are called: by their titles, or without one by what their text opens with."""

import re
from collections import defaultdict
from collections.abc import Iterable

from core.text.keywords import Keywords, entity_key
from core.text.tokens import STOP_WORDS, normal, tokens
from core.types import Passage

OPENING = 4
"""A sentence opens with what starts at this character or before: behind an article or a quote."""
_BEGINNING = 200  # characters that surely hold the first words of a text
_LONGEST = 10  # words
# What stands before the first of these is what the text is about: 'Gallu is a demon'.
_HEAD = re.compile(r"(.{2,80}?)\s*(?=[(,;:–—]|\b(?:is|was|are|were)\b)")
_DEFINES = re.compile(r"(?:is|was|are|were)\s+(?:an?|the|one)\b")
_SENTENCE_END = re.compile(r"(?:\b[a-z]\w*|\w{5,})[.!?]\s")
_QUOTES = "\"“”„«»`'‘’ "


def names(passages: Iterable[Passage]) -> tuple[str, ...]:
    """The name of each passage, in their order: the title, or its stand-in, or empty.

    The stand-in of a passage without a title is the thing that its text opens with, as it is
    written there: 'Ada Birch' of 'Ada Birch (born 1952) is a potter.'
    """
    keywords = Keywords()
    return tuple(p.title.strip() or _opening(p.text[:_BEGINNING], keywords) for p in passages)


def _opening(text: str, keywords: Keywords) -> str:
    if defined := _defined(text):
        return defined
    for mention in keywords.mentions(text):
        if mention.kind != "number" and mention.start <= OPENING:
            return text[mention.start : mention.end]
    return ""


def _defined(text: str) -> str:
    """What the text begins by defining, if that is written as a name is."""
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


class Bearers:
    """Who is called by a name, of things whose `names` are given in the order of their numbers."""

    def __init__(self, names: Iterable[str]) -> None:
        self._called: defaultdict[str, list[int]] = defaultdict(list)
        self._with: defaultdict[str, set[str]] = defaultdict(set)
        for number, name in enumerate(names):
            self._called[entity_key(name)].append(number)
        for key in self._called:
            for word in key.split():
                self._with[word].add(key)

    def of(self, keyword: str) -> list[int]:
        """Numbers of the things called `keyword`, a name in its normal form.

        If there is none, and it has two words or more, those whose longer names have its words in
        this order: 'ada birch' then finds 'Ada Mary Birch'.
        """
        words = keyword.split()
        if keyword in self._called or len(words) < 2:
            return self._called.get(keyword, [])
        longer = set.intersection(*(self._with.get(word, set()) for word in words))
        found = (self._called[key] for key in longer if _in_order(words, key.split()))
        return sorted(number for numbers in found for number in numbers)


def _in_order(words: Iterable[str], longer: Iterable[str]) -> bool:
    rest = iter(longer)
    return all(word in rest for word in words)
