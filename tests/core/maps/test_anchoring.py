import numpy as np
import pytest

from core.maps import anchoring
from core.maps.anchoring import can_follow, followed
from core.maps.communities import region_tree
from core.maps.positions import place
from core.maps.regions import LARGEST, CorpusMap
from core.maps.ties import Ties
from tests.core.maps.worlds import groups, unheard


def mapped(ties: Ties) -> CorpusMap:
    regions = region_tree(ties, unheard)
    x, y = place(regions, ties, unheard)
    leaf = np.zeros(ties.shape[0], np.int32)
    for number, region in enumerate(regions):
        region.terms = (f"region {number}",) if number else ()
        if not region.children:
            leaf[region.members] = number
    late = np.zeros(len(leaf), bool)
    return CorpusMap(regions, x.astype(np.float32), y.astype(np.float32), leaf, late)


def ids(*numbers: int) -> list[str]:
    return [f"p{n}" for n in numbers]


def test_what_stays_does_not_move():
    whole = groups([40, 30, 20])
    old_ids, kept = ids(*range(80)), [*range(5, 90)]
    old = mapped(whole[:80][:, :80].tocsr())
    made = followed(ids(*kept), whole[kept][:, kept].tocsr(), old_ids, old)
    assert (made.x[:75] == old.x[5:]).all()
    assert (made.y[:75] == old.y[5:]).all()
    assert made.late.tolist() == [False] * 75 + [True] * 10
    names = {one.name for one in old.regions}
    assert {one.name for one in made.regions} <= names
    # Each new one lies in the region of its group, and on nobody.
    assert len(set(made.leaf[75:].tolist())) == 1
    assert (made.leaf[75:] == made.leaf[70]).all()
    gap = np.hypot(made.x[75:, None] - made.x, made.y[75:, None] - made.y)
    gap[np.arange(10), np.arange(75, 85)] = 99
    assert gap.min() > 10


def test_new_passages_of_a_map_that_draws_none_lie_apart_in_their_regions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(anchoring, "MOST_PASSAGES", 50)
    whole = groups([40, 30, 20])
    old = mapped(whole[:80][:, :80].tocsr())
    made = followed(ids(*range(90)), whole, ids(*range(80)), old)
    assert (made.x[:80] == old.x).all()
    new = np.stack((made.x[80:], made.y[80:]), 1)
    discs = np.array([(one.x, one.y, one.radius) for one in made.regions])[made.leaf[80:]]
    assert (np.hypot(*(new - discs[:, :2]).T) < discs[:, 2]).all()
    assert len(np.unique(new.round(), axis=0)) == 10


def test_a_region_that_lost_all_its_passages_goes():
    whole = groups([40, 30, 20])
    made = followed(ids(*range(70)), whole[:70][:, :70].tocsr(), ids(*range(90)), mapped(whole))
    assert len(made.regions[0].children) == 2
    assert sum(made.regions[child].size for child in made.regions[0].children) == 70


def test_a_region_that_grew_is_divided_in_its_place():
    whole = groups([140, 300, 250])
    old = mapped(whole[100:][:, 100:].tocsr())
    made = followed(ids(*range(690)), whole, ids(*range(100, 690)), old)
    assert max(one.size for one in made.regions if not one.children) <= 2 * LARGEST
    grown = np.isin(made.leaf[100:], np.flatnonzero([not one.terms for one in made.regions]))
    assert grown.any()
    assert (made.x[100:] == old.x)[~grown].all()


def test_a_map_is_made_anew_when_too_much_is_new():
    old = mapped(groups([40, 30, 20]))
    assert can_follow(ids(*range(100)), ids(*range(90)), old)
    assert not can_follow(ids(*range(200)), ids(*range(90)), old)
    assert not can_follow(ids(*range(30)), ids(*range(90)), old)
