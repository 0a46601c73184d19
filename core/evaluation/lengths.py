"""Tokens of ranked passages, which a reader of them must read."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from core.measures import MOST_TOKENS
from core.models.token_counts import tokens_of
from core.store.index import Index
from core.types import Passage

_NO_TEXTS: Mapping[str, Passage] = MappingProxyType({})


def lengths_of(
    hits: Sequence[str], index: Index, texts: Mapping[str, Passage] = _NO_TEXTS
) -> tuple[int, ...] | None:
    """Return the tokens of the texts of `hits`, best first; None where a text is not known.

    They end with the passage that passes `MOST_TOKENS`: measures count none behind it.

    Parameters
    ----------
    hits : ids of passages; one that the index does not hold has no known text.
    texts : other texts of hits than those of the index.
    """
    lengths: list[int] = []
    total = 0
    for name in hits:
        if total > MOST_TOKENS:
            break
        if name not in texts and name not in index.number:
            return None
        lengths.append(tokens_of((texts.get(name) or index.passage(name)).text))
        total += lengths[-1]
    return tuple(lengths)
