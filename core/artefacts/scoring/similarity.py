"""SIM (HopRAG, Eq. 1): the similarity of passages and edges to a question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.artefacts.scoring.scores import AllScored, Scored, Shortlist, shortlist
from core.artefacts.scoring.searched_scores import FewScored
from core.store.adjacency import Numbers

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Similarity:
    """SIM (Eq. 1) of many items to one question, with both of its halves, (n,) each."""

    jaccard: Floats
    cosine: Floats

    @property
    def score(self) -> Floats:
        return (self.jaccard + self.cosine) / 2


class Likeness:
    """SIM of all passages, or of all edges, to one question, computed where needed."""

    def __init__(self, jaccard: Scored, cosine: Scored) -> None:
        self._jaccard = jaccard
        self._cosine = cosine

    def prefetch(self, numbers: Numbers) -> None:
        self._jaccard.prefetch(numbers)
        self._cosine.prefetch(numbers)

    def of(self, numbers: Numbers) -> Similarity:
        return Similarity(self._jaccard.of(numbers), self._cosine.of(numbers))

    def first(self, count: int) -> Shortlist:
        """List items that include the `count` most similar ones, with both halves of SIM."""
        listing = shortlist({"keywords": self._jaccard, "dense": self._cosine}, count)
        halves = {name: half / 2 for name, half in listing.addends.items()}
        return Shortlist(listing.numbers, halves, listing.rest / 2)


class Keyworded(Protocol):
    """Many sets of keywords, compared with one other set at a time."""

    def jaccard(self, keywords: Sequence[str]) -> Scored:
        """Return the Jaccard similarity of each set with `keywords`, in [0, 1]; 0 if both empty."""
        ...


class KeywordSets:
    """Keyword sets in memory."""

    def __init__(self, sets: Sequence[Sequence[str]]) -> None:
        self._column: dict[str, int] = {}
        known = self._column
        columns = [known.setdefault(word, len(known)) for words in sets for word in words]
        self._sizes = np.array([len(words) for words in sets], np.float64)
        starts = np.concatenate(([0], np.cumsum(self._sizes))).astype(np.int64)
        ones = np.ones(len(columns), np.float32)
        shape = (len(sets), max(1, len(known)))
        self._holds = sparse.csr_matrix((ones, columns, starts), shape=shape).tocsc()

    def jaccard(self, keywords: Sequence[str]) -> Scored:
        """Return the Jaccard similarity of every set, by one sparse product."""
        columns = [self._column[word] for word in keywords if word in self._column]
        shared = np.asarray(self._holds[:, columns].sum(axis=1), np.float64).ravel()
        union = self._sizes + len(keywords) - shared
        return AllScored(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0))


class StoredSets:
    """The keyword sets of a large index; sets that share a keyword are looked up.

    Parameters
    ----------
    find : finds the sets with any of the given keywords: numbers, shared counts, and sizes.
    """

    def __init__(self, find: Callable[[Sequence[str]], tuple[Numbers, Numbers, Numbers]]) -> None:
        self._find = find

    def jaccard(self, keywords: Sequence[str]) -> Scored:
        numbers, shared, sizes = self._find(keywords)
        return FewScored(numbers, shared / (sizes + len(keywords) - shared))
