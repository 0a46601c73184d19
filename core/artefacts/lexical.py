"""BM25 scores of all passages, by one of two engines."""

from collections.abc import Sequence
from functools import partial
from typing import Protocol

import numpy as np
from lancedb.query import MatchQuery
from rank_bm25 import BM25Okapi
from scipy import sparse

from core.artefacts.base import Artefact, Bench, Tables
from core.artefacts.scored import LISTED, AllScored, Scored
from core.artefacts.searched import Searched
from core.artefacts.words import WORDS
from core.ranking import Scores
from core.store.adjacency import Numbers
from core.store.beside import WORDS_COLUMN
from core.store.index import Index
from core.text.tokens import words
from core.types import Part


class Lexical(Protocol):
    """`engine` names who answers; higher is better, 0 without a shared word."""

    engine: str

    def scored(self, text: str) -> Scored:
        """Each passage by `text`."""
        ...

    def scores(self, text: str) -> Scores:
        """(n,) the same, for what needs them all."""
        ...

    def parts(self, text: str, passages: Sequence[int]) -> list[tuple[Part, ...]]:
        """What each word of `text` adds to the score of each passage; () for all of an engine
        that does not say."""
        ...


class InMemory:
    """rank-bm25's Okapi with its defaults (k1 1.5, b 0.75), its weights multiplied out once.

    Its own `get_scores` looks every word of a question up in every passage: 30 ms at 10,000
    passages, where adding up columns takes less than one.
    """

    engine = "rank-bm25"

    def __init__(self, passages: Sequence[Sequence[str]]) -> None:
        # Okapi divides by the average length, which must not be zero.
        okapi = BM25Okapi(passages) if any(passages) else None
        self._column = {word: i for i, word in enumerate(okapi.idf)} if okapi else {}
        self._weights = _weights(okapi, self._column, len(passages))

    def scored(self, text: str) -> Scored:
        return AllScored(self.scores(text))

    def scores(self, text: str) -> Scores:
        columns = [self._column[word] for word in words(text) if word in self._column]
        return np.asarray(self._weights[:, columns].sum(axis=1), np.float64).ravel()

    def parts(self, text: str, passages: Sequence[int]) -> list[tuple[Part, ...]]:
        asked = words(text)
        known = [word for word in dict.fromkeys(asked) if word in self._column]
        # Columns first: a row of a column-wise matrix costs a search through all of it.
        asked_for = self._weights[:, [self._column[word] for word in known]]
        weights = asked_for[list(passages)].toarray() * [asked.count(word) for word in known]
        return [
            tuple(Part(word, value) for word, value in zip(known, row, strict=True) if value)
            for row in weights.tolist()
        ]


def _weights(okapi: BM25Okapi | None, column: dict[str, int], passages: int) -> sparse.csc_matrix:
    """(passages, words): what one occurrence of a word in a question adds to a passage's score."""
    if okapi is None:
        return sparse.csc_matrix((passages, 1))
    sizes = [len(counts) for counts in okapi.doc_freqs]
    where = np.array([column[word] for counts in okapi.doc_freqs for word in counts], np.int32)
    often = np.array([n for counts in okapi.doc_freqs for n in counts.values()], np.float64)
    idf = np.array(list(okapi.idf.values()))[where]
    length = np.repeat(np.array(okapi.doc_len), sizes) / okapi.avgdl
    added = idf * often * (okapi.k1 + 1) / (often + okapi.k1 * (1 - okapi.b + okapi.b * length))
    starts = np.concatenate(([0], np.cumsum(sizes)))
    return sparse.csr_matrix((added, where, starts), shape=(passages, len(column))).tocsc()


class Stored:
    """LanceDB's full-text index over the words of passages, for corpora too large for memory."""

    engine = "LanceDB full-text"

    def __init__(self, index: Index) -> None:
        self._index = index

    def scored(self, text: str) -> Scored:
        # Words only: what a user types is never read as query syntax.
        query = MatchQuery(" ".join(words(text)), WORDS_COLUMN)  # type: ignore[call-arg]
        find = partial(self._index.full_text, query)
        count = len(self._index.ids)

        def work(numbers: Numbers) -> Scores:
            found, known = find(len(numbers), numbers)
            scores = np.zeros(len(numbers))
            scores[np.searchsorted(numbers, found)] = known
            return scores

        def low() -> float:
            numbers, _ = scored.first(LISTED)
            return float(scored.of(numbers).min()) if len(numbers) == count else 0.0

        scored = Searched(find, work, low, others=0.0)
        return scored

    def scores(self, text: str) -> Scores:
        scored, scores = self.scored(text), np.zeros(len(self._index.ids))
        numbers, _ = scored.first(LISTED)
        scores[numbers] = scored.of(numbers)
        return scores

    def parts(self, text: str, passages: Sequence[int]) -> list[tuple[Part, ...]]:  # noqa: ARG002
        return [() for _ in passages]


def _lexical(bench: Bench, _: Tables) -> Lexical:
    """From memory, or of a large index from LanceDB."""
    if bench.index.large:
        return Stored(bench.index)
    return InMemory(bench.get(WORDS))


LEXICAL = Artefact("lexical", "BM25 over all passages.", _lexical, needs=(WORDS,))
