"""BM25 over the tables of a large index: LanceDB lists passages, and we score them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from lancedb.query import MatchQuery
from numpy.typing import NDArray

from core.artefacts.lexical.okapi import K1, inverse_document_frequency, term_weight
from core.artefacts.lexical.postings import Bools
from core.artefacts.scoring.scores import LISTED, First
from core.ranking import Scores
from core.store.adjacency import Numbers
from core.store.derived_tables import OCCURRENCES, VOCABULARY, WORDLESS, WORDS_COLUMN
from core.store.index import Index
from core.text.tokens import words
from core.types import Part

_LANCE_K1 = 1.2
_ROUNDING = 1 + 1e-5  # LanceDB's scores are float32
_ROWS = 10_000  # read at a time


class Stored:
    """LanceDB's full-text index over our own words, with the scores of the in-memory index.

    LanceDB's own scores have k1 = 1.2 and leave passages without words out of its counts. They
    only decide which passages are scored.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._exact = OCCURRENCES in index.tables.table(VOCABULARY).schema.names

    @property
    def engine(self) -> str:
        """The name of the engine: LanceDB, and what an index with its defaults leaves out."""
        if self._exact:
            return "LanceDB full-text"
        return (
            "LanceDB full-text (built by an earlier version, which skips function words and "
            "words of more than 40 letters; rebuild the index to search for them)"
        )

    def scored(self, text: str) -> "StoredMatches":
        """Return the BM25 scores of passages for `text`; only words of the vocabulary count."""
        asked = Counter(words(text))
        rows = self._index.tables.find(VOCABULARY, "word", list(asked), ["word", "passages"])
        holding = dict(zip(rows["word"].to_pylist(), rows["passages"].to_pylist(), strict=True))
        known = {word: n for word, n in asked.items() if word in holding}
        return StoredMatches(self._index, known, holding, self._average_length, self._wordless)

    def parts(self, text: str, passages: Sequence[int]) -> list[tuple[Part, ...]]:
        return self.scored(text).parts(passages)

    @cached_property
    def _average_length(self) -> float:
        """The mean number of words per passage."""
        tables = self._index.tables
        if self._exact:
            total: int = sum(tables.select(VOCABULARY, [OCCURRENCES])[OCCURRENCES].to_pylist())
        else:
            with tables.reading():
                column = tables.table("passages").search().select([WORDS_COLUMN])
                total = sum(
                    len(text.split())
                    for batch in column.to_batches(_ROWS)
                    for text in batch[WORDS_COLUMN].to_pylist()
                )
        return total / len(self._index.ids)

    @cached_property
    def _wordless(self) -> int:
        """The number of passages without a word, which LanceDB does not count."""
        rows = self._index.tables.find(VOCABULARY, "word", [WORDLESS], ["passages"])
        return sum(rows["passages"].to_pylist())


class StoredMatches:
    """The scores of a large index for one query.

    Parameters
    ----------
    asked : the query words that some passage contains, with their count in the query.
    holding : the number of passages that contain each.
    average_length : words of a passage, on average.
    wordless : passages without words.
    """

    low = 0.0

    def __init__(
        self,
        index: Index,
        asked: Mapping[str, int],
        holding: Mapping[str, int],
        average_length: float,
        wordless: int,
    ) -> None:
        self._index = index
        self._asked = asked
        self._average_length = average_length
        count = len(index.ids)
        self._idf = {word: inverse_document_frequency(count, holding[word]) for word in asked}
        listed = {
            word: inverse_document_frequency(max(count - wordless, holding[word]), holding[word])
            for word in asked
        }
        # No passage scores more than this times its score by LanceDB.
        self._most = (
            _ROUNDING
            * (K1 + 1)
            / (_LANCE_K1 + 1)
            * max((self._idf[word] / listed[word] for word in asked), default=1.0)
        )
        self._known: dict[int, tuple[int, ...]] = {}  # words of a passage, and each word's count

    @cached_property
    def high(self) -> float:
        scores = self.of(self.first(LISTED).numbers)
        return float(scores.max()) if len(scores) else 0.0

    def first(self, count: int) -> First:
        """List about `count` passages with the highest scores, and a bound on all others."""
        if not self._asked:
            return First(np.zeros(0, np.int64), 0.0)
        # Words only: what a user types is never read as query syntax.
        text = " ".join(word for word, often in self._asked.items() for _ in range(often))
        query = MatchQuery(text, WORDS_COLUMN)  # type: ignore[call-arg]
        numbers, scores = self._index.full_text(query, count)
        rest = 0.0 if len(numbers) < count else self._most * float(scores[-1])
        numbers = np.sort(numbers)
        return First(numbers[self.matched(numbers)], rest)

    def of(self, numbers: Numbers) -> Scores:
        """Return the scores of passages: the sum over query words, repeated ones counted."""
        scores = np.zeros(len(numbers))
        for weights, often in zip(self._weights(numbers), self._asked.values(), strict=True):
            scores += weights * often
        return scores

    def matched(self, numbers: Numbers) -> Bools:
        """Return, for each passage, whether it shares a word with the query."""
        return np.asarray(self._counts(numbers)[:, 1:].any(axis=1))

    def prefetch(self, numbers: Numbers) -> None:
        """Read the length and word counts of passages that are not cached."""
        missing = sorted({number for number in numbers.tolist() if number not in self._known})
        if not missing:
            return
        texts = self._index.tables.take("passages", missing, [WORDS_COLUMN])[WORDS_COLUMN]
        asked = frozenset(self._asked)
        for number, text in zip(missing, texts.to_pylist(), strict=True):
            tokens = text.split()
            shared = asked.intersection(tokens)  # few: counting every word takes longest of all
            counts = (tokens.count(word) if word in shared else 0 for word in self._asked)
            self._known[number] = (len(tokens), *counts)

    def parts(self, passages: Sequence[int]) -> list[tuple[Part, ...]]:
        """Return the contribution of each query word to the score of each passage."""
        weights = self._weights(np.array(passages, np.int64))
        columns = [
            (word, (each * often).tolist())
            for each, (word, often) in zip(weights, self._asked.items(), strict=True)
        ]
        return [
            tuple(Part(word, values[row]) for word, values in columns if values[row])
            for row in range(len(passages))
        ]

    def _counts(self, numbers: Numbers) -> NDArray[np.int64]:
        """Return the length of each passage, and the frequency of each query word in it, (n, 1 +
        words).
        """
        self.prefetch(numbers)
        rows = [self._known[number] for number in numbers.tolist()]
        return np.array(rows, np.int64).reshape(len(rows), 1 + len(self._asked))

    def _weights(self, numbers: Numbers) -> list[Scores]:
        """Return the score that one occurrence of each query word adds to passages, (n,) each."""
        counts = self._counts(numbers).astype(np.float64)
        length = counts[:, 0] / self._average_length if self._asked else counts[:, 0]
        return [
            term_weight(self._idf[word], counts[:, column], length)
            for column, word in enumerate(self._asked, start=1)
        ]
