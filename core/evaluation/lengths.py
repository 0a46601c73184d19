"""Tokens of ranked passages, which a reader of them must read."""

from collections.abc import Sequence

from core.measures import MOST_TOKENS
from core.models.token_counts import tokens_of
from core.store.index import Index


def lengths_of(hits: Sequence[str], index: Index) -> tuple[int, ...] | None:
    """Return the tokens of the texts of `hits`, best first; None where a text is not known.

    They end with the passage that passes `MOST_TOKENS`: measures count none behind it.

    Parameters
    ----------
    hits : ids of passages; one that the index does not hold has no known text.
    """
    found: list[int] = []
    total = 0
    for name in hits:
        if total > MOST_TOKENS:
            break
        if name not in index.number:
            return None
        found.append(tokens_of(index.passage(name).text))
        total += found[-1]
    return tuple(found)
