"""Which passages hold which words: the counts behind coverage."""

import math
from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.artefacts.base import Artefact
from core.artefacts.words import WORDS
from core.store.adjacency import Numbers
from core.text.stop_words import STOP_WORDS
from core.text.tokens import words


class Holding(Protocol):
    """Which passages hold which of some words."""

    def of(self, numbers: Numbers) -> NDArray[np.bool_]:
        """(passages, words): whether the passages of these numbers hold each."""
        ...

    def ahead(self, numbers: Numbers) -> None:
        """These will be asked for, one after the other."""
        ...


class AllHeld:
    """Known of all passages, (n, words)."""

    def __init__(self, holds: NDArray[np.bool_]) -> None:
        self._holds = holds

    def of(self, numbers: Numbers) -> NDArray[np.bool_]:
        return self._holds[numbers]

    def ahead(self, numbers: Numbers) -> None:
        """They are in memory."""


class Lexicon:
    """The words of every passage, without counts.

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
        shape = (len(starts) - 1, max(1, len(self._column)))
        ones = np.ones(len(columns), np.int8)
        self._holds = sparse.csr_matrix((ones, columns, starts), shape=shape).tocsc()
        self._frequency = np.bincount(np.array(columns, np.int64), minlength=shape[1])

    def idf(self, word: str) -> float:
        """ln(1 + (n - df + 1/2) / (df + 1/2)); 0 for a word that no passage holds."""
        column = self._column.get(word)
        if column is None:
            return 0.0
        n, df = self._holds.shape[0], int(self._frequency[column])
        return math.log(1 + (n - df + 0.5) / (df + 0.5))

    def weights(self, question: str) -> dict[str, float]:
        """The words of `question` that carry content, by their share of its idf; they sum to 1."""
        content = [word for word in dict.fromkeys(words(question)) if word not in STOP_WORDS]
        total = sum(self.idf(word) for word in content)
        if not total:
            return {}
        return {word: idf / total for word in content if (idf := self.idf(word))}

    def holding(self, asked: Iterable[str]) -> Holding:
        """Says of passages which of the words `asked` they hold, all of which are known."""
        columns = [self._column[word] for word in asked]
        block: NDArray[np.int8] = self._holds[:, columns].toarray()
        return AllHeld(block.astype(bool))


LEXICON = Artefact(
    "lexicon",
    "Which passages hold which words.",
    lambda bench, _: Lexicon(bench.get(WORDS)),
    needs=(WORDS,),
)
