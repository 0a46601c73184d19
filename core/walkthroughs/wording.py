"""Numbers, names and quotes as a headline has them."""

from collections.abc import Sequence

from core.playback.wording import series as joined
from core.text.display.plurals import several
from core.text.stop_words import STOP_WORDS

NAMED = 3
"""Names that a headline lists; more are counted."""


LONGEST, SHOWN = 9, 6
"""Words of the longest name, and of a longer text that are quoted."""


def quoted(text: str) -> str:
    """Return a name in quotation marks, of a sentence its first words.

    >>> quoted("Teo Marrask"), quoted("a b c d e f g h i j")
    ("'Teo Marrask'", "'a b c d e f …'")
    >>> quoted("The glass had shown us the way home on Monday night")
    "'The glass had shown …'"
    """
    words = text.split()
    if len(words) <= LONGEST:
        return f"'{text}'"
    shown = words[:SHOWN]
    while len(shown) > 1 and shown[-1].casefold() in STOP_WORDS:
        shown.pop()
    return f"'{' '.join(shown)} …'"


def series(names: Sequence[str]) -> str:
    """Return names as a list in a sentence; of more than three, the rest is counted.

    >>> series(["a", "b"]), series(["a", "b", "c", "d", "e"])
    ('a and b', 'a, b, c and 2 more')
    """
    shown = [*names[:NAMED], *([f"{len(names) - NAMED} more"] if len(names) > NAMED else [])]
    return joined(shown)


def number_of(some: int, all_: int, noun: str, nouns: str = "") -> str:
    """Format a part of a total, as the subject of a sentence.

    >>> number_of(3, 3, "question"), number_of(1, 1, "question"), number_of(1, 3, "question")
    ('All 3 questions are', 'The only question is', 'One of the 3 questions is')
    >>> number_of(0, 1, "edge"), number_of(0, 2, "edge"), number_of(2, 4, "edge")
    ('The only edge is not', 'Neither of the 2 edges is', '2 of the 4 edges are')
    """
    many = nouns or several(noun)
    if all_ == 1:
        return f"The only {noun} is{'' if some else ' not'}"
    if some == all_:
        return f"Both {many} are" if all_ == 2 else f"All {all_:,} {many} are"
    if not some:
        return f"{'Neither' if all_ == 2 else 'None'} of the {all_:,} {many} is"
    who = "One" if some == 1 else f"{some:,}"
    return f"{who} of the {all_:,} {many} {'is' if some == 1 else 'are'}"
