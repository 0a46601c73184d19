"""An index whose passages have vectors from a file."""

from dataclasses import replace

import numpy as np
import pytest

from core.corpus.chunking.chunker import Chunking
from core.corpus.types import Brought, Corpus
from core.errors import InputError
from core.indexing.updates import add, build, remove
from core.store.index import Index
from core.store.notices import supplied_notice, supplied_warning
from core.store.schema import passage_text
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import DOCUMENTS, silent

NEW = Document("brewery", "Ash Brewery", "Ash Brewery belongs to Mara Quist.", "brewery.txt")


def own(documents=DOCUMENTS, *, by: WordEmbedder | None = None, noise: float = 0.0) -> Corpus:
    """The documents with vectors of `by`, or random ones."""
    texts = [passage_text(made.title, made.text) for made in documents]
    drawn = np.random.default_rng(5).normal(size=(len(texts), 16)).astype(np.float32)
    vectors = by.encode(texts) + noise * drawn if by else drawn
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    pairs = zip(documents, vectors, strict=True)
    made = tuple(replace(one, vector=vector.astype("<f4").tobytes()) for one, vector in pairs)
    return Corpus(made, (), brought=tuple(map(Brought, made)))


def matrix(corpus: Corpus) -> np.ndarray:
    return np.stack([np.frombuffer(made.vector, "<f4") for made in corpus.documents])


def test_the_given_vectors_are_the_embeddings(tmp_path):
    corpus, embedder = own(), WordEmbedder()
    build(tmp_path / "i", corpus, embedder, silent)
    index = Index.open(tmp_path / "i")
    np.testing.assert_array_equal(index.vectors, matrix(corpus))
    assert index.meta.supplied.passages == len(DOCUMENTS)
    # Beside the probe, which tries two forms, only pseudo-queries are embedded.
    queries = {query.text for query in index.graph.all_pseudo_queries}
    probed = {passage_text(one.title, one.text) for one in DOCUMENTS} | {
        one.text for one in DOCUMENTS
    }
    assert set(embedder.texts) == queries | probed


def test_vectors_of_another_model_are_told(tmp_path):
    meta = build(tmp_path / "other", own(), WordEmbedder(), silent)
    assert "probably made with a different model from words" in supplied_warning(meta)
    meta = build(tmp_path / "same", own(by=WordEmbedder(), noise=0.01), WordEmbedder(), silent)
    assert not supplied_warning(meta)
    assert "the mean cosine is 1.00" in supplied_notice(meta)


def test_an_embedder_of_other_dimensions_is_refused(tmp_path):
    with pytest.raises(InputError, match="have 16 dimensions, and the embedder words gives 8"):
        build(tmp_path / "i", own(), WordEmbedder(8), silent)


def test_a_document_with_a_vector_is_not_split(tmp_path):
    with pytest.raises(InputError, match="would be split into several passages"):
        build(tmp_path / "i", own(), WordEmbedder(), silent, chunking=Chunking("sentence"))


def test_an_index_is_built_again_without_the_vectors(tmp_path):
    """Vectors of a file are not taken for those of the embedder."""
    folder, plain = tmp_path / "i", Corpus(DOCUMENTS, ())
    build(folder, own(), WordEmbedder(), silent)
    meta = build(folder, plain, WordEmbedder(), silent)
    expected = WordEmbedder().encode([passage_text(one.title, one.text) for one in DOCUMENTS])
    np.testing.assert_allclose(Index.open(folder).vectors, expected, atol=1e-6)
    assert meta.supplied is None


def test_adding_and_removing_keep_the_vectors(tmp_path):
    folder, corpus = tmp_path / "i", own()
    build(folder, corpus, WordEmbedder(), silent)
    before = Index.open(folder).meta.graph_version
    meta = add(folder, Corpus((NEW,), ()), WordEmbedder(), silent)
    index = Index.open(folder)
    own_rows = [index.number[one.id] for one in DOCUMENTS]
    np.testing.assert_array_equal(index.vectors[own_rows], matrix(corpus))
    assert "and 1 other passage" in supplied_notice(meta)
    remove(folder, ["brewery"], WordEmbedder(), silent)
    assert Index.open(folder).meta.graph_version == before


def test_other_vectors_are_another_version(tmp_path):
    """What was made of an index, such as its map, is made again."""
    first = build(tmp_path / "i", own(), WordEmbedder(), silent)
    second = build(tmp_path / "i", own(by=WordEmbedder()), WordEmbedder(), silent)
    assert first.graph_version != second.graph_version
