"""An embedder with an in-memory cache, for replaying one question many times."""

from collections.abc import Callable, Sequence

import numpy as np

from core.models.embedder import Embedder
from core.vectors import Vectors


class Remembered(Embedder):
    """An embedder that caches every vector in memory, without a limit.

    Safe to share between threads.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.info = embedder.info
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}

    def encode(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        """Like `Embedder.encode`, with a cache."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            vectors = self._embedder.encode(new)
            self._known |= {text: vectors[row] for row, text in enumerate(new)}
        if progress:
            progress(len(texts))
        known = [self._known[text] for text in texts]
        return np.array(known, np.float32).reshape(len(texts), self.info.dimension)

    def tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """Like `Embedder.tokens`, without a cache: token vectors are large."""
        return self._embedder.tokens(texts)
