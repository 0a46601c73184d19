"""NER(.) without a model: the names, dates and numbers that a text mentions.

An entity is a run of capitalised words, a quoted title, a date or a number, or a title of the
corpus. Titles are matched as whole words without regard to case, so that a question typed in
lower case finds them too. Entities are compared in one normal form: lower case, no possessive, no
leading article, no bracketed part.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from core.text.tokens import STOP_WORDS, Token, bare, normal, tokens

Kind = Literal["title", "name", "quoted", "number"]

_ARTICLES = frozenset(("the", "a", "an"))
_BRACKETED = re.compile(r"\s*[(\[（][^()\[\]（）]*[)\]）]\s*$")
# What may stand between two words of one name: nothing but a space, a hyphen, or an initial's dot.
_INSIDE_NAME = re.compile(r"['’]?\s|[-‐–/&]\s?|\s&\s")
_SENTENCE_END = re.compile(r"[.!?:;\n\"“”]")
_CONNECTORS = frozenset(
    "of the de la le du des del della di da dos van von der den bin ibn al el y e".split()
)
_QUOTED = re.compile(r"[\"“„«]\s*([^\"“”„«»\n]{2,80}?)\s*[\"”“»]")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_NUMBER = re.compile(
    rf"\b(?:\d{{1,2}} (?:{_MONTHS}),? \d{{4}}|(?:{_MONTHS}) \d{{1,2}}, ?\d{{4}}"
    rf"|(?:{_MONTHS}) \d{{4}}|\d[\d,.]*\d|\d)\b",
    re.IGNORECASE,
)
_LONGEST_NAME = 8
# Capitalised in English, and shared by passages that have nothing else in common.
_CALENDAR = frozenset(
    f"{_MONTHS}|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday".casefold().split("|")
)


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity where it stands: `text[start:end]`; `key` is its normal form."""

    key: str
    start: int
    end: int
    kind: Kind


def entity_key(name: str) -> str:
    """The normal form of a name: `The Lion King (film)` is `lion king`; empty if no word is left.

    >>> entity_key("The Lion King (film)")
    'lion king'
    """
    return _key(tokens(_BRACKETED.sub("", name)) or tokens(name))


def _key(run: Iterable[Token]) -> str:
    parts = [normal(token.text) for token in run]
    while len(parts) > 1 and parts[0] in _ARTICLES:
        parts = parts[1:]
    return " ".join(parts)


class Keywords:
    """NER(.) with the names of one corpus' passages as gazetteer.

    Parameters
    ----------
    titles : titles of the corpus' passages, or what stands in for them (`core.text.names`); one
        that is made of function words alone is left out.
    """

    def __init__(self, titles: Iterable[str] = ()) -> None:
        keys = {entity_key(title) for title in titles}
        named = {key for key in keys if not STOP_WORDS.issuperset(key.split())}
        self.titles: frozenset[str] = frozenset(named)
        longest: dict[str, int] = {}
        for key in named:
            first, length = key.split()[0], key.count(" ") + 1
            longest[first] = max(longest.get(first, 0), length)
        self._longest = longest

    def of(self, text: str) -> tuple[str, ...]:
        """The entities of `text`, each once, sorted."""
        return tuple(sorted({mention.key for mention in self.mentions(text)}))

    def mentions(self, text: str) -> list[Mention]:
        """Mentions in order of place; one inside a longer one only if it is a long title."""
        run = tokens(text)
        titles = self._title_mentions(text, run)
        found = {
            (mention.start, mention.end): mention
            for mention in (
                *_number_mentions(text),
                *_name_mentions(text, run),
                *_quoted_mentions(text),
                *titles,
            )
        }
        return _outermost(sorted(found.values(), key=lambda m: (m.start, -m.end)))

    def _title_mentions(self, text: str, run: list[Token]) -> list[Mention]:
        """Longest titles first, from left to right, none inside another."""
        parts = [normal(token.text) for token in run]
        has_case = any(character.isupper() for character in text)
        found: list[Mention] = []
        at = 0
        while at < len(run):
            length = self._title_at(parts, at)
            # 'home' in a sentence is not the film 'Home', unless nothing here has capitals.
            if length and has_case and not any(_capital(t.text) for t in run[at : at + length]):
                length = 0
            if length:
                key = " ".join(parts[at : at + length])
                found.append(Mention(key, run[at].start, run[at + length - 1].end, "title"))
            at += length or 1
        return found

    def _title_at(self, parts: list[str], at: int) -> int:
        most = min(self._longest.get(parts[at], 0), len(parts) - at)
        for length in range(most, 0, -1):
            if " ".join(parts[at : at + length]) in self.titles:
                return length
        return 0


def _outermost(mentions: list[Mention]) -> list[Mention]:
    """Drop what lies inside a longer mention: 'Close Range' in "At Close Range"."""
    kept: list[Mention] = []
    reach = 0
    for mention in mentions:
        long_title = mention.kind == "title" and " " in mention.key
        if mention.end > reach or long_title:
            kept.append(mention)
        reach = max(reach, mention.end)
    return kept


def _capital(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()


def _name_mentions(text: str, run: list[Token]) -> list[Mention]:
    """Runs of capitalised words; a connector such as 'of' joins capitals on both its sides."""
    found = []
    inside = _inside_sentences(text, run)
    at = 0
    while at < len(run):
        if not run[at].text[0].isupper():
            at += 1
            continue
        end = _name_end(text, run, at)
        start = at
        while start < end and normal(run[start].text) in STOP_WORDS:
            start += 1
        while start < end and normal(run[end - 1].text) in STOP_WORDS:
            end -= 1
        key = _key(run[start:end])
        if (
            key
            and key.removesuffix("s") not in _CALENDAR
            and not _only_opens_sentence(text, run, start, end, inside)
        ):
            found.append(Mention(key, run[start].start, run[end - 1].end, "name"))
        at = max(end, at + 1)
    return found


def _name_end(text: str, run: list[Token], at: int) -> int:
    end = at + 1
    # A possessive ends a name: in 'Ada Birch's The Low Road' there are two.
    while (
        end < len(run) and end - at < _LONGEST_NAME and run[end - 1].text == bare(run[end - 1].text)
    ):
        step = end
        while step < len(run) and step - end < 2 and run[step].text in _CONNECTORS:
            step += 1
        if step >= len(run) or not run[step].text[0].isupper():
            break
        if not all(_joined(text, run[i], run[i + 1]) for i in range(end - 1, step)):
            break
        end = step + 1
    return end


def _joined(text: str, left: Token, right: Token) -> bool:
    gap = text[left.end : right.start]
    initial = len(left.text) == 1 and gap in (". ", ".")
    return initial or bool(_INSIDE_NAME.fullmatch(gap))


def _inside_sentences(text: str, run: list[Token]) -> frozenset[str]:
    """The words that stand anywhere in `text` but at the start of a sentence."""
    return frozenset(
        token.text
        for before, token in pairwise(run)
        if not _SENTENCE_END.search(text, before.end, token.start)
    )


def _only_opens_sentence(
    text: str, run: list[Token], start: int, end: int, inside: frozenset[str]
) -> bool:
    """A lone capitalised word at the start of a sentence is as likely an ordinary word.

    It is a name if it stands capitalised inside a sentence somewhere else in this text.
    """
    if end - start > 1 or run[start].text.isupper():
        return False
    before = text[run[start - 1].end : run[start].start] if start else "."
    return bool(_SENTENCE_END.search(before)) and run[start].text not in inside


def _quoted_mentions(text: str) -> list[Mention]:
    found = []
    for match in _QUOTED.finditer(text):
        key = entity_key(match.group(1))
        if key and not STOP_WORDS.issuperset(key.split()) and key.count(" ") < _LONGEST_NAME:
            found.append(Mention(key, match.start(1), match.end(1), "quoted"))
    return found


def _number_mentions(text: str) -> list[Mention]:
    return [
        Mention(normal(match.group().replace(",", "")), match.start(), match.end(), "number")
        for match in _NUMBER.finditer(text)
    ]
