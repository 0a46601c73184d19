"""What many processes embed, and what one does, is kept in one place."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.store.database import connect
from core.store.embeddings.vector_cache import VectorCache
from core.store.embeddings.vector_positions import Known, digests_of
from core.store.index import Index
from core.store.schema import passage_text
from tests.core.fakes import WordEmbedder


def test_what_one_way_embedded_the_other_does_not_embed_again(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    vectors = embedder.encode(["a", "b", "c"])
    VectorCache(tmp_path, embedder.info).add(["a", "b"], vectors[:2])
    known = Known.read(tmp_path, embedder.info)
    found = known.take(["c", "b"])
    assert list(found) == ["b"]
    np.testing.assert_array_equal(found["b"], vectors[1])
    known.keep(["c"], vectors[2:])
    assert VectorCache(tmp_path, embedder.info).missing(["a", "b", "c", "d"]) == ["d"]
    assert known.take([]) == {}


def test_texts_of_an_index_are_known_and_what_none_uses_stays_for_later(
    built: Path, embedder: WordEmbedder
) -> None:
    passages = [passage_text(p.title, p.text) for p in Index.open(built).passages]
    Known.read(built, embedder.info).keep(["spare"], embedder.encode(["spare"]))
    known = Known.read(built, embedder.info)
    assert known.take([*passages, "spare", "new"]).keys() == {*passages, "spare"}
    known.delete_stored(digests_of(passages[1:]))
    assert VectorCache(built, embedder.info).missing([*passages, "spare"]) == []
    own = connect(built).open_table(known.own).to_arrow()["text"].to_pylist()
    assert {passages[0], "spare"} <= set(own)
    assert not set(own) & set(passages[1:])


@pytest.mark.parametrize("other", [{"fingerprint": "other"}, {"precision": "int8"}])
def test_vectors_of_another_embedder_or_precision_are_never_taken(
    built: Path, embedder: WordEmbedder, other: dict[str, str]
) -> None:
    passages = [passage_text(p.title, p.text) for p in Index.open(built).passages]
    changed = replace(embedder.info, **other)
    assert Known.read(built, changed).take(passages) == {}
    assert VectorCache(built, changed).missing(passages) == passages
    renamed = replace(embedder.info, name="the same by another name")
    assert Known.read(built, renamed).take(passages).keys() == {*passages}
    assert VectorCache(built, renamed).missing(passages) == []


def test_texts_of_one_digest_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = WordEmbedder()
    monkeypatch.setattr(
        "core.store.embeddings.vector_positions.digests_of",
        lambda texts: np.array([7 for _ in texts], np.uint64),
    )
    Known.read(tmp_path, embedder.info).keep(["a", "b"], embedder.encode(["a", "b"]))
    assert "c" not in Known.read(tmp_path, embedder.info).take(["c"])
