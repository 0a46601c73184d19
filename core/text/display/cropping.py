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
    """Shorten `text` to `length` characters or fewer, with an ellipsis if it is cut."""
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def ranged(first: str, last: str) -> str:
    """Join two names; for numbered ones, join the numbers.

    >>> ranged("Hop 2", "Hop 4"), ranged("Search #1", "Search #2"), ranged("Hop 1", "Hop 1")
    ('Hops 2–4', 'Search #1 – Search #2', 'Hop 1')
    """
    if first == last:
        return first
    both = [_COUNTED.fullmatch(name) for name in (first, last)]
    parts = [one.groups() for one in both if one]
    if len(parts) == 2 and parts[0][0] == parts[1][0]:
        return f"{parts[0][0]}s {parts[0][1]}–{parts[1][1]}"
    return f"{first} – {last}"
