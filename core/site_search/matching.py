"""Rank titles by how well they match what is typed.

An exact title is best, then one that begins with the text, then one with a word that begins with
it, then one that contains it. Titles with misspelt words follow, by rapidfuzz's ratio.
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
        held.sort(key=lambda place: (_rank(self._titles[place], wanted), len(self._titles[place])))
        if len(held) >= limit or len(wanted) < _SHORTEST_FUZZY:
            return held[:limit]
        seen = set(held)
        # A part of the text would match any short title.
        others = {
            place: title
            for place, title in enumerate(self._titles)
            if place not in seen and len(title) >= len(wanted) - _MISSING
        }
        similar = process.extract(
            wanted,
            others,
            scorer=fuzz.partial_token_sort_ratio,
            score_cutoff=LEAST_FUZZY,
            limit=limit - len(held),
        )
        return [*held, *(place for _, _, place in similar)]


def _normal(text: str) -> str:
    return " ".join(text.casefold().split())


def _rank(title: str, wanted: str) -> int:
    if title == wanted:
        return 0
    if title.startswith(wanted):
        return 1
    return 2 if f" {wanted}" in title else 3
