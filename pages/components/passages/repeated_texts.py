"""How many passages of a ranking repeat the text of others."""

from collections.abc import Iterable

from core.store.index import Index
from core.store.schema import passage_text
from core.text.near_duplicates import repeats_told


def repeats_in(index: Index, passage_ids: Iterable[str]) -> str:
    """Return a sentence about the repeated texts of a ranking, best first; empty if there is none.

    Passages that the index does not hold are passed over.
    """
    known = [index.passage(name) for name in passage_ids if name in index.number]
    return repeats_told([passage_text(each.title, each.text) for each in known])
