"""Ids as TREC's files spell them, in which white space ends a column.

White space is written as `%20` and the like, and `%` in such ids as `%25`; ids without white space
are written as they are.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import cached_property
from urllib.parse import quote, unquote

from core.store.index import Index

_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")


class Ids:
    """Maps ids as spelled in TREC files back to the original ids.

    Parameters
    ----------
    known : says by `in` or `holds` whether there is such an id.
    names : all ids.
    """

    def __init__(self, known: Index | Collection[str], names: Iterable[str]) -> None:
        self._holds = known.holds if isinstance(known, Index) else known.__contains__
        self._names = names

    def find(self, spelled: str) -> str | None:
        """Return the id written as `spelled`, or None."""
        for name in (unquote(spelled), spelled):
            if self._holds(name):
                return name
        return self._underscored.get(spelled)

    @cached_property
    def _underscored(self) -> dict[str, str]:
        """Unambiguous ids with white space, as earlier versions wrote them."""
        spaced = [name for name in self._names if len(name.split()) > 1]
        several = Counter(map(word, spaced))
        return {word(name): name for name in spaced if several[word(name)] == 1}


def trec_id(name: str) -> str:
    """Encode `name` as one column from which it can be read again."""
    if len(name.split()) == 1 and not _ENCODED.search(name):
        return name
    return re.sub(r"[\s%]", lambda found: quote(found[0], safe=""), name) or "_"


def word(text: str) -> str:
    """Return `text` as one column; white space would end it."""
    return "_".join(text.split()) or "_"
