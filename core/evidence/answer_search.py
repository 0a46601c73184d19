"""Finding the words of an answer in a text."""

import re
from collections.abc import Callable

from core.text.scripts import is_unspaced

VERDICTS = frozenset(("yes", "no", "noanswer"))
"""Answers that are no words of a passage, though it may have such words."""


def holder_of(answer: str) -> Callable[[str], bool]:
    """Return whether a text has `answer` in whole words, whatever its case.

    Examples
    --------
    >>> holder_of("Ostrel")("A ward in ostrel, since 2003."), holder_of("no")("Say no to nobody.")
    (True, False)
    """
    words = " ".join(answer.casefold().split())
    if not words or words in VERDICTS:
        return lambda _: False
    escaped = re.escape(words)
    # Where no space is between words, nothing tells where one of them ends.
    wanted = re.compile(escaped if is_unspaced(answer) else rf"(?<!\w){escaped}(?!\w)")
    return lambda text: bool(wanted.search(" ".join(text.split()).casefold()))
