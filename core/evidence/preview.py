"""Preview of gold before a build: questions with their evidence in the passages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.types import Passage, Query

_DOUBTFUL = ("fuzzy", "split")


@dataclass(frozen=True, slots=True)
class Previewed:
    """A question and its gold.

    Parameters
    ----------
    query : with its evidence mapped to passages.
    documents : by gold id, the number of passages that count; of a question without evidence.
    """

    query: Query
    documents: Mapping[str, int]

    @property
    def missing(self) -> int:
        """Number of pieces of evidence, or gold ids, that no passage contains."""
        lost = sum(not each.parts for each in self.query.evidence)
        return lost + sum(not passages for passages in self.documents.values())

    @property
    def size(self) -> int:
        """Number of pieces of evidence, or of gold ids if the question has no evidence."""
        return len(self.query.evidence) + len(self.documents)


def previewed(queries: Iterable[Query], passages: Iterable[Passage]) -> list[Previewed]:
    """Return the questions that have gold: first those with gold that no passage holds, then those
    whose evidence is split or was found with letters changed.

    Parameters
    ----------
    queries : with their evidence mapped to `passages`.
    """
    sizes: dict[str, int] = {}
    for passage in passages:
        for name in {passage.document_id, passage.id}:
            sizes[name] = sizes.get(name, 0) + 1
    previews = [
        Previewed(query, {} if query.evidence else _sizes(query.gold, sizes)) for query in queries
    ]
    return sorted((each for each in previews if each.size), key=_order)


def _sizes(gold: Sequence[str], sizes: Mapping[str, int]) -> dict[str, int]:
    return {name: sizes.get(name, 0) for name in gold}


def _order(one: Previewed) -> int:
    if one.missing:
        return 0
    return 1 if any(each.step in _DOUBTFUL for each in one.query.evidence) else 2
