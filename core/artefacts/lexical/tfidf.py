"""Cosine of TF-IDF vectors, over all passages."""

from collections.abc import Sequence

import numpy as np

from core.artefacts.base import Artefact
from core.artefacts.lexical.keywords import WORDS
from core.ranking import Scores
from core.text.tokens import words


class TfIdf:
    """scikit-learn's TF-IDF with its defaults, over our own words.

    Parameters
    ----------
    passages : the words of each passage, in order of vertex numbers.
    """

    def __init__(self, passages: Sequence[Sequence[str]]) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer  # every page would wait

        self._vectorizer = TfidfVectorizer(analyzer=_as_they_are)
        # Without a word there is nothing to fit.
        self._matrix = self._vectorizer.fit_transform(passages) if any(passages) else None
        self._count = len(passages)

    def scores(self, text: str) -> Scores:
        """Return the cosine of `text` with each passage, (passages,), in [0, 1]."""
        if self._matrix is None:
            return np.zeros(self._count)
        asked = self._vectorizer.transform([words(text)])
        return np.asarray((self._matrix @ asked.T).todense(), np.float64).ravel()


def _as_they_are(passage: Sequence[str]) -> Sequence[str]:
    return passage


TFIDF = Artefact(
    "tfidf",
    "A TF-IDF index of all passages.",
    lambda bench, _: TfIdf(bench.get(WORDS)),
    needs=(WORDS,),
)
