"""Detect out-questions that their own passage answers: their edges lead to no new passage.

A passage answers a raised question if

- the question repeats one that the passage answers: their terms overlap with a Jaccard index of at
  least `REPEATS`; or
- one sentence of it, with the title, has all terms of the question, states more than these are
  names, and contains an answer of the right kind: a number for 'when' and 'how many', another name
  for 'who' and 'where'.

Terms are stemmed words without articles, auxiliaries and the like. The usual stop words are too
many here: 'What came before the war?' is another question than 'What was the war?'.

The words of a sentence do not show whether it answers 'why' or 'how', so such a question is only
dropped as a repetition. So is a question that consists of names ('Who is Mara Quist?'): another
passage may answer it.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache

import Stemmer

from core.text.entities.keywords import Keywords
from core.text.tokens import words

REPEATS = 0.8
"""Jaccard index from which on two questions ask the same: of five terms, one more or less."""
_ASKING = frozenset(
    "who whom whose what which when where why how many much long far old year date name kind type "
    "person place".split()
)
_EMPTY = frozenset(
    "a an the is are was were be been being do does did has have had will would can could may "
    "might of in on at by to for from and or its his her their it he she they this that also "
    "s".split()
)
_UNTOLD = frozenset(("why", "how"))
_NUMBER = frozenset(("when", "year", "date", "many", "much", "old"))
_NAMED = frozenset(("who", "whom", "whose", "where", "person", "place", "name"))
_COUNTS = frozenset("one two three four five six seven eight nine ten eleven twelve".split())


def answered_by_passage(
    raised: Sequence[str],
    answered: Iterable[str],
    title: str,
    sentences: Iterable[str],
    keywords: Keywords,
) -> list[bool]:
    """Check for each raised question whether its own passage answers it.

    Parameters
    ----------
    raised, answered : the out-questions and in-questions of the passage.
    title, sentences : of the passage.
    keywords : finds the names in a text.
    """
    known = [terms for text in answered if (terms := _terms(text))]
    lines = list(sentences)
    return [
        _repeats(_terms(text), known)
        or any(_answers(line, text, title, keywords) for line in lines)
        for text in raised
    ]


def _repeats(asked: frozenset[str], known: Collection[frozenset[str]]) -> bool:
    return any(len(asked & each) >= REPEATS * len(asked | each) for each in known)


def _answers(line: str, question: str, title: str, keywords: Keywords) -> bool:
    """Check whether a sentence answers the question: it has all its terms, and new ones.

    A question for a number needs a number, one for a name needs a new name.
    """
    question_terms, line_terms = _terms(question), _terms(line)
    names = _terms(" ".join(keywords.of(question)))
    if not question_terms - names or not question_terms <= line_terms | _terms(title):
        return False
    question_words = words(question)
    kind = next((word for word in question_words if word in _ASKING), "")
    if kind in _UNTOLD and not _NUMBER.intersection(question_words):
        return False
    more = set(words(line)) - set(question_words)
    if _NUMBER.intersection(question_words):
        return any(word in _COUNTS or any(map(str.isdigit, word)) for word in more)
    if kind in _NAMED or _NAMED.intersection(question_words):
        others = _terms(" ".join(keywords.of(line)))
        return bool(others - question_terms - _terms(title))
    return bool(line_terms - question_terms - _terms(title))


def _terms(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    stem = _stemmer()
    return frozenset(stem(w) for w in words(text) if w not in _EMPTY and w not in _ASKING)


@cache
def _stemmer() -> Callable[[str], str]:
    return cache(Stemmer.Stemmer("english").stemWord)
