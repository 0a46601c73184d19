"""Stand-ins that need no model."""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b

import numpy as np

from core.text.tokens import words
from core.types import EmbedderInfo
from core.vectors import Vectors, unit_norm


class WordEmbedder:
    """A text's vector is the sum of its words', each drawn from the word's hash, and a little of
    its own, so that the same words in another order are another text.

    Texts that share words are similar, the same text always has the same vector, and `texts`
    remembers what was asked for.
    """

    def __init__(self, dimension: int = 16, name: str = "words") -> None:
        self.info = EmbedderInfo(name, name, dimension, "float32")
        self.texts: list[str] = []

    def encode(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        self.texts.extend(texts)
        vectors = np.zeros((len(texts), self.info.dimension), np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._drawn(text) / 10
            for word in words(text):
                vectors[row] += self._drawn(word)
        if progress:
            progress(len(texts))
        return unit_norm(vectors)

    def embedded_before(self, texts: Sequence[str]) -> tuple[()]:
        return ()

    def tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """One vector for each word of a text, behind one for its beginning."""
        return [
            unit_norm(np.stack([self._drawn(word) for word in ("", *words(text))]))
            for text in texts
        ]

    def _drawn(self, text: str) -> Vectors:
        return _drawn(text, self.info.dimension)


@cache  # a generator for each word of a corpus takes longer than everything else of its build
def _drawn(text: str, dimension: int) -> Vectors:
    seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
    drawn: Vectors = np.random.default_rng(seed).normal(size=dimension).astype(np.float32)
    drawn.flags.writeable = False
    return drawn
