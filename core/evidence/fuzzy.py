"""Text with a few letters changed.

Similar sentences state other facts: 'rebuilt in 1988' and 'rebuilt in 1989', 'the third son' and
'the eldest son', 'did' and 'did not'. So every word has to be there, in order. Numbers, names and
short words have to agree, and only one letter of any other word may differ.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

THRESHOLD = 90.0
"""Least similarity of a fuzzy match, in [0, 100]: about one letter in ten may differ."""

_LEAST_LETTERS = 4
"""Shorter words, such as 'not' and 'now', have to agree."""

_TRIES = 3
_MOST_REPEATS = 50
"""A word that a passage has more often does not help to find a place in it."""


def similarity(wanted: Sequence[str], words: Sequence[str]) -> float:
    """Return how similar `wanted` is to the run of words that it is most like, in [0, 100].

    Parameters
    ----------
    wanted, words : the words of evidence and of a passage, with their capitals.

    Returns
    -------
    rapidfuzz's ratio of both in lower case; 0 if it is below `THRESHOLD` or a word disagrees.
    """
    return nearest(wanted, words)[0]


def nearest(wanted: Sequence[str], words: Sequence[str]) -> tuple[float, int]:
    """Return the same after `similarity`, and where that run of words begins."""
    ratios = (
        (_similarity(wanted, words[at : at + len(wanted)]), at) for at in _places(wanted, words)
    )
    return max(ratios, key=lambda each: each[0], default=(0.0, 0))


def _places(wanted: Sequence[str], words: Sequence[str]) -> list[int]:
    """Return where in `words` most words of `wanted` stand in its order."""
    if len(words) < len(wanted):
        return []
    where: dict[str, list[int]] = defaultdict(list)
    asked = {each.casefold() for each in wanted}
    for number, word in enumerate(words):
        if (folded := word.casefold()) in asked:
            where[folded].append(number)
    starts = Counter(
        number - at
        for at, word in enumerate(wanted)
        if len(numbers := where.get(word.casefold(), ())) <= _MOST_REPEATS
        for number in numbers
        if 0 <= number - at <= len(words) - len(wanted)
    )
    return [at for at, _ in starts.most_common(_TRIES)]


def _similarity(wanted: Sequence[str], words: Sequence[str]) -> float:
    if not all(map(_agree, wanted, words)):
        return 0.0
    one, other = (" ".join(each).casefold() for each in (wanted, words))
    return fuzz.ratio(one, other, score_cutoff=THRESHOLD)


def _agree(one: str, other: str) -> bool:
    """Return whether two words are the same but for one letter of a longer word that is no name."""
    if one.casefold() == other.casefold():
        return True
    spelled = one.isalpha() and other.isalpha() and one.islower() and other.islower()
    long_enough = min(len(one), len(other)) >= _LEAST_LETTERS
    return spelled and long_enough and one[0] == other[0] and OSA.distance(one, other) == 1
