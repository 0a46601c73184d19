"""BM25 scores of all passages, computed in memory or over the tables of a large index."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from scipy import sparse

from core.artefacts.base import Artefact, Bench, Tables
from core.artefacts.lexical.keywords import WORDS
from core.artefacts.lexical.okapi import Okapi, term_weight
from core.artefacts.lexical.postings import Bools
from core.artefacts.lexical.stored_bm25 import Stored
from core.artefacts.scoring.scores import LISTED, AllScored, Scored
from core.ranking import Scores
from core.store.adjacency import Numbers
from core.text.tokens import words
from core.types import Part


class Matches(Scored, Protocol):
    """BM25 scores of passages by one query; 0 for a passage that shares no word with it."""

    def matched(self, numbers: Numbers) -> Bools:
        """Return, for each passage, whether it shares a word with the query."""
        ...


class Lexical(Protocol):
    """A BM25 index; higher scores are better."""

    @property
    def engine(self) -> str:
        """The name of the implementation."""
        ...

    def scored(self, text: str) -> Matches:
        """Return the score of each passage by the query `text`."""
        ...

    def parts(self, text: str, passages: Sequence[int]) -> list[tuple[Part, ...]]:
        """Return the contribution of each word of `text` to the score of each passage."""
        ...


def of_all(matches: Matches, count: int) -> tuple[Scores, Bools]:
    """Return the scores of all passages, and whether each shares a word with the query.

    In a large index, passages beyond the first `LISTED` count as sharing none.

    Parameters
    ----------
    count : n, the passages of the index.

    Returns
    -------
    Two arrays, (n,).
    """
    numbers = matches.first(LISTED).numbers
    scores, matched = np.zeros(count), np.zeros(count, bool)
    scores[numbers] = matches.of(numbers)
    matched[numbers] = matches.matched(numbers)
    return scores, matched


class InMemory:
    """rank-bm25's Okapi (k1 1.5, b 0.75) with all term weights computed in advance.

    Its own `get_scores` looks every word of a query up in every passage: 30 ms at 10,000
    passages, where adding columns up takes less than one.
    """

    engine = "rank-bm25"

    def __init__(self, passages: Sequence[Sequence[str]]) -> None:
        # Okapi divides by the average length, which must not be zero.
        okapi = Okapi(passages) if any(passages) else None
        self._column = {word: i for i, word in enumerate(okapi.idf)} if okapi else {}
        self._weights = _weights(okapi, self._column, len(passages))

    def scored(self, text: str) -> Matches:
        """Return the BM25 scores of all passages for `text`."""
        asked, weights = self._known_words(text)
        matched = np.zeros(weights.shape[0], bool)
        matched[weights.indices] = True
        return _AllMatches(weights @ np.array([*asked.values()], np.float64), matched)

    def parts(self, text: str, passages: Sequence[int]) -> list[tuple[Part, ...]]:
        """Return the contribution of each query word to the score of each passage."""
        counts, weights = self._known_words(text)
        rows = weights[list(passages)].toarray() * [*counts.values()]
        return [
            tuple(Part(word, value) for word, value in zip(counts, row, strict=True) if value)
            for row in rows.tolist()
        ]

    def _known_words(self, text: str) -> tuple[dict[str, int], sparse.csc_matrix]:
        """Return the known words of `text`, their counts, and their columns in the weights."""
        asked = Counter(word for word in words(text) if word in self._column)
        return asked, self._weights[:, [self._column[word] for word in asked]]


class _AllMatches(AllScored):
    """Scores and matches of all passages, both (n,)."""

    def __init__(self, scores: Scores, matched: Bools) -> None:
        super().__init__(scores)
        self._matched = matched

    def matched(self, numbers: Numbers) -> Bools:
        return self._matched[numbers]


def _weights(okapi: Okapi | None, column: dict[str, int], passages: int) -> sparse.csc_matrix:
    """Return what one occurrence of a query word adds to the score, (passages, words)."""
    if okapi is None:
        return sparse.csc_matrix((passages, 1))
    sizes = [len(counts) for counts in okapi.doc_freqs]
    where = np.array([column[word] for counts in okapi.doc_freqs for word in counts], np.int32)
    often = np.array([n for counts in okapi.doc_freqs for n in counts.values()], np.float64)
    idf = np.array(list(okapi.idf.values()))[where]
    length = np.repeat(np.array(okapi.doc_len), sizes) / okapi.avgdl
    starts = np.concatenate(([0], np.cumsum(sizes)))
    added = term_weight(idf, often, length)
    return sparse.csr_matrix((added, where, starts), shape=(passages, len(column))).tocsc()


def _lexical(bench: Bench, _: Tables) -> Lexical:
    """Build the index in memory, or over the tables of a large index."""
    if bench.index.large:
        return Stored(bench.index)
    return InMemory(bench.get(WORDS))


# Version 2: an IDF that is never negative.
LEXICAL = Artefact("lexical", "A BM25 index of all passages.", _lexical, needs=(WORDS,), version=2)
