"""Embedding vectors as arrays."""

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""(n, d) float32; embeddings are unit-norm, so a dot product is a cosine."""


def unit_norm(vectors: Vectors) -> Vectors:
    """Return the rows of a matrix scaled to unit norm; rows of zeros stay zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = vectors / np.maximum(norms, np.finfo(np.float32).tiny)
    return scaled
