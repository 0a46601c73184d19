"""Embed texts in Ray Data actors.

Separate from the other stages, which need neither a model nor an index: their processes start in
half the time.
"""

import numpy as np
import pyarrow as pa
import ray

from core.models.embedder import Embedder
from core.store import schema
from core.store.embeddings.vector_positions import Known


class Embedding:
    """A Ray Data actor that adds vectors to tables. It loads the embedding model once."""

    def __init__(self, known: "ray.ObjectRef[Known]", embedder: Embedder) -> None:
        self._known: Known = ray.get(known)
        self._embedder = embedder

    def __call__(self, rows: pa.Table) -> pa.Table:
        return add_vectors(rows, self._known, self._embedder)


def add_vectors(rows: pa.Table, known: Known, embedder: Embedder) -> pa.Table:
    """Return `rows` with the vectors of their texts. New vectors are stored on disk first."""
    texts = schema.texts_in(rows)
    vectors = known.take(texts)
    missing = [text for text in dict.fromkeys(texts) if text not in vectors]
    encoded = embedder.encode(missing)
    known.keep(missing, encoded)
    vectors.update(zip(missing, encoded, strict=True))
    return schema.with_vectors(rows, np.stack([vectors[text] for text in texts]))
