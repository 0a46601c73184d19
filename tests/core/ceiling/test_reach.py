from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ceiling.reach import HOPS, Ceiling, Way

# a -> b -> c -> d -> e -> f and g -> a; h -> i apart from them; o has no edge.
NAMES = "abcdefghio"
EDGES = ("ab", "bc", "cd", "de", "ef", "ga", "hi")


def numbers(names: str) -> list[int]:
    return [NAMES.index(name) for name in names]


def world(*edges: str) -> Ceiling:
    source = np.array(numbers("".join(edge[0] for edge in edges)), np.int32)
    target = np.array(numbers("".join(edge[1] for edge in edges)), np.int32)
    return Ceiling(source, target, len(NAMES))


def test_hops_are_counted_from_the_nearest_seed() -> None:
    reach = world(*EDGES).reach(numbers("ad"), [numbers(name) for name in "abcdefg"])
    assert reach["both"].hops == (0, 1, 1, 0, 1, 2, 1)
    assert reach["out"].hops == (0, 1, 2, 0, 1, 2, None)


def test_why_gold_is_out_of_reach() -> None:
    gold = [numbers(name) for name in "aefgho"]
    reach = world(*EDGES).reach(numbers("a"), gold)
    assert reach["both"].hops == (0, 4, 5, 1, None, None)
    assert reach["both"].barriers == (None, None, "far", None, "component", "orphan")
    assert reach["out"].barriers == (None, None, "far", "against", "component", "orphan")


def test_an_orphan_that_is_a_seed_is_reached() -> None:
    assert world(*EDGES).reach(numbers("o"), [numbers("o")])["out"].hops == (0,)


def test_of_a_document_the_nearest_passage_counts() -> None:
    gold = [numbers(names) for names in ("fc", "oh", "og", "")]
    reach = world(*EDGES).reach(numbers("a"), gold)
    assert reach["both"].hops == (2, None, 1, None)
    assert reach["both"].barriers == (None, "component", None, "unknown")
    assert reach["out"].barriers == (None, "component", "against", "unknown")


def test_passages_within_reach_grow_with_the_hops() -> None:
    reach = world(*EDGES).reach(numbers("a"), [])
    assert reach["both"].within == (1, 3, 4, 5, 6)
    assert reach["out"].within == (1, 2, 3, 4, 5)


@pytest.mark.parametrize("way", ["both", "out"])
def test_nothing_is_reached_without_a_seed_or_an_edge(way: Way) -> None:
    assert world(*EDGES).reach([], [numbers("a")])[way].hops == (None,)
    alone = world().reach(numbers("a"), [numbers("b")])[way]
    assert alone.barriers == ("orphan",)
    assert alone.within == (1,) * (HOPS + 1)


def walked(pairs: Sequence[tuple[int, int]], seeds: Sequence[int], way: Way) -> dict[int, int]:
    """Hops to each vertex that is reached, round by round."""
    if way == "both":
        pairs = [*pairs, *((target, source) for source, target in pairs)]
    found, queue = dict.fromkeys(seeds, 0), set(seeds)
    while queue:
        hop = 1 + found[next(iter(queue))]
        queue = {target for source, target in pairs if source in queue} - found.keys()
        found |= dict.fromkeys(queue, hop)
    return found


VERTEX = st.integers(0, 8)


@given(
    st.lists(st.tuples(VERTEX, VERTEX).filter(lambda pair: pair[0] != pair[1]), unique=True),
    st.lists(VERTEX, unique=True, max_size=3),
    st.sampled_from(["both", "out"]),
)
def test_it_is_what_walking_round_by_round_finds(
    pairs: list[tuple[int, int]], seeds: list[int], way: Way
) -> None:
    ends = np.array(pairs, np.int32).reshape(-1, 2)
    hops = Ceiling(ends[:, 0], ends[:, 1], 9).hops(seeds, way)
    found = {vertex: int(hop) for vertex, hop in enumerate(hops) if np.isfinite(hop)}
    assert found == walked(pairs, seeds, way)
