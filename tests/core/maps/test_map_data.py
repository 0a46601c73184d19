"""Connections between the units of a large map, against loops that are easy to read."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.maps.map_data import _TIES_EACH, _connections, _strongest

UNITS = 30


def edges(seed: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    source, target = random.integers(0, UNITS, (2, count))
    return source, target, random.random(count)


@given(st.integers(0, 10_000), st.integers(0, 60))
def test_connections_count_the_edges_of_a_pair_in_either_direction(seed: int, count: int) -> None:
    source, target, similarity = edges(seed, count)
    counts: Counter[tuple[int, int]] = Counter()
    totals: Counter[tuple[int, int]] = Counter()
    for one, other, similar in zip(
        source.tolist(), target.tolist(), similarity.tolist(), strict=True
    ):
        if one != other:
            counts[min(one, other), max(one, other)] += 1
            totals[min(one, other), max(one, other)] += similar
    low, high, number, total = _connections(source, target, similarity, UNITS)
    pairs = list(zip(low.tolist(), high.tolist(), strict=True))
    assert pairs == sorted(counts)
    assert number.tolist() == [counts[pair] for pair in pairs]
    assert np.allclose(total, [totals[pair] for pair in pairs])


@given(st.integers(0, 10_000), st.integers(0, 900))
def test_a_connection_is_kept_while_either_end_has_few(seed: int, count: int) -> None:
    low, high, number, _ = _connections(*edges(seed, count), UNITS)
    used: Counter[int] = Counter()
    kept = []
    for place in sorted(range(len(number)), key=lambda one: (-number[one], one)):
        ends = int(low[place]), int(high[place])
        if min(used[end] for end in ends) < _TIES_EACH:
            kept.append(place)
            used.update(ends)
    assert _strongest(low, high, number).tolist() == sorted(kept)
