"""BM25 scores of all passages, by one of two engines."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from lancedb.query import MultiMatchQuery
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from core.store.index import Index
from core.text.tokens import words
from core.types import Part

Scores = NDArray[np.float64]
_STORED_LIMIT = 1000  # passages that LanceDB ranks; the others score 0


class Lexical(Protocol):
    """`engine` names who answers; `scores` is (n,), higher is better, 0 without a shared word."""

    engine: str

    def scores(self, text: str) -> Scores: ...

    def parts(self, text: str, passage: int) -> tuple[Part, ...]:
        """What each word of `text` adds to the score of a passage, where the engine says so."""
        ...


class InMemory:
    """rank-bm25's Okapi with its defaults (k1 1.5, b 0.75)."""

    engine = "rank-bm25"

    def __init__(self, passages: Sequence[Sequence[str]]) -> None:
        # Okapi divides by the average length, which must not be zero.
        self._okapi = BM25Okapi(passages) if any(passages) else None
        self._count = len(passages)

    def scores(self, text: str) -> Scores:
        if self._okapi is None:
            return np.zeros(self._count)
        return np.asarray(self._okapi.get_scores(words(text)), np.float64)

    def parts(self, text: str, passage: int) -> tuple[Part, ...]:
        if self._okapi is None:
            return ()
        asked = words(text)
        each = [(w, self._okapi.get_batch_scores([w], [passage])[0]) for w in dict.fromkeys(asked)]
        return tuple(Part(w, float(score) * asked.count(w)) for w, score in each if score)


class Stored:
    """LanceDB's full-text index over title and text, for corpora too large for memory."""

    engine = "LanceDB full-text"

    def __init__(self, index: Index) -> None:
        self._index = index

    def scores(self, text: str) -> Scores:
        scores = np.zeros(len(self._index.passages))
        # Words only: what a user types is never read as query syntax.
        query = MultiMatchQuery(" ".join(words(text)), ["title", "text"])  # type: ignore[call-arg]
        for passage_id, score in self._index.full_text(query, _STORED_LIMIT):
            scores[self._index.number[passage_id]] = score
        return scores

    def parts(self, text: str, passage: int) -> tuple[Part, ...]:  # noqa: ARG002
        return ()
