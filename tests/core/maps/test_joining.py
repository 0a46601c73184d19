from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from core.maps.joining import grouped, joined


def tied(pairs, nodes):
    """Ties of strength 1 between pairs of nodes."""
    graph = nx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(pairs)
    return sparse.csr_matrix(nx.to_scipy_sparse_array(graph, dtype=float))


def parts_of(home):
    return [set(np.flatnonzero(home == number).tolist()) for number in range(home.max() + 1)]


def test_grouped_ties_are_sums_and_twice_those_within():
    ties = tied([(0, 1), (1, 2), (0, 2), (2, 3)], 4)
    assert grouped(ties, np.array([0, 0, 1, 1])).toarray().tolist() == [[2, 2], [2, 2]]


def test_a_tiny_part_joins_the_community_that_it_belongs_to_rather_than_the_largest():
    # Node 0 has one tie to a triangle, and two to a community of ten.
    triangle, ten = [1, 2, 3], list(range(4, 14))
    pairs = [*combinations(triangle, 2), *combinations(ten, 2), (0, 1), (0, 4), (0, 5)]
    home = joined([[0], triangle, ten], tied(pairs, 14), np.arange(14), 18)
    # 1 - 3 * 7 / 102 = 0.79 and 2 - 3 * 92 / 102 = -0.71
    assert parts_of(home) == [{0, 1, 2, 3}, set(ten)]


def test_what_is_tied_to_nothing_joins_the_smallest():
    pairs = [*combinations(range(5), 2), *combinations(range(5, 9), 2)]
    home = joined([range(5), range(5, 9), [9]], tied(pairs, 10), np.arange(10), 18)
    assert parts_of(home) == [set(range(5)), set(range(5, 10))]


def test_a_node_counts_as_many_passages_as_it_has():
    home = joined([[0], [1], [2]], tied([(0, 1), (1, 2)], 3), np.array([0] * 9 + [1] + [2] * 9), 18)
    assert len(parts_of(home)) == 2


@pytest.mark.parametrize("most", [1, 2, 18])
def test_parts_are_at_most_as_many_as_asked_and_none_is_tiny(most):
    ties = tied(nx.gnp_random_graph(120, 0.05, seed=3).edges, 120)
    home = joined([[node] for node in range(120)], ties, np.arange(120), most)
    assert 1 <= len(parts_of(home)) <= most
    assert np.bincount(home).min() >= 3


@given(st.integers(0, 10_000), st.integers(5, 14))
def test_each_step_loses_as_little_modularity_as_any_for_the_smallest(seed, nodes):
    graph = nx.gnp_random_graph(nodes, 0.5, seed=seed)
    if not nx.is_connected(graph):
        return
    ties = tied(graph.edges, nodes)
    # Only the pair is tiny, so one step is all.
    rest = np.array_split(np.arange(2, nodes), max(1, (nodes - 2) // 3))
    parts = [[0, 1], *(part.tolist() for part in rest)]
    before = [set(part) for part in parts]
    after = parts_of(joined(parts, ties, np.arange(nodes), len(parts)))
    smallest = before[0]
    options = [
        [one | smallest if one == other else one for one in before[1:]]
        for other in before[1:]
        if any(graph.has_edge(a, b) for a in smallest for b in other)
    ]
    best = max(nx.community.modularity(graph, option) for option in options)
    assert len(after) == len(before) - 1
    assert nx.community.modularity(graph, after) == pytest.approx(best)
