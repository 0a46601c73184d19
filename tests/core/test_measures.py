"""Measures by hand, as formulae, and the agreement of one ranking with many."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measures import CUTOFFS, MEASURES, by_name, measured, recall


def test_a_ranking_by_hand() -> None:
    (found,) = measured([{"club": 2, "town": 5, "owner": None}])
    ideal = 1 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert dict(zip(MEASURES, found, strict=True)) == pytest.approx(
        {
            "R@2": 1 / 3,
            "R@5": 2 / 3,
            "R@10": 2 / 3,
            "R@20": 2 / 3,
            "nDCG@10": (1 / log2(3) + 1 / log2(6)) / ideal,
            "RR": 1 / 2,
            "AP": (1 / 2 + 2 / 5) / 3,
            "Success@5": 1,
            "all@20": 0,
        }
    )


def test_without_gold_nothing_is_measured() -> None:
    assert measured([{}, {"a": 1}])[0] == (None,) * len(MEASURES)
    assert recall({}, 10) is recall({}) is None


def test_values_by_name_leave_out_rankings_without_gold() -> None:
    found = by_name([{"a": 1}, {}, {"a": 4, "b": None}])
    assert found["RR"] == pytest.approx([1, 1 / 4])
    assert found["R@2"] == [1, 0]
    assert set(found) == set(MEASURES)
    assert by_name([]) == {name: [] for name in MEASURES}


def test_ndcg_gains_by_the_grade_of_each_gold_id_and_nothing_else_does() -> None:
    ranks = {"club": 2, "town": 1}
    graded, plain = measured([ranks, ranks], [{"club": 3, "town": 0.2}, {}])
    ideal = 3 / log2(2) + 1 / log2(3)  # a grade is at least 1
    values = dict(zip(MEASURES, graded, strict=True))
    assert values["nDCG@10"] == pytest.approx((1 / log2(2) + 3 / log2(3)) / ideal)
    rest = [n for n, name in enumerate(MEASURES) if name != "nDCG@10"]
    assert [graded[n] for n in rest] == [plain[n] for n in rest]


def test_recall_of_a_whole_ranking_has_no_cutoff() -> None:
    assert recall({"a": 150, "b": None}) == 1 / 2
    assert recall({"a": 150, "b": None}, 100) == 0


RANKS = st.dictionaries(st.sampled_from("abcdef"), st.none() | st.integers(1, 40))


@given(st.lists(RANKS, max_size=5))
def test_one_ranking_measures_as_among_others(rankings: list[dict[str, int | None]]) -> None:
    """Also where gold ids share a rank, because one passage holds them."""
    for ranks, found in zip(rankings, measured(rankings), strict=True):
        by_name = dict(zip(MEASURES, found, strict=True))
        for k in CUTOFFS:
            within = sum(rank is not None and rank <= k for rank in ranks.values())
            share = within / len(ranks) if ranks else None
            assert by_name[f"R@{k}"] == recall(ranks, k) == pytest.approx(share)
        assert by_name["all@20"] == (by_name["R@20"] == 1 if ranks else None)
