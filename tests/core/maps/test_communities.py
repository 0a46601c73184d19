import numpy as np
from scipy import sparse

from core.maps.communities import coarsened, divide, region_tree
from core.maps.regions import LARGEST
from tests.core.maps.worlds import groups, unheard


def test_groups_that_are_tied_are_found():
    parts = divide(groups([30, 25, 20]), range(75), 18)
    assert parts == [list(range(30)), list(range(30, 55)), list(range(55, 75))]


def test_regions_are_divided_until_none_has_too_many_passages():
    regions = region_tree(groups([200, 40, 150]), unheard)
    leaves = [one for one in regions if not one.children]
    assert sorted(n for one in leaves for n in one.members) == list(range(390))
    assert max(one.size for one in leaves) <= LARGEST
    assert all(
        regions[child].parent == n for n, one in enumerate(regions) for child in one.children
    )


def test_the_same_graph_gives_the_same_regions():
    found = [[one.members for one in region_tree(groups([90, 60]), unheard)] for _ in range(2)]
    assert found[0] == found[1]


def test_passages_without_any_tie_are_divided_too():
    empty = groups([2])[:1, :1]
    assert [one.size for one in region_tree(empty, unheard)] == [1]
    lonely = groups([300]) * 0
    lonely.eliminate_zeros()
    assert max(one.size for one in region_tree(lonely, unheard) if not one.children) <= LARGEST


def test_communities_joined_beforehand_keep_all_ties():
    ties = groups([40, 40, 40])
    label, small = coarsened(ties, 30)
    assert [len(set(label[first : first + 40].tolist())) for first in (0, 40, 80)] == [1, 1, 1]
    assert small.shape == (3, 3)
    assert np.isclose(small.sum(), ties.sum())
    members = np.eye(small.shape[0])[label]
    assert np.allclose(small.toarray(), members.T @ ties.toarray() @ members)


def test_few_nodes_are_not_joined_beforehand():
    ties = groups([40, 40])
    label, small = coarsened(ties, 80)
    assert label.tolist() == list(range(80))
    assert small is ties


def test_groups_of_a_large_corpus_stay_whole():
    sizes = [60] * 30
    parts = divide(groups(sizes), range(sum(sizes)), 18)
    homes = np.empty(sum(sizes), int)
    for number, part in enumerate(parts):
        homes[part] = number
    assert len(parts) == 18
    assert all(len(set(group)) == 1 for group in homes.reshape(30, 60).tolist())
    assert max(map(len, parts)) <= 3 * 60


def test_a_large_corpus_with_hardly_any_tie_is_divided():
    lonely = groups([2_000]) * 0
    lonely.eliminate_zeros()
    pair = sparse.coo_matrix(([1.0, 1.0], ([0, 1], [1, 0])), lonely.shape).tocsr()
    for ties in (lonely, pair):
        leaves = [one for one in region_tree(ties, unheard) if not one.children]
        assert sorted(n for one in leaves for n in one.members) == list(range(2_000))
        assert max(one.size for one in leaves) <= LARGEST
