"""Sign and origin of gold: question set or annotator."""

from typing import Literal

Marked = Literal["", "given", "rules", "hand"]
"""Whether a node is gold, and who said so: the question set, rules, or a person on the screen."""


def star_sign(marked: Marked) -> str:
    """Return a full one of what came with the questions, an open one of what a person marked.

    >>> star_sign("given"), star_sign("hand")
    ('★', '☆')
    """
    return "☆" if marked == "hand" else "★"
