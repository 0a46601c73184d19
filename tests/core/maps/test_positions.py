import numpy as np
import pytest
from scipy import sparse

from core.maps.communities import region_tree
from core.maps.positions import between, discs, dot_radius, place, spiral
from core.maps.ties import inside
from tests.core.maps.worlds import groups, unheard


def test_no_passage_lies_on_another_and_all_lie_in_their_regions():
    ties = groups([50, 40, 30])
    regions = region_tree(ties, unheard)
    x, y = place(regions, ties, unheard)
    radius = dot_radius(np.diff(ties.indptr))
    gap = np.hypot(x[:, None] - x, y[:, None] - y) - radius[:, None] - radius
    np.fill_diagonal(gap, 1)
    assert gap.min() > 0
    for one in regions:
        away = np.hypot(x[one.members] - one.x, y[one.members] - one.y)
        assert away.max() <= one.radius + 0.01
    tops = [regions[child] for child in regions[0].children]
    for one in tops:
        for other in tops:
            if one is not other:
                far = np.hypot(one.x - other.x, one.y - other.y)
                assert far >= one.radius + other.radius


def test_what_is_tied_lies_near():
    pull = np.zeros((4, 4))
    pull[0, 1] = pull[1, 0] = pull[2, 3] = pull[3, 2] = 5.0
    pull[1, 2] = pull[2, 1] = 0.1
    at = discs(np.full(4, 10.0), pull, seed=1)
    assert np.hypot(*(at[0] - at[1])) < np.hypot(*(at[0] - at[3]))


def test_ties_between_groups_are_sums():
    ties = groups([5, 5])
    whole = ties.toarray()
    found = between(ties, [range(5), range(5, 10)])
    assert found == pytest.approx(np.array([[0, whole[:5, 5:].sum()], [whole[5:, :5].sum(), 0]]))


def test_ties_between_groups_and_others_are_sums_wherever_they_stand():
    ties = sparse.random(40, 40, 0.2, "csr", random_state=3)
    ties = ties + ties.T
    groups, others = [[9, 2], [30, 31, 4]], [[17], [1, 39, 20]]
    whole = ties.toarray()
    expected = [[whole[np.ix_(one, other)].sum() for other in others] for one in groups]
    assert between(ties, groups, others) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("own", [[0, 3, 7, 39], [5], list(range(40))])
def test_ties_inside_a_region_are_those_of_its_passages(own: list[int]):
    ties = sparse.random(40, 40, 0.2, "csr", random_state=5)
    ties = ties + ties.T
    found = inside(ties, np.array(own)).toarray()
    assert found == pytest.approx(ties.toarray()[np.ix_(own, own)])


@pytest.mark.parametrize("count", [1, 2, 7, 120])
def test_discs_on_a_spiral_lie_apart(count: int):
    need = np.random.default_rng(1).uniform(5, 9, count)
    at = spiral(need)
    gap = np.hypot(*np.moveaxis(at[:, None] - at[None], 2, 0)) - need[:, None] - need
    assert gap[~np.eye(count, dtype=bool)].min(initial=0) >= 0


def test_passages_that_are_not_drawn_lie_within_their_regions(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("core.maps.positions.MOST_PASSAGES", 100)
    test_no_passage_lies_on_another_and_all_lie_in_their_regions()
