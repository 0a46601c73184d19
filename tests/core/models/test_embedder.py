import random
import shutil

import numpy as np
import pytest

from core.errors import ModelError
from core.models import embedder as module
from core.models.embedder import load_embedder
from core.settings import BUNDLED_EMBEDDER
from tests.core.tiny_model import make_tiny_model

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
    exact = module._load(str(module._bundled_folder()), local=True, hub=False)
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
    with pytest.raises(ModelError, match=r"contains no model weights|could not be loaded"):
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
        load_embedder(BUNDLED_EMBEDDER)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("modules.json", '{"0": 5}'),
        ("modules.json", "[[]]"),
        ("config.json", "[]"),
        ("config.json", '{"model_type": "bert", "hidden_size": "many"}'),
        ("tokenizer.json", "{}"),
        ("1_Pooling/config.json", '{"word_embedding_dimension": []}'),
    ],
)
def test_a_folder_with_a_broken_file_is_said_to_be_one(tmp_path, file, content):
    broken = tmp_path / "broken"
    shutil.copytree(make_tiny_model(tmp_path), broken, dirs_exist_ok=True)
    assert (broken / file).exists()
    (broken / file).write_text(content)
    with pytest.raises(ModelError, match=r"could not be loaded|its dimension"):
        load_embedder(str(broken))


@pytest.mark.parametrize("name", ["x" * 5000, "~nobody-of-this-name/x", "a\0b"])
def test_what_can_be_no_folder_is_no_model(name, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "https://hub.invalid")
    with pytest.raises(ModelError):
        load_embedder(name)


def test_a_folder_with_two_names_is_loaded_once_and_few_are_kept(tmp_path):
    folder = make_tiny_model(tmp_path)
    (tmp_path / "link").symlink_to(folder)
    one, other = load_embedder(str(folder)), load_embedder(str(tmp_path / "link"))
    assert one._model is other._model
    assert (one.info.name, other.info.name) == (str(folder), str(tmp_path / "link"))
    for number in range(4):
        shutil.copytree(folder, tmp_path / f"copy{number}")
        load_embedder(str(tmp_path / f"copy{number}"))
    assert len(module._loaded) == 3
