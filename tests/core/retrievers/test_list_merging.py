"""Lists made one, against the formula on random ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrievers.list_merging import by_reciprocal_ranks, by_turns

LISTS = st.dictionaries(
    st.sampled_from("xyz"), st.lists(st.sampled_from("abcdefg"), unique=True, max_size=6)
)


@given(LISTS, st.sampled_from([0.0, 1.0, 60.0]))
def test_reciprocal_ranks_are_the_formula(lists, k0):
    hits = by_reciprocal_ranks(lists, k0)
    assert {hit.passage_id for hit in hits} == {one for found in lists.values() for one in found}
    for hit in hits:
        ranks = [found.index(hit.passage_id) for found in lists.values() if hit.passage_id in found]
        assert hit.score == pytest.approx(sum(1 / (k0 + 1 + rank) for rank in ranks))
        assert hit.score == pytest.approx(sum(part.value for part in hit.parts))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@given(LISTS)
def test_turns_take_the_first_of_each_before_the_second_of_any(lists):
    hits = by_turns(lists)
    best = {
        one: min(f.index(one) for f in lists.values() if one in f)
        for f in lists.values()
        for one in f
    }
    assert [best[hit.passage_id] for hit in hits] == sorted(best.values())
    assert [hit.score for hit in hits] == [1 / place for place in range(1, len(best) + 1)]
    assert all(hit.passage_id in lists[hit.parts[0].name] for hit in hits)
