"""Find a string in a text, preferably as whole words."""

import re
from functools import lru_cache

NOWHERE = 3


def best_place(text: str, wanted: str) -> tuple[int, int]:
    """Return how far `wanted` is inside other words at its best occurrence, and the position.

    Both are compared as they are; 0 are words of its own, 1 the beginning of a word, 2 is inside of
    one, and `NOWHERE` has no place: -1.

    >>> best_place("competitions and petitions", "petitions"), best_place("repetition", "petition")
    ((0, 17), (2, 2))
    >>> best_place("a petitioner", "petition"), best_place("none", "petition")
    ((1, 2), (3, -1))
    """
    for how, pattern in enumerate(_patterns(wanted)):
        if match := pattern.search(text):
            return how, match.start()
    return NOWHERE, -1


@lru_cache(32)
def _patterns(wanted: str) -> tuple[re.Pattern[str], ...]:
    """Return patterns for `wanted`, strictest first: whole words, start of a word, anywhere."""
    plain = re.escape(wanted)
    before = r"(?<!\w)" if wanted[:1].isalnum() else ""
    after = r"(?!\w)" if wanted[-1:].isalnum() else ""
    return tuple(map(re.compile, (f"{before}{plain}{after}", f"{before}{plain}", plain)))
