"""The stars of gold passages, by who says that they are gold."""

from core.film.data import Marked


def star_sign(marked: Marked) -> str:
    """A full one of what came with the questions, an open one of what a person marked.

    >>> star_sign("given"), star_sign("hand")
    ('★', '☆')
    """
    return "☆" if marked == "hand" else "★"
