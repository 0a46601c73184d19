"""Without a model: the name, date or number in what was found that most looks like an answer.

It is taken from the sentence that has most of the question. What the question names itself is no
answer. English words that tell the same in another form ('director' and 'directed', 'born' for a
birthplace) count as one; other languages are compared word by word.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from core.text.entities.keywords import Keywords
from core.text.entities.mentions import Mention, entity_key
from core.text.entities.passage_names import OPENING
from core.text.sentences import sentences
from core.text.stop_words import STOP_WORDS
from core.text.tokens import Token, bare, normal, tokens, words
from core.types import Passage

_READ = 4  # passages
_ELSEWHERE = 12  # letters that a place counts as farther away where a person is asked for
_COMMON = re.compile(r" ([a-z]\w+)")
_IN = re.compile(r"\b(?:in|at|to|from|near) (?:the )?$")
_WHERE = re.compile(
    r"\b(?:where|in which|birthplace|place|country|city|state|town|county|region|location"
    r"|hometown|nationality|continent)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(?:when|what year|which year|date|how (?:many|much|old|long))\b", re.IGNORECASE
)
_SAME = tuple(
    frozenset(group.split())
    for group in (
        "director directed directs",
        "author writer written wrote novelist writes",
        "composer composed music soundtrack scored",
        "performer singer sung performed recorded song single artist by",
        "producer produced",
        "creator created founder founded",
        "birth birthplace born birthdate",
        "death died die deathplace",
        "spouse wife husband married marriage widow",
        "father son daughter mother parents child children",
        "sibling brother sister",
        "located situated is lies",
        "country nationality from citizen",
        "played plays plays starred starring",
        "team plays played player",
        "company subsidiary part",
        "owner owned owns bought acquired purchased",
        "educated attended graduated alma university college",
    )
)


@dataclass(frozen=True, slots=True)
class Span:
    """An answer in a few words, with the sentence that it stands in; `passage_id` is whose."""

    text: str
    sentence: str
    passage_id: str


def span(question: str, ranking: Sequence[Passage], keywords: Keywords) -> Span | None:
    """Return the mention that most looks like the answer of `question`; None if there is none.

    Of each sentence of the first passages it is counted how many of the question's words it has,
    its passage's title with it; more counts a title that the question names, and a word that tells
    what is asked. Of the best sentence the mention is taken that stands nearest to such a word.
    Among equals it is the first one.

    Parameters
    ----------
    ranking : the passages, best first; the first four are read.
    """
    asked = _Asked.of(question, keywords)
    best, found = 0.0, None
    for rank, passage in enumerate(ranking[:_READ]):
        named = entity_key(passage.title) in asked.names
        title = words(passage.title)
        for place, text in enumerate(sentences(passage.text)):
            run = tokens(text)
            span_words = [normal(token.text) for token in run]
            cues = [
                token for token, word in zip(run, span_words, strict=True) if word in asked.cues
            ]
            worth = len(asked.content & {*span_words, *title}) - 0.3 * rank - 0.05 * place
            worth += 2.0 * bool(cues) + 2.0 * named
            mentions = [m for m in keywords.mentions(text) if _fits(m, text, asked)]
            if named and place == 0:  # it opens with its own name in full
                mentions = [mention for mention in mentions if mention.start > OPENING]
            answer = _nearest(mentions, text, cues, asked)
            if not answer and not named and not asked.counts:
                answer = passage.title
            if answer and worth > best:
                best, found = worth, Span(answer, text, passage.id)
    return found


@dataclass(frozen=True, slots=True)
class _Asked:
    """`content` are the question's own words, `cues` those of no name and what tells the same.

    `counts` where a date or number is asked for, `where` a place.
    """

    names: frozenset[str]
    content: frozenset[str]
    cues: frozenset[str]
    counts: bool
    where: bool

    @staticmethod
    def of(question: str, keywords: Keywords) -> "_Asked":
        """Read what a question asks for: its names, its words, and the kind of the answer."""
        names = frozenset(keywords.of(question))
        named = set(chain.from_iterable(words(name) for name in names))
        question_words = set(words(question))
        plain = question_words - STOP_WORDS - named
        cues = plain.union(*(group for group in _SAME if group & plain))
        counts, where = bool(_COUNTED.search(question)), bool(_WHERE.search(question))
        return _Asked(names, frozenset(question_words - STOP_WORDS), frozenset(cues), counts, where)


def _fits(mention: Mention, text: str, asked: _Asked) -> bool:
    """Check whether a mention is of the kind asked for, and is not named in the question."""
    if (mention.kind == "number") != asked.counts:
        return False
    mentioned = set(words(mention.key))
    if any(mentioned <= named or named <= mentioned for named in map(set, map(words, asked.names))):
        return False
    # 'an American actor': one word before a common one is no name of its own.
    qualifies = len(mentioned) == 1 and _COMMON.match(text, mention.end)
    return not qualifies or normal(qualifies[1]) in STOP_WORDS or asked.counts


def _nearest(mentions: Sequence[Mention], text: str, cues: Sequence[Token], asked: _Asked) -> str:
    """Return the mention nearest to a cue, one behind it before one in front of it.

    Empty without any.
    """

    def distance(mention: Mention) -> float:
        """Return the distance from a cue in characters; double if ahead of it."""
        after_cue = [mention.start - cue.end for cue in cues if cue.end <= mention.start]
        ahead_of_cue = [
            2 * (cue.start - mention.end) + 10 for cue in cues if mention.end <= cue.start
        ]
        near = min((*after_cue, *ahead_of_cue), default=mention.start)
        located = bool(_IN.search(text, 0, mention.start))
        return near + _ELSEWHERE * (asked.where != located)

    nearest = min(mentions, key=distance, default=None)
    return bare(text[nearest.start : nearest.end]) if nearest else ""
