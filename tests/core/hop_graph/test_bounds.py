import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.hop_graph.bounds import STEP, Heads, axes_of, heads_of, slack
from core.hop_graph.cells import OnDevice, OnProcessor, precision
from core.vectors import Vectors, unit_norm

HERE = torch.device("cpu")


@pytest.fixture(params=("float32", "bfloat16"), autouse=True, scope="module")
def number_type(request):
    """Both kinds of processor, whichever this one is."""
    with pytest.MonkeyPatch.context() as patch:
        has = {"avx512_bf16": request.param == "bfloat16"}
        patch.setattr(torch.cpu, "get_capabilities", lambda: has)
        patch.setattr("core.hop_graph.bounds.FEW", 0)
        yield getattr(torch, request.param)


def bounded(vectors: Vectors) -> Heads:
    return heads_of(vectors, axes_of(vectors), precision(HERE))


def whole(heads: Heads) -> Vectors:
    """All bounds of vectors with each other."""
    return (heads.rows @ heads.rows.T).float().numpy()


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
    bounds = bounded(vectors)
    wide = vectors.astype(np.float64)
    assert (whole(bounds) + slack(bounds, bounds) >= wide @ wide.T).all()


@pytest.mark.parametrize("lean", [0.0, 30.0])
def test_few_numbers_bound_the_cosines_of_many_closely(number_type, lean, monkeypatch):
    monkeypatch.setattr("core.hop_graph.bounds.CHUNK", 70)
    vectors = like_a_corpus(300, 256, lean)
    bounds = bounded(vectors)
    assert bounds.rows.shape == (300, STEP)
    assert bounds.rows.dtype == number_type
    over = whole(bounds) - vectors @ vectors.T
    assert over.min() >= -slack(bounds, bounds)
    spread = (vectors - vectors.mean(axis=0)).var(axis=0).sum()
    assert np.median(over) < 0.11 * spread + slack(bounds, bounds)


def test_vectors_without_a_common_plane_keep_nearly_all_numbers():
    vectors = unit_norm(np.random.default_rng(0).normal(size=(2000, 96)).astype(np.float32))
    bounds = bounded(vectors)
    assert bounds.rows.shape[1] == 96
    assert (whole(bounds) + slack(bounds, bounds) >= vectors @ vectors.T).all()


def test_few_vectors_stay_as_they_are(number_type, monkeypatch):
    monkeypatch.setattr("core.hop_graph.bounds.FEW", 20)
    vectors = like_a_corpus(20, 64)
    bounds = bounded(vectors)
    assert bounds.rows.shape == (20, 64 + 1)
    assert np.abs(whole(bounds) - vectors @ vectors.T).max() <= slack(bounds, bounds)


@pytest.mark.parametrize("kind", [OnProcessor, OnDevice])
def test_cells_are_the_same_wherever_they_are(kind):
    one, other = bounded(like_a_corpus(7, 8)), bounded(like_a_corpus(5, 8))
    cells = kind(one, other, *([HERE] if kind is OnDevice else []))
    expected = (one.rows @ other.rows.T).float().numpy()
    for rows in (slice(0, 4), slice(4, 8)):
        part = expected[rows].copy()
        cells.fill(rows)
        places = np.array([0, 2]), np.array([1, 4])
        cells.add(*places, np.array([-np.inf, 0.5], np.float32))
        part[places] += np.array([-np.inf, 0.5], np.float32)
        np.testing.assert_array_equal(cells.likely(), part.argmax(axis=1))
        least = part.max(axis=1) - np.float32(0.3)
        row, column = cells.reaching(least)
        assert list(zip(row, column, strict=True)) == list(
            zip(*np.nonzero(part >= least[:, None]), strict=True)
        )


@pytest.mark.parametrize("vectors", [np.zeros((3, 4)), np.ones((3, 4)) / 2])
def test_vectors_that_are_all_the_same(vectors):
    bounds = bounded(vectors.astype(np.float32))
    assert (whole(bounds) + slack(bounds, bounds) >= vectors @ vectors.T).all()
