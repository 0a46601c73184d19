"""Texts cropped, and names joined."""

import re

TEXT = 900
"""Characters of a passage that was kept or is gold, or that leads there."""

QUESTION = 160
"""Characters of a question that is asked."""
LABEL = 120
"""Characters of a title, and of the question of an edge."""

_COUNTED = re.compile(r"(.*[a-z]) (\d+)")


def cropped(text: str, length: int) -> str:
    """At most `length` characters of `text`, the last one an ellipsis if it is cut."""
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def ranged(first: str, last: str) -> str:
    """Both names as one; what is counted, by both numbers.

    >>> ranged("Hop 2", "Hop 4"), ranged("Search #1", "Search #2"), ranged("Hop 1", "Hop 1")
    ('Hops 2–4', 'Search #1 – Search #2', 'Hop 1')
    """
    if first == last:
        return first
    both = [_COUNTED.fullmatch(name) for name in (first, last)]
    found = [one.groups() for one in both if one]
    if len(found) == 2 and found[0][0] == found[1][0]:
        return f"{found[0][0]}s {found[0][1]}–{found[1][1]}"
    return f"{first} – {last}"
