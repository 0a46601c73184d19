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
"""Shorter words, such as 'not' and 'now', must be equal."""

_TRIES = 3
_MOST_REPEATS = 50
"""Words that occur more often in a passage are not used to find candidate places."""


def similarity(wanted: Sequence[str], words: Sequence[str]) -> float:
    """Return the similarity of `wanted` to its most similar run of words, in [0, 100].

    Parameters
    ----------
    wanted, words : the words of evidence and of a passage, with their capitals.

    Returns
    -------
    rapidfuzz's ratio of both in lower case; 0 if it is below `THRESHOLD` or a word disagrees.
    """
    return nearest(wanted, words)[0]


def nearest(wanted: Sequence[str], words: Sequence[str]) -> tuple[float, int]:
    """Return the highest similarity, as `similarity` does, and the start of that run of words."""
    ratios = (
        (_similarity(wanted, words[at : at + len(wanted)]), at) for at in _places(wanted, words)
    )
    return max(ratios, key=lambda each: each[0], default=(0.0, 0))


def _places(wanted: Sequence[str], words: Sequence[str]) -> list[int]:
    """Return the `_TRIES` starts in `words` at which most words of `wanted` are aligned."""
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
    """Return the similarity of two equally long runs of words; 0 if a word disagrees."""
    if not all(map(_agree, wanted, words)):
        return 0.0
    a, b = (" ".join(run).casefold() for run in (wanted, words))
    return fuzz.ratio(a, b, score_cutoff=THRESHOLD)


def _agree(a: str, b: str) -> bool:
    """Return whether two words match.

    Words match if they are equal, ignoring case. Lower-case words of at least `_LEAST_LETTERS`
    letters also match if they start with the same letter and differ by one edit.
    """
    if a.casefold() == b.casefold():
        return True
    spelled = a.isalpha() and b.isalpha() and a.islower() and b.islower()
    long_enough = min(len(a), len(b)) >= _LEAST_LETTERS
    return spelled and long_enough and a[0] == b[0] and OSA.distance(a, b) == 1
