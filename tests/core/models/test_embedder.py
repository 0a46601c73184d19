import random
import shutil

import numpy as np
import pytest

from core.errors import ModelError
from core.models import embedder as module
from core.models.embedder import load_embedder
from core.settings import BUNDLED_EMBEDDER

pytestmark = pytest.mark.embedder

TEXTS = [
    "Who owns the club?",
    "A town on a river, with a brewery that is older than its church.",
    "",
    "Zażółć gęślą jaźń 日本語 🙂",
    "long " * 600,
    *(f"Sentence number {i} has its own length: {'word ' * (i % 17)}." for i in range(60)),
]


@pytest.fixture(scope="module")
def embedder():
    return load_embedder(BUNDLED_EMBEDDER)


def test_vectors_are_unit_norm_in_order(embedder):
    vectors = embedder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.info.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert vectors[:1] @ embedder.encode(["Who is the owner of the club?"])[0] > 0.8


def test_a_vector_depends_on_its_text_alone(embedder):
    together = embedder.encode(TEXTS)
    order = list(range(len(TEXTS)))
    random.Random(3).shuffle(order)
    assert np.array_equal(embedder.encode([TEXTS[i] for i in order]), together[order])
    for i in (0, 2, 4, 20):
        assert np.array_equal(embedder.encode([TEXTS[i]])[0], together[i])


def test_no_text_no_vector(embedder):
    assert embedder.encode([]).shape == (0, embedder.info.dimension)


def test_progress_counts_every_text(embedder):
    done = []
    embedder.encode(TEXTS, done.append)
    assert sum(done) == len(TEXTS)


def test_bfloat16_stays_close_to_float32(embedder, monkeypatch):
    monkeypatch.setattr(module, "fastest_precision", lambda: "float32")
    exact = load_embedder.__wrapped__(BUNDLED_EMBEDDER)
    assert exact.info.precision == "float32"
    cosines = (exact.encode(TEXTS[:4]) * embedder.encode(TEXTS[:4])).sum(axis=1)
    assert cosines.min() > 0.998


def test_a_folder_is_a_model_too(embedder):
    folder = str(module._bundled_folder())
    local = load_embedder(folder)
    assert local.info.name == folder
    assert local.info.fingerprint == embedder.info.fingerprint == module.BUNDLED_SHA256
    assert np.array_equal(local.encode(TEXTS[:2]), embedder.encode(TEXTS[:2]))


def test_what_cannot_be_loaded_says_what_to_do(tmp_path, monkeypatch):
    with pytest.raises(ModelError, match=r"holds no model weights|could not be loaded"):
        load_embedder(str(tmp_path))
    broken = tmp_path / "broken"
    shutil.copytree(module._bundled_folder(), broken)
    (broken / "model.safetensors").write_bytes(b"cut short")
    with pytest.raises(ModelError, match="could not be loaded"):
        load_embedder(str(broken))
    # The address of a hub that is nowhere, which must not take long to find out.
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "https://hub.invalid")
    with pytest.raises(ModelError, match="Give the path"):
        load_embedder("nobody/no-such-model")


def test_other_weights_are_refused(monkeypatch):
    monkeypatch.setattr(module, "BUNDLED_SHA256", "0" * 64)
    with pytest.raises(ModelError, match="not those of all-MiniLM"):
        load_embedder.__wrapped__(BUNDLED_EMBEDDER)
