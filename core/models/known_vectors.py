"""An embedder that is loaded only for texts whose vectors are not known."""

from collections.abc import Callable, Mapping, Sequence
from threading import Lock

import numpy as np

from core.models.embedder import Embedder
from core.types import EmbedderInfo
from core.vectors import Vectors


class KnownVectors(Embedder):
    """An embedder with known vectors of some texts, loaded when it gets another text.

    Loading a local model takes seconds, mostly for imports. Safe to share between threads.

    Parameters
    ----------
    info : describes the embedder.
    vectors : by text, (d,) float32 unit-norm each, from the same embedder.
    load : returns the embedder.
    """

    def __init__(
        self, info: EmbedderInfo, vectors: Mapping[str, Vectors], load: Callable[[], Embedder]
    ) -> None:
        self.info = info
        self._vectors = vectors
        self._load = load
        self._loaded: Embedder | None = None
        self._loading = Lock()

    def _embedder(self) -> Embedder:
        """Load the embedder at the first use; other threads wait for it."""
        with self._loading:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def encode(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        """Like `Embedder.encode`, from the known vectors if they cover all texts."""
        if any(text not in self._vectors for text in texts):
            return self._embedder().encode(texts, progress)
        if progress:
            progress(len(texts))
        known = [self._vectors[text] for text in texts]
        return np.array(known, np.float32).reshape(len(texts), self.info.dimension)

    def tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """Like `Embedder.tokens`; loads the embedder."""
        return self._embedder().tokens(texts)
