"""Rank titles by how well they match what is typed.

An exact title is best, then one that begins with the text, then one with a word that begins with
it, then one that contains it. Where no title contains it, titles with misspelt words are found, by
rapidfuzz's ratio.
"""

from collections.abc import Sequence

from rapidfuzz import fuzz, process

LEAST_FUZZY = 78
"""Least `rapidfuzz.fuzz.partial_token_sort_ratio` of a misspelt title, in [0, 100]."""
_SHORTEST_FUZZY = 4  # characters; anything resembles a shorter text
_MISSING = 2  # characters that a title may have fewer than the text
_LONGEST = 200  # characters of what is typed


class Titles:
    """Titles that are searched many times.

    Parameters
    ----------
    titles : in the order in which equal matches are returned.
    """

    def __init__(self, titles: Sequence[str]) -> None:
        self._titles = [_normal(title) for title in titles]

    def best(self, text: str, limit: int) -> list[int]:
        """Return the places of at most `limit` matching titles, best first.

        Shorter titles come first among equal matches.
        """
        wanted = _normal(text[:_LONGEST])
        if not wanted:
            return []
        held = [place for place, title in enumerate(self._titles) if wanted in title]
        held.sort(
            key=lambda place: (_match_rank(self._titles[place], wanted), len(self._titles[place]))
        )
        if held or len(wanted) < _SHORTEST_FUZZY:
            return held[:limit]
        # A part of the text would match any short title.
        others = {
            place: title
            for place, title in enumerate(self._titles)
            if len(title) >= len(wanted) - _MISSING
        }
        similar = process.extract(
            wanted,
            others,
            scorer=fuzz.partial_token_sort_ratio,
            score_cutoff=LEAST_FUZZY,
            limit=limit,
        )
        return [place for _, _, place in similar]


def closeness(title: str, text: str) -> int:
    """Return how well a title matches what is typed, 0 best; 4 where it does not contain it."""
    return _match_rank(_normal(title), _normal(text[:_LONGEST]))


def _normal(text: str) -> str:
    return " ".join(text.casefold().split())


def _match_rank(title: str, wanted: str) -> int:
    """Return how well a title matches, from 0 (the same) to 4 (not as consecutive text)."""
    if title == wanted:
        return 0
    if title.startswith(wanted):
        return 1
    if f" {wanted}" in title:
        return 2
    return 3 if wanted in title else 4
