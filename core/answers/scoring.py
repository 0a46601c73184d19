"""EM and F1 of an answer, as SQuAD's evaluation counts them, with HotpotQA's rule for yes and no.

Rajpurkar et al., EMNLP 2016; Yang et al., EMNLP 2018. Comparable with published numbers, so
punctuation is that of ASCII, articles are English, and words are what white space separates.
"""

import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
# Part of one of these is no part of an answer: 'no' is not half of 'no answer'.
_VERDICTS = frozenset(("yes", "no", "noanswer"))
# What data sets write where nothing answers a question: MultiHop-RAG, SQuAD, Qasper.
_ABSTAINING = frozenset(("insufficient information", "noanswer", "no answer", "unanswerable"))


@dataclass(frozen=True, slots=True)
class Score:
    """EM and F1 of one answer, in [0, 1]; higher is better."""

    em: float
    f1: float


_RIGHT, _WRONG = Score(1.0, 1.0), Score(0.0, 0.0)


def score(answer: str, gold: Sequence[str]) -> Score:
    """Return the best EM and the best F1 of `answer` over the `gold` answers.

    To abstain is right where there is no gold answer, or where one says that there is none.

    Parameters
    ----------
    answer : empty where none was given.

    Examples
    --------
    >>> score("the Port of Selby!", ["Port Selby", "Selby"])
    Score(em=0.0, f1=0.8)
    >>> score("", ["Insufficient information."])
    Score(em=1.0, f1=1.0)
    """
    nothing = not gold or any(map(abstains, gold))
    if abstains(answer):
        return _RIGHT if nothing else _WRONG
    if not gold:
        return _WRONG
    return Score(
        em=max(float(normalised(answer) == normalised(one)) for one in gold),
        f1=max(_f1(normalised(answer), normalised(one)) for one in gold),
    )


def accuracy(answer: str, gold: Sequence[str]) -> float:
    """String accuracy: 1 where `answer` contains one of the `gold` answers, word for word, else 0.

    To abstain is right where it is by `score`.

    Examples
    --------
    >>> accuracy("It is in Port Selby, on the coast.", ["Selby"]), accuracy("Selbyton", ["Selby"])
    (1.0, 0.0)
    """
    if abstains(answer) or not gold or any(map(abstains, gold)):
        return score(answer, gold).em
    said, known = normalised(answer), filter(None, map(normalised, gold))
    return float(any(f" {one} " in f" {said} " for one in known))


def abstains(answer: str) -> bool:
    """Check whether an answer says that there is no answer."""
    return not answer.strip() or normalised(answer) in _ABSTAINING


def normalised(text: str) -> str:
    """Lower case, without punctuation and articles, words with one space between them.

    >>> normalised(" The  Beatles' \\"A-side\\" ")
    'beatles aside'
    """
    bare = text.lower().translate(_NO_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def _f1(answer: str, gold: str) -> float:
    """2 * shared / (words of both), a word shared as often as both have it."""
    if not answer or not gold or not _VERDICTS.isdisjoint((answer, gold)):
        return float(answer == gold)
    ours, theirs = answer.split(), gold.split()
    shared = (Counter(ours) & Counter(theirs)).total()
    return 2 * shared / (len(ours) + len(theirs))
