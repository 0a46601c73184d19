"""Which passages contain which words, for the coverage of a query."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.artefacts.base import Artefact, Bench, Tables
from core.artefacts.lexical.keywords import WORDS
from core.artefacts.lexical.okapi import inverse_document_frequency
from core.store.adjacency import Numbers
from core.store.derived_tables import VOCABULARY, WORDS_COLUMN
from core.store.index import Index
from core.text.stop_words import STOP_WORDS
from core.text.tokens import words

Bools = NDArray[np.bool_]


class Holding(Protocol):
    """For some words, the passages that contain them."""

    def of(self, numbers: Numbers) -> Bools:
        """Return a (passages, words) array: whether each passage contains each word."""
        ...

    def prefetch(self, numbers: Numbers) -> None:
        """Load these passages at once, because single reads follow."""
        ...


class Lexicon(ABC):
    """The vocabulary of an index with `passages` passages, without counts."""

    def __init__(self, passages: int) -> None:
        self._passages = passages

    @abstractmethod
    def frequencies(self, words: Iterable[str]) -> Mapping[str, int]:
        """Return how many passages contain each of `words`.

        Words that no passage contains are left out.
        """

    @abstractmethod
    def word_lookup(self, words: Iterable[str]) -> Holding:
        """Return a lookup of the known ones among `words` in passages."""

    def weights(self, question: str) -> dict[str, float]:
        """Return the content words of `question` with their share of its total idf.

        They sum to 1.
        """
        content = [word for word in dict.fromkeys(words(question)) if word not in STOP_WORDS]
        held = self.frequencies(content)
        idf = {
            word: inverse_document_frequency(self._passages, held[word])
            for word in content
            if word in held
        }
        total = sum(idf.values())
        return {word: value / total for word, value in idf.items()}


class WholeLexicon(Lexicon):
    """A lexicon in memory.

    Parameters
    ----------
    texts : the words of each passage, in order of vertex numbers.
    """

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        self._column: dict[str, int] = {}
        columns: list[int] = []
        starts = [0]
        for text in texts:
            known = self._column
            columns.extend(known.setdefault(word, len(known)) for word in set(text))
            starts.append(len(columns))
        super().__init__(len(starts) - 1)
        shape = (len(starts) - 1, max(1, len(self._column)))
        ones = np.ones(len(columns), np.int8)
        self._holds = sparse.csr_matrix((ones, columns, starts), shape=shape).tocsc()
        self._frequency = np.bincount(np.array(columns, np.int64), minlength=shape[1])

    def frequencies(self, words: Iterable[str]) -> dict[str, int]:
        known = self._column
        return {word: int(self._frequency[known[word]]) for word in words if word in known}

    def word_lookup(self, words: Iterable[str]) -> Holding:
        columns = [self._column[word] for word in words]
        block: NDArray[np.int8] = self._holds[:, columns].toarray()
        return _WordMatrix(block.astype(bool))


class _WordMatrix:
    """A lookup over all passages, by a (passages, words) matrix."""

    def __init__(self, holds: Bools) -> None:
        self._holds = holds

    def of(self, numbers: Numbers) -> Bools:
        return self._holds[numbers]

    def prefetch(self, numbers: Numbers) -> None:
        """Do nothing: everything is in memory."""


class PagedLexicon(Lexicon):
    """A lexicon of a large index, which reads words and passages on demand."""

    def __init__(self, index: Index) -> None:
        super().__init__(len(index.ids))
        self._index = index

    def frequencies(self, words: Iterable[str]) -> dict[str, int]:
        rows = self._index.tables.find(VOCABULARY, "word", list(words), ["word", "passages"])
        return dict(zip(rows["word"].to_pylist(), rows["passages"].to_pylist(), strict=True))

    def word_lookup(self, words: Iterable[str]) -> Holding:
        return _CachedWords(self._index, tuple(words))


class _CachedWords:
    """A lookup that reads passages on first access and caches them."""

    def __init__(self, index: Index, asked: Sequence[str]) -> None:
        self._index = index
        self._asked = asked
        self._known: dict[int, list[bool]] = {}

    def of(self, numbers: Numbers) -> Bools:
        self.prefetch(numbers)
        rows = [self._known[number] for number in numbers.tolist()]
        return np.array(rows, bool).reshape(len(rows), len(self._asked))

    def prefetch(self, numbers: Numbers) -> None:
        """Read the words of passages that are not cached."""
        missing = sorted({number for number in numbers.tolist() if number not in self._known})
        if missing:
            texts = self._index.tables.take("passages", missing, [WORDS_COLUMN])[WORDS_COLUMN]
            for number, text in zip(missing, texts.to_pylist(), strict=True):
                tokens = set(text.split(" "))
                self._known[number] = [word in tokens for word in self._asked]


def _lexicon(bench: Bench, _: Tables) -> Lexicon:
    return PagedLexicon(bench.index) if bench.index.large else WholeLexicon(bench.get(WORDS))


LEXICON = Artefact("lexicon", "Which passages contain which words.", _lexicon, needs=(WORDS,))
