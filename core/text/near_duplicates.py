"""Near-duplicate passages and overlapping windows.

Two passages are near-duplicates if they share at least `ALIKE` of their distinct words, that is, if
the Jaccard index of their words is that high. Two windows overlap if the last words of one, at
least `RUN` of them, are the first words of the next.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from math import ceil
from typing import TypeVar

from core.text.tokens import words

T = TypeVar("T")
ALIKE = 0.8
RUN = 8
_CANDIDATES = 50  # earlier passages with one rare word that a passage is compared with


@dataclass(frozen=True, slots=True)
class RepeatCounts:
    """The numbers of passages of a corpus that repeat the text of others.

    Parameters
    ----------
    near_duplicates : passages with a near-duplicate among the earlier ones. In a corpus with more
        than 50 different passages around one rare word, some may be missed.
    overlapping : passages whose first words are the last words of the passage before them, and
        that are no near-duplicates of it.
    """

    near_duplicates: int = 0
    overlapping: int = 0


def are_alike(one: Set[T], other: Set[T]) -> bool:
    """Return whether two sets of words have a Jaccard index of at least `ALIKE`.

    >>> are_alike({"a", "b", "c", "d"}, {"a", "b", "c", "d", "e"}), are_alike(set(), set())
    (True, False)
    """
    return bool(one) and len(one & other) >= ALIKE * len(one | other)


def overlap(before: Sequence[str], after: Sequence[str]) -> int:
    """Count the words at the start of `after` that are the end of `before`.

    The outermost word on either side may be a part of one: windows of tokens are cut inside words.
    Fewer than `RUN` words count as none.
    """
    end, begin = before[:-1], after[1:]
    if len(begin) < RUN or begin[0] not in end or begin[RUN - 1] not in end:
        return 0
    run = _longest_border([*begin, None, *end])
    return run if run >= RUN else 0


def _longest_border(words: Sequence[str | None]) -> int:
    """Return the length of the longest proper prefix of the words that is also a suffix.

    It takes linear time (the prefix function of Knuth, Morris and Pratt).
    """
    borders = [0] * len(words)
    for place in range(1, len(words)):
        length = borders[place - 1]
        while length and words[place] != words[length]:
            length = borders[length - 1]
        borders[place] = length + (words[place] == words[length])
    return borders[-1]


def repeated(texts: Iterable[str]) -> list[int | None]:
    """Return for each text, best first, the place of the first one before it that it repeats.

    A text repeats another if they are near-duplicates, or if one is a window over at least half
    of the words of the other. All pairs are compared: for the few passages of a ranking.
    """
    known: list[tuple[list[str], frozenset[str]]] = []
    originals: list[int | None] = []
    for text in texts:
        own = words(text)
        both = own, frozenset(own)
        same = (place for place, other in enumerate(known) if _repeats(other, both))
        originals.append(next(same, None))
        known.append(both)
    return originals


def repeats_told(texts: Sequence[str]) -> str:
    """Describe how many texts of a ranking repeat others; empty if none does."""
    count = sum(place is not None for place in repeated(texts))
    if not count:
        return ""
    verb = "repeats" if count == 1 else "repeat"
    return f"{count} of the top {len(texts)} {verb} the text of a higher-ranked passage."


def _repeats(one: tuple[Sequence[str], Set[str]], other: tuple[Sequence[str], Set[str]]) -> bool:
    """Check whether one of two texts, given with their word sets, repeats the other."""
    if are_alike(one[1], other[1]):
        return True
    run = max(overlap(one[0], other[0]), overlap(other[0], one[0]))
    return run > 0 and 2 * (run + 2) >= min(len(one[0]), len(other[0]))  # two may be cut words


def count_repeats(texts: Callable[[], Iterable[str]]) -> RepeatCounts:
    """Count the passages of a corpus that repeat the text of other passages.

    Passages that are alike share one of their rarest words (prefix filter of Chaudhuri et al.,
    2006), so that each is compared with few others.

    Parameters
    ----------
    texts : yields title and text of each passage in order; called twice.
    """
    holding: Counter[str] = Counter()
    overlapping = 0
    before: list[str] = []
    for text in texts():
        own = words(text)
        holding.update(set(own))
        overlapping += overlap(before, own) > 0 and not are_alike(set(before), set(own))
        before = own
    order = {word: n for n, (word, _) in enumerate(sorted(holding.items(), key=_rarest_first))}
    distinct = _Distinct()
    near = sum(not distinct.add([order[word] for word in set(words(text))]) for text in texts())
    return RepeatCounts(near, overlapping)


def _rarest_first(item: tuple[str, int]) -> tuple[int, str]:
    return item[1], item[0]


class _Distinct:
    """Passages without near-duplicates among them; words are numbers, rarest first."""

    def __init__(self) -> None:
        self._sets: list[array[int]] = []
        self._with: defaultdict[int, list[int]] = defaultdict(list)

    def add(self, passage: list[int]) -> bool:
        """Add a passage and return True, unless it nearly duplicates an earlier one."""
        if not passage:
            return True
        own = array("l", sorted(passage))
        rarest = own[: len(own) - ceil(ALIKE * len(own)) + 1]
        candidates = {n for word in rarest for n in self._with[word]}
        if any(self._is_alike(set(own), n) for n in candidates):
            return False
        for word in rarest:
            if len(self._with[word]) < _CANDIDATES:
                self._with[word].append(len(self._sets))
        self._sets.append(own)
        return True

    def _is_alike(self, own: set[int], number: int) -> bool:
        other = self._sets[number]
        least, most = sorted((len(own), len(other)))
        return least >= ALIKE * most and are_alike(own, set(other))
