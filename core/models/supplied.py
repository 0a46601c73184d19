"""Vectors supplied by files, used as the embeddings of passages.

The embedder of the index embeds pseudo-queries and questions; it has to be the model that made the
vectors. A probe embeds a few of the passages and compares.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

import numpy as np

from core.corpus.vectors.given_vectors import dimensions
from core.errors import InputError
from core.models.embedder import Embedder
from core.store.metadata import Supplied
from core.store.schema import passage_text
from core.types import Document, Passage
from core.vectors import Vectors

Given = Mapping[str, bytes]
"""The vectors of passages by their ids, as `Document.vector` has them."""
_PROBED = 16  # passages


def given_vectors(
    documents: Sequence[Document], passages: Sequence[Passage], embedder: Embedder
) -> Given:
    """Collect the vectors that files supplied for `passages`.

    Raises
    ------
    InputError : a document with a vector is split, or its vector has other dimensions than those
        of `embedder`.
    """
    given = {made.id: made for made in documents if made.vector}
    if not given:
        return {}
    for made in given.values():
        _check(made, embedder)
    for passage in passages:
        if passage.position and passage.document_id in given:
            made = given[passage.document_id]
            raise InputError(
                f"'{made.title or made.id}' of {made.source} has one vector but would be split "
                "into several passages. Keep whole documents (--chunk as-is), or remove the "
                "vectors."
            )
    return {
        passage.id: given[passage.document_id].vector
        for passage in passages
        if passage.document_id in given
    }


def _check(made: Document, embedder: Embedder) -> None:
    """Raise InputError if the vector of a document has another dimension than the embedder's."""
    given, expected = dimensions(made.vector), embedder.info.dimension
    if given != expected:
        raise InputError(
            f"The vectors of {made.source} have {given:,} dimensions, and the embedder "
            f"{embedder.info.name} gives {expected:,}. Name the model that made them as the "
            "embedder (--embedder), or remove the vectors."
        )


def with_given(passages: Sequence[Passage], given: Given, others: Vectors) -> Vectors:
    """Return the vectors of `passages`, (n, d): those `given`, and the others in order."""
    dimension = others.shape[1]
    vectors = np.empty((len(passages), dimension), np.float32)
    rest = iter(others)
    for number, passage in enumerate(passages):
        vector = given.get(passage.id)
        vectors[number] = np.frombuffer(vector, "<f4") if vector else next(rest)
    return vectors


def digest(given: Given) -> str:
    """Hash the supplied vectors, because everything built from the index depends on them."""
    hashed = blake2b(digest_size=8)
    for name in sorted(given):
        hashed.update(name.encode() + given[name])
    return hashed.hexdigest()


def check_supplied_vectors(
    documents: Sequence[Document], passages: Sequence[Passage], given: Given, embedder: Embedder
) -> Supplied | None:
    """Return the origin of supplied vectors, and whether `embedder` made them; None without any."""
    if not given:
        return None
    own = [passage for passage in passages if passage.id in given]
    probed = own[:: -(-len(own) // _PROBED)]
    vectors = np.stack([np.frombuffer(given[passage.id], "<f4") for passage in probed])
    sources = dict.fromkeys(made.source for made in documents if made.vector)
    return Supplied(len(own), tuple(sources), len(probed), agreement(probed, vectors, embedder))


def agreement(passages: Sequence[Passage], vectors: Vectors, embedder: Embedder) -> float:
    """Return the mean cosine between supplied vectors and those of `embedder`.

    It is unknown whether supplied vectors include the title, so the better fit counts.
    """
    forms = [
        [passage_text(passage.title, passage.text) for passage in passages],
        [passage.text for passage in passages],
    ]
    return max(float((embedder.encode(texts) * vectors).sum(axis=1).mean()) for texts in forms)
