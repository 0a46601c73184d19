"""NER(.) without a model: the names, dates and numbers that a text mentions.

An entity is a run of capitalised words or of katakana, a quoted title, a date or a number, or a
title of the corpus. Titles are matched without regard to case, so that a question typed in lower
case finds them too, and one in a script without capitals. Entities are compared in one normal form:
lower case, no possessive or other ending, no leading article, no bracketed part.
"""

import re
from collections.abc import Iterable
from itertools import chain, pairwise

from core.text.entities.gazetteer import LONGEST_RUN, Gazetteer, KnownNames
from core.text.entities.mentions import Mention, entity_key, run_key
from core.text.scripts import SEGMENTED_SIGNS, is_unspaced
from core.text.stop_words import STOP_WORDS
from core.text.tokens import Token, bare, normal, tokens

# What may stand between two words of one name: nothing but a space, a hyphen, or an initial's dot.
_INSIDE_NAME = re.compile(r"['’]?\s|[-‐–/&]\s?|\s&\s")
_SENTENCE_END = re.compile(r"[.!?:;\n\"“”。！？：；؟]")
_CONNECTORS = frozenset(
    "of the de la le du des del della di da dos van von der den bin ibn al el y e".split()
)
# The blanks of a long quotation are part of it here: two repeats that both may take them are slow.
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»\n]{2,80})[\"”“»]")
# Titles of works in Chinese and Japanese. What ends as a sentence does is speech.
_BOOK_TITLE = re.compile("[《〈「『]([^《》〈〉「」『』。！？!?\n]{2,40})[》〉」』]")
# Names from other languages, which Japanese writes in a script of their own.
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]{3,}(?:[・＝][\u30a1-\u30fa\u30fc]+)*")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
# A sign such as that of a year may stand close to a number.
_NUMBER = re.compile(
    rf"(?:\b|(?<=[{SEGMENTED_SIGNS}]))"
    rf"(?:\d{{1,2}} (?:{_MONTHS}),? \d{{4}}|(?:{_MONTHS}) \d{{1,2}}, ?\d{{4}}"
    rf"|(?:{_MONTHS}) \d{{4}}|\d[\d,.]*\d|\d)"
    rf"(?:\b|(?=[{SEGMENTED_SIGNS}]))",
    re.IGNORECASE,
)
_LONGEST_NAME = 8
# Capitalised in English, and shared by passages that have nothing else in common.
_CALENDAR = frozenset(
    f"{_MONTHS}|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday".casefold().split("|")
)


class Keywords:
    """NER(.) with the names of one corpus' passages as gazetteer.

    Parameters
    ----------
    titles : titles of the corpus' passages, or what stands in for them
        (`core.text.entities.passage_names`), of which those are found that `is_findable`.
    known : finds them instead, where they are not in memory.
    """

    def __init__(self, titles: Iterable[str] = (), known: KnownNames | None = None) -> None:
        keys = {entity_key(title) for title in titles}
        self._known = known or Gazetteer(frozenset(filter(is_findable, keys)))

    def of(self, text: str) -> tuple[str, ...]:
        """Return the distinct entities of `text`, sorted."""
        return tuple(sorted({mention.key for mention in self.mentions(text)}))

    def mentions(self, text: str) -> list[Mention]:
        """Return mentions in order of place; of nested ones the outermost or a long title."""
        run = tokens(text)
        distinct = {
            (mention.start, mention.end): mention
            for mention in (
                *_number_mentions(text),
                *_name_mentions(text, run),
                *_quoted_mentions(text),
                *_katakana_mentions(text),
                *self._known.mentions(text, run),
            )
        }
        return _outermost(sorted(distinct.values(), key=lambda m: (m.start, -m.end)))


def _outermost(mentions: list[Mention]) -> list[Mention]:
    """Drop what lies inside a longer mention: 'Close Range' in "At Close Range"."""
    kept: list[Mention] = []
    reach = 0
    for mention in mentions:
        long_title = mention.kind == "title" and _word_count(mention.key) > 1
        if mention.end > reach or long_title:
            kept.append(mention)
        reach = max(reach, mention.end)
    return kept


def is_findable(key: str) -> bool:
    """Check whether a normalised name is searched for in texts.

    Names of function words alone, or with more than 40 words, are not.
    """
    return _word_count(key) <= LONGEST_RUN and not STOP_WORDS.issuperset(key.split())


def _word_count(key: str) -> int:
    return len(tokens(key)) if is_unspaced(key) else key.count(" ") + 1


def _name_mentions(text: str, run: list[Token]) -> list[Mention]:
    """Return runs of capitalised words, joined over connectors such as 'of'."""
    mentions = []
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
        key = run_key(run[start:end])
        if (
            key
            and key.removesuffix("s") not in _CALENDAR
            and not _only_opens_sentence(text, run, start, end, inside)
        ):
            mentions.append(Mention(key, run[start].start, run[end - 1].end, "name"))
        at = max(end, at + 1)
    return mentions


def _name_end(text: str, run: list[Token], at: int) -> int:
    """Return the end of the name that begins at token `at`, as an index into `run`.

    A name goes on over capitalised tokens and up to two connectors, such as 'of the'.
    """
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
        if not all(_is_one_name(text, run[i], run[i + 1]) for i in range(end - 1, step)):
            break
        end = step + 1
    return end


def _is_one_name(text: str, left: Token, right: Token) -> bool:
    gap = text[left.end : right.start]
    initial = len(left.text) == 1 and gap in (". ", ".")
    return initial or bool(_INSIDE_NAME.fullmatch(gap))


def _inside_sentences(text: str, run: list[Token]) -> frozenset[str]:
    """Return the words that occur elsewhere than at the start of a sentence."""
    return frozenset(
        token.text
        for before, token in pairwise(run)
        if not _SENTENCE_END.search(text, before.end, token.start)
    )


def _only_opens_sentence(
    text: str, run: list[Token], start: int, end: int, inside: frozenset[str]
) -> bool:
    """Check whether a capitalised word is just the start of a sentence.

    It counts as a name if it is capitalised inside another sentence of this text.
    """
    if end - start > 1 or run[start].text.isupper():
        return False
    before = text[run[start - 1].end : run[start].start] if start else "."
    return bool(_SENTENCE_END.search(before)) and run[start].text not in inside


def _quoted_mentions(text: str) -> list[Mention]:
    """Return the titles in quotation marks, without those of stop words only or too many words."""
    mentions = []
    for match in chain(_QUOTED.finditer(text), _BOOK_TITLE.finditer(text)):
        name = match.group(1).strip()
        key = entity_key(name)
        if key and not STOP_WORDS.issuperset(key.split()) and _word_count(key) <= _LONGEST_NAME:
            start = text.index(name, match.start(1))
            mentions.append(Mention(key, start, start + len(name), "quoted"))
    return mentions


def _katakana_mentions(text: str) -> list[Mention]:
    """Return the words in katakana, which Japanese writes foreign names in."""
    return [
        Mention(entity_key(match.group()), match.start(), match.end(), "name")
        for match in _KATAKANA.finditer(text)
    ]


def _number_mentions(text: str) -> list[Mention]:
    """Return the numbers of a text, without thousands separators."""
    return [
        Mention(normal(match.group().replace(",", "")), match.start(), match.end(), "number")
        for match in _NUMBER.finditer(text)
    ]
