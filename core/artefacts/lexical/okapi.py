"""Okapi BM25 (Robertson and Zaragoza, 2009) with Lucene's inverse document frequency."""

import math
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

K1, B = 1.5, 0.75
"""Term-frequency saturation and length normalisation, the defaults of rank-bm25."""

Values = TypeVar("Values", float, NDArray[np.float64])


def inverse_document_frequency(passages: int, holding: int) -> float:
    """Return ln(1 + (N - n + 1/2) / (n + 1/2)), which is above 0 for every word.

    Robertson's ln((N - n + 1/2) / (n + 1/2)) is 0 for a word in half of the passages and negative
    beyond, so that in a small corpus a shared word can count against a passage.

    Parameters
    ----------
    passages : N, the passages of the corpus.
    holding : n, those that contain the word; at most N.

    References
    ----------
    Lucene, `BM25Similarity.idf`.
    """
    return math.log(1 + (passages - holding + 0.5) / (holding + 0.5))


def term_weight(
    idf: Values, occurrences: NDArray[np.float64], relative_length: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the BM25 contribution of one query word to the score of each passage.

    Parameters
    ----------
    idf : inverse document frequency of the word.
    occurrences : (n,) how often each passage contains the word.
    relative_length : (n,) words of each passage, divided by the average.
    """
    return np.asarray(
        idf * occurrences * (K1 + 1) / (occurrences + K1 * (1 - B + B * relative_length))
    )


class Okapi(BM25Okapi):  # type: ignore[misc]
    """rank-bm25's Okapi, in which no inverse document frequency is zero or negative."""

    def __init__(self, passages: object) -> None:
        super().__init__(passages, k1=K1, b=B)

    def _calc_idf(self, nd: dict[str, int]) -> None:
        for word, holding in nd.items():
            self.idf[word] = inverse_document_frequency(self.corpus_size, holding)
