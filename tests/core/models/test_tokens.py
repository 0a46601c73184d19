"""The vectors of a text's tokens."""

import numpy as np
import pytest

from core.models.embedder import Embedder, load_embedder
from core.vectors import unit_norm

TEXTS = [
    "who owns the club?",
    "",
    "a",
    "\x00\u200b\n\t",
    "zażółć 日本語 🙂",
    "<b>bold</b> [SEP] [CLS] [PAD] $x$",
    "long " * 600,
    *(f"sentence {i} {'word ' * (i % 9)}" for i in range(40)),
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Embedder:
    from tests.core.tiny_model import make_tiny_model

    return load_embedder(str(make_tiny_model(tmp_path_factory.mktemp("tiny"))))


def test_a_row_of_unit_norm_for_each_token(tiny):
    found = tiny.tokens(TEXTS)
    assert len(found) == len(TEXTS)
    ids = [tiny._model.tokenizer(t, truncation=True, max_length=64)["input_ids"] for t in TEXTS]
    assert [len(each) for each in found] == [len(each) for each in ids]
    for each in found:
        assert each.shape[1] == tiny.info.dimension
        assert each.dtype == np.float32
        assert np.linalg.norm(each, axis=1) == pytest.approx(1, abs=1e-5)
    assert len(found[1]) == 2  # its beginning and its end
    assert len(found[6]) == 64  # all that the model reads


def test_they_are_of_the_text_alone(tiny):
    together = tiny.tokens(TEXTS)
    for i in (0, 1, 4, 5, 6, 20):
        np.testing.assert_array_equal(tiny.tokens([TEXTS[i]])[0], together[i])
    for mine, theirs in zip(tiny.tokens(TEXTS[::-1]), together[::-1], strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert tiny.tokens([]) == []


def test_the_vector_of_a_text_is_the_mean_of_its_tokens(tiny, monkeypatch):
    monkeypatch.setattr("core.models.embedder.unit_norm", lambda vectors: vectors)
    raw = [each.mean(axis=0) for each in tiny.tokens(TEXTS)]
    monkeypatch.undo()
    assert unit_norm(np.stack(raw)) == pytest.approx(tiny.encode(TEXTS), abs=2e-2)
    cosines = (unit_norm(np.stack(raw)) * tiny.encode(TEXTS)).sum(axis=1)
    assert cosines.min() > 0.9995
