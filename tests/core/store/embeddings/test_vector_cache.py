"""Which vectors a build reuses, and which it keeps for later in a table of their own."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.store.artefact_tables import remove, remove_unused, shelved
from core.store.database import connect
from core.store.embeddings.vector_cache import VectorCache, embeddings_of
from core.store.schema import EMBEDDINGS
from core.text.sentences import sentences
from tests.core.artefacts.demonstration import Demonstration, bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import TEXTS

SENTENCES = [sentence for _, text in TEXTS.values() for sentence in sentences(text)]


@pytest.fixture
def shelf(built: Path, embedder: WordEmbedder) -> Path:
    """The index with an artefact that holds the vectors of all sentences."""
    bench_on(built, embedder).get(Demonstration().sentences)
    return built


def own(folder: Path, embedder: WordEmbedder) -> list[str]:
    """The texts in the table of their own."""
    table = connect(folder).open_table(embeddings_of(embedder.info))
    found: list[str] = table.to_arrow()["text"].to_pylist()
    return found


def test_vectors_of_an_artefact_are_reused_only_by_the_embedder_that_made_them(
    shelf: Path, embedder: WordEmbedder
) -> None:
    cache = VectorCache(shelf, embedder.info)
    assert cache.missing(SENTENCES) == []
    np.testing.assert_array_equal(cache.take(SENTENCES), WordEmbedder().encode(SENTENCES))
    for other in (
        replace(embedder.info, fingerprint="other"),
        replace(embedder.info, precision="int8"),
    ):
        assert VectorCache(shelf, other).missing(SENTENCES) == SENTENCES


def test_what_an_artefact_holds_is_not_kept_twice_and_stays_when_it_goes(
    shelf: Path, embedder: WordEmbedder
) -> None:
    assert not set(own(shelf, embedder)) & set(SENTENCES)
    VectorCache(shelf, embedder.info).add(["spare"], embedder.encode(["spare"]))
    VectorCache(shelf, embedder.info).delete_stored()
    assert own(shelf, embedder) == ["spare"]

    VectorCache(shelf, embedder.info).keep_without("sentences")
    remove(shelf, "sentences")
    remove_unused(shelf)
    assert own(shelf, embedder) == sorted({*SENTENCES, "spare"})
    assert VectorCache(shelf, embedder.info).missing([*SENTENCES, "spare"]) == []


def test_tables_that_no_row_of_the_shelf_names_are_swept(
    shelf: Path, embedder: WordEmbedder
) -> None:
    remove_unused(shelf)
    kept = {each.stem for each in shelf.glob("artefact_*.lance")}
    assert kept == {row.table(name) for row in shelved(shelf).values() for name in row.versions}
    assert kept
    remove(shelf, "sentences")
    remove_unused(shelf)
    assert not list(shelf.glob("artefact_*.lance"))
    assert list(shelf.glob(f"{EMBEDDINGS}*.lance"))
