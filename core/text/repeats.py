"""Near-duplicate passages and overlapping windows.

Two passages are near-duplicates if they share at least `ALIKE` of their distinct words, that is, if
the Jaccard index of their words is that high. Two windows overlap if the last words of one, at
least `RUN` of them, are the first words of the next.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from core.text.tokens import words

ALIKE = 0.8
RUN = 8
_CANDIDATES = 50  # earlier passages with one rare word that a passage is compared with


@dataclass(frozen=True, slots=True)
class RepeatCounts:
    """How many passages of a corpus repeat the text of others.

    Parameters
    ----------
    near_duplicates : passages with a near-duplicate among the earlier ones. In a corpus with more
        than 50 different passages around one rare word, some may be missed.
    overlapping : passages whose first words are the last words of the passage before them, and
        that are no near-duplicates of it.
    """

    near_duplicates: int = 0
    overlapping: int = 0


def are_alike(one: Collection[str] | set[int], other: Collection[str] | set[int]) -> bool:
    """Return whether two sets of words have a Jaccard index of at least `ALIKE`.

    >>> are_alike({"a", "b", "c", "d"}, {"a", "b", "c", "d", "e"}), are_alike(set(), set())
    (True, False)
    """
    first, second = set(one), set(other)
    return bool(first) and len(first & second) >= ALIKE * len(first | second)


def overlap(before: Sequence[str], after: Sequence[str]) -> int:
    """Return how many of the first words of `after` are the last words of `before`.

    The outermost word on either side may be a part of one: windows of tokens are cut inside words.
    Fewer than `RUN` words count as none.
    """
    end, begin = before[:-1], after[1:]
    if len(begin) < RUN:
        return 0
    for start in range(max(0, len(end) - len(begin)), len(end) - RUN + 1):
        if end[start] == begin[0] and list(end[start:]) == list(begin[: len(end) - start]):
            return len(end) - start
    return 0


def repeated(texts: Iterable[str]) -> list[int | None]:
    """Return for each text, best first, the place of the first one before it that it repeats.

    A text repeats another if they are near-duplicates, or if one is a window over at least half
    of the words of the other. All pairs are compared: for the few passages of a ranking.
    """
    known: list[list[str]] = []
    found: list[int | None] = []
    for text in texts:
        own = words(text)
        same = (place for place, other in enumerate(known) if _repeats(other, own))
        found.append(next(same, None))
        known.append(own)
    return found


def repeats_told(texts: Sequence[str]) -> str:
    """Return a sentence that says how many texts of a ranking repeat others, or an empty one."""
    count = sum(place is not None for place in repeated(texts))
    if not count:
        return ""
    verb = "repeats" if count == 1 else "repeat"
    return f"{count} of the top {len(texts)} {verb} the text of a higher-ranked passage."


def _repeats(one: Sequence[str], other: Sequence[str]) -> bool:
    if are_alike(one, other):
        return True
    run = max(overlap(one, other), overlap(other, one))
    return run > 0 and 2 * (run + 2) >= min(len(one), len(other))  # two may be parts of words


def count_repeats(texts: Callable[[], Iterable[str]]) -> RepeatCounts:
    """Count the passages of a corpus that repeat the text of others.

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
        overlapping += overlap(before, own) > 0 and not are_alike(before, own)
        before = own
    order = {word: n for n, (word, _) in enumerate(sorted(holding.items(), key=_rarest_first))}
    distinct = _Distinct()
    near = sum(not distinct.add([order[word] for word in set(words(text))]) for text in texts())
    return RepeatCounts(near, overlapping)


def _rarest_first(item: tuple[str, int]) -> tuple[int, str]:
    return item[1], item[0]


class _Distinct:
    """Passages of which none is a near-duplicate of another; words are numbers, rarest first."""

    def __init__(self) -> None:
        self._sets: list[array[int]] = []
        self._with: defaultdict[int, list[int]] = defaultdict(list)

    def add(self, passage: list[int]) -> bool:
        """Add a passage and return True, unless it is a near-duplicate of one that is there."""
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
