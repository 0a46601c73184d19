import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.hop_graph.bounds import STEP, CosineBounds, cosine_bounds
from core.vectors import Vectors, unit_norm


@pytest.fixture(params=("float32", "bfloat16"), autouse=True, scope="module")
def number_type(request):
    """Both kinds of processor, whichever this one is."""
    with pytest.MonkeyPatch.context() as patch:
        has = {"avx512_bf16": request.param == "bfloat16"}
        patch.setattr(torch.cpu, "get_capabilities", lambda: has)
        patch.setattr("core.hop_graph.bounds.FEW", 0)
        yield getattr(torch, request.param)


def whole(bounds: CosineBounds, block: int = 512) -> Vectors:
    everything = np.arange(len(bounds.heads))
    blocks = [cells.copy() for cells in bounds.blocks(everything, everything, block)]
    return np.concatenate(blocks)


def like_a_corpus(count: int, dimension: int, lean: float = 0.0) -> Vectors:
    """Vectors of which a few directions hold most; `lean` turns all of them one way."""
    rng = np.random.default_rng(7)
    drawn = rng.normal(size=(count, dimension)) * 0.9 ** np.arange(dimension)
    drawn[:, -1] += lean
    return unit_norm(drawn.astype(np.float32))


ROWS = arrays.arrays(np.int8, st.tuples(st.integers(1, 6), st.just(5)))


@given(ROWS)
def test_no_cosine_is_above_its_bound(rows):
    vectors = unit_norm(rows.astype(np.float32))
    bounds = cosine_bounds(vectors)
    wide = vectors.astype(np.float64)
    assert (whole(bounds) + bounds.slack >= wide @ wide.T).all()


@pytest.mark.parametrize("lean", [0.0, 30.0])
def test_few_numbers_bound_the_cosines_of_many_closely(number_type, lean, monkeypatch):
    monkeypatch.setattr("core.hop_graph.bounds.CHUNK", 70)
    vectors = like_a_corpus(300, 256, lean)
    bounds = cosine_bounds(vectors)
    assert bounds.heads.shape == (300, STEP)
    assert bounds.heads.dtype == number_type
    over = whole(bounds) - vectors @ vectors.T
    assert over.min() >= -bounds.slack
    spread = (vectors - vectors.mean(axis=0)).var(axis=0).sum()
    assert np.median(over) < 0.11 * spread + bounds.slack


def test_vectors_without_a_common_plane_keep_nearly_all_numbers():
    vectors = unit_norm(np.random.default_rng(0).normal(size=(2000, 96)).astype(np.float32))
    bounds = cosine_bounds(vectors)
    assert bounds.heads.shape[1] == 96
    assert (whole(bounds) + bounds.slack >= vectors @ vectors.T).all()


def test_few_vectors_stay_as_they_are(number_type, monkeypatch):
    monkeypatch.setattr("core.hop_graph.bounds.FEW", 20)
    vectors = like_a_corpus(20, 64)
    bounds = cosine_bounds(vectors)
    assert bounds.heads.shape == (20, 64 + 1)
    assert np.abs(whole(bounds) - vectors @ vectors.T).max() <= bounds.slack


def test_blocks_come_in_order_and_the_last_is_shorter():
    bounds = cosine_bounds(like_a_corpus(7, 8))
    rows, columns = np.array([6, 1, 4]), np.array([0, 2, 3, 5])
    blocks = [cells.copy() for cells in bounds.blocks(rows, columns, 2)]
    assert [cells.shape for cells in blocks] == [(2, 4), (1, 4)]
    np.testing.assert_allclose(np.concatenate(blocks), whole(bounds)[rows][:, columns], atol=1e-6)


@pytest.mark.parametrize("vectors", [np.zeros((3, 4)), np.ones((3, 4)) / 2])
def test_vectors_that_are_all_the_same(vectors):
    bounds = cosine_bounds(vectors.astype(np.float32))
    assert (whole(bounds) + bounds.slack >= vectors @ vectors.T).all()
