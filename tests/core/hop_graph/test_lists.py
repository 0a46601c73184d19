import numpy as np
import pytest

from core.hop_graph import edges
from core.hop_graph.edges import merge_edges
from core.types import PseudoQuery
from core.vectors import Vectors, unit_norm

WORDS = [f"w{i}" for i in range(1000)]


def clustered(count: int, spread: float) -> tuple[list[PseudoQuery], Vectors]:
    """Questions of many passages round some middles, the nearer the smaller `spread` is."""
    rng = np.random.default_rng(5)
    queries = [
        PseudoQuery(f"{i:04}", f"p{i % 90:02}", "in" if i % 2 else "out", "?", (w,), "rules", ".")
        for i, w in enumerate(rng.choice(WORDS, count).tolist())
    ]
    middles = rng.normal(size=(12, 24))
    drawn = middles[rng.integers(0, 12, count)] + spread * rng.normal(size=(count, 24))
    return queries, unit_norm(drawn.astype(np.float32))


def test_all_lists_are_all_pairs():
    queries, vectors = clustered(400, 0.8)
    listed = merge_edges(queries, vectors, probes=10_000)
    assert listed.edges == merge_edges(queries, vectors).edges
    assert listed.certified == 1


@pytest.mark.parametrize(("spread", "most", "least"), [(0.1, 1, 0.8), (0.8, 0.9, 0)])
def test_what_is_certified_is_what_all_pairs_give(spread, most, least):
    queries, vectors = clustered(400, spread)
    (out,) = edges._sides(queries, vectors, "out", 10_000)
    into = list(edges._sides(queries, vectors, "in", 90))  # the bounds of blocks are put together
    exact = edges.best_of(out, into, edges.axes_of(vectors))
    listed = edges.best_of(out, into, edges._lists(into, 4))
    certain = listed.similarity >= listed.unseen
    assert listed.certified == certain.sum()
    assert least <= certain.mean() <= most
    np.testing.assert_array_equal(listed.answer[certain], exact.answer[certain])
    assert (exact.similarity <= np.maximum(listed.similarity, listed.unseen)).all()
