"""Rerankers, which score a text for a query: a cross-encoder, and late interaction.

Late interaction is MaxSim of ColBERT (Khattab and Zaharia, 2020), here with the token vectors of
the index's own embedder, which was not trained for it.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np

from core.errors import ModelError
from core.models.embedder import Embedder
from core.ranking import Scores

REMEMBERED = 5_000
"""Scores that are remembered at most."""
Known = dict[tuple[str, str, str], float]


class Reranker(Protocol):
    """`name` is what the scores are called; higher is better."""

    name: str

    def scores(self, query: str, texts: Sequence[str]) -> Scores:
        """Return the score of each of `texts`, (len(texts),)."""
        ...


class MaxSim:
    """The mean over query tokens of the highest cosine to a token of the text, in [-1, 1].

    ColBERT sums; the mean ranks the same and does not grow with the length of the question.
    """

    name = "late interaction"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def scores(self, query: str, texts: Sequence[str]) -> Scores:
        asked, *read = self._embedder.tokens([query, *texts])
        return np.array([float((asked @ text.T).max(axis=1).mean()) for text in read], np.float64)


class CrossEncoded:
    """A cross-encoder of sentence-transformers; its scores have no fixed range."""

    name = "cross-encoder"

    def __init__(self, model: str) -> None:
        self._model = _cross_encoder(model)

    def scores(self, query: str, texts: Sequence[str]) -> Scores:
        """Score each (query, text) pair with the model, (len(texts),) float64."""
        if not texts:
            return np.zeros(0)
        predicted = self._model.predict([(query, text) for text in texts], show_progress_bar=False)
        return np.asarray(predicted, np.float64).ravel()


class Remembering:
    """A reranker with a cache of its scores.

    Parameters
    ----------
    reader : the name of the reranker in the keys of `known`.
    known : scores by reader, question and text; shared, and emptied when it is full.
    """

    def __init__(self, reranker: Reranker, reader: str, known: Known) -> None:
        self.name = reranker.name
        self._reranker = reranker
        self._reader = reader
        self._known = known

    def scores(self, query: str, texts: Sequence[str]) -> Scores:
        """Return cached scores, and score only the new texts.

        The cache is cleared when it would exceed `REMEMBERED` scores.
        """
        score_of = {text: self._known.get((self._reader, query, text)) for text in texts}
        new = [text for text, score in score_of.items() if score is None]
        if new:
            new_scores = dict(zip(new, map(float, self._reranker.scores(query, new)), strict=True))
            if len(self._known) + len(new) > REMEMBERED:
                self._known.clear()
            self._known.update(((self._reader, query, text), new_scores[text]) for text in new)
            score_of.update(new_scores)
        return np.array([score_of[text] for text in texts], np.float64)


class _Predicts(Protocol):
    def predict(
        self, pairs: list[tuple[str, str]], *, show_progress_bar: bool
    ) -> Sequence[float]: ...


@cache
def _cross_encoder(name: str) -> _Predicts:
    """Return the cross-encoder called `name`: a local folder, or a name on a model hub.

    Raises
    ------
    ModelError : it cannot be loaded, or returns several numbers per pair.
    """
    from core.models.embedder import hub_answers

    folder = Path(name).expanduser()
    local = folder.is_dir()
    try:
        from safetensors import SafetensorError
        from sentence_transformers import CrossEncoder

        model = CrossEncoder(
            str(folder) if local else name,
            device="cpu",
            local_files_only=local or not hub_answers(),
            trust_remote_code=False,
        )
    except (OSError, ValueError, KeyError, ImportError, SafetensorError) as error:
        raise ModelError(
            f"The cross-encoder {name!r} could not be loaded ({type(error).__name__}). Give "
            "the path of its folder, or leave the setting empty to use the built-in late "
            "interaction."
        ) from error
    if model.num_labels != 1:
        raise ModelError(
            f"{name!r} gives {model.num_labels} scores per pair, but a reranker needs one. "
            "Choose a cross-encoder trained for ranking."
        )
    return model  # type: ignore[no-any-return]
