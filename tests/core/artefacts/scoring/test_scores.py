"""What is listed of many things, against what is known of all of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.artefacts.scoring import scores as scoring
from core.artefacts.scoring.scores import AllScored, half_scores, shortlist
from core.artefacts.scoring.searched_scores import FewScored, Searched
from core.ranking import best

THINGS = 24
SCORES = st.lists(st.sampled_from([-0.5, 0.0, 0.25, 0.5, 0.75, 1.0]), min_size=2, max_size=THINGS)


def searching(scores):
    """A search that lists the best, and works the others out."""

    def search(count):
        order = best(scores, count)
        return order, scores[order]

    return Searched(search, lambda numbers: scores[numbers], lambda: float(scores.min()))


@pytest.fixture(autouse=True, scope="module")
def few():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "LISTED", 3)
        patch.setattr(scoring, "MOST", 12)
        yield


@given(SCORES, st.data(), st.integers(1, 6))
def test_what_is_sure_is_what_all_would_give(first, data, count):
    one = np.array(first)
    other = np.array(
        data.draw(
            st.lists(st.sampled_from([0.0, 0.1, 0.4, 1.0]), min_size=len(one), max_size=len(one))
        )
    )
    shared = np.flatnonzero(other)
    found = shortlist({"a": searching(one), "b": FewScored(shared, other[shared])}, count)
    assert found.addends["a"].tolist() == one[found.numbers].tolist()
    assert found.addends["b"].tolist() == other[found.numbers].tolist()
    total = one + other
    missing = np.setdiff1d(np.arange(len(one)), found.numbers)
    assert (total[missing] <= found.rest).all()
    if found.surely(count):
        there, here = np.sort(total)[::-1], np.sort(found.total)[::-1]
        assert here[:count].tolist() == there[:count].tolist()


@given(SCORES)
def test_half_of_a_search_is_half_of_all(scores):
    values = np.array(scores)
    every = np.arange(len(values))
    searched, known = half_scores(searching(values)), half_scores(AllScored(values))
    assert searched.of(every).tolist() == known.of(every).tolist()


def test_a_list_is_lengthened_until_no_other_can_be_among_the_first():
    # The best by both is fifth in each list: three of each would not have it.
    one = np.array([1.0, 0.9, 0.8, 0.7, 0.6, 0.0, 0.0, 0.0, 0.0])
    other = np.array([0.0, 0.0, 0.0, 0.0, 0.6, 0.7, 0.8, 0.9, 1.0])
    found = shortlist({"a": searching(one), "b": searching(other)}, 1)
    assert found.best(1).tolist() == [4]
    assert found.surely(1)
