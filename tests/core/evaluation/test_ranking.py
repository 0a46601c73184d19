import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ranking import best, importance, min_max, prune, rank, reciprocal_ranks
from core.types import Hit, Part


def test_importance_is_the_share_of_all_visits():
    assert importance({"a": 3, "b": 1}) == {"a": 3 / (3 + 1), "b": 1 / (3 + 1)}
    assert importance({}) == {}


def test_the_papers_helpfulness():
    """H = (SIM + IMP) / 2 with SIM = (Jaccard + cosine) / 2."""
    jaccard, cosine = {"a": 0.5, "b": 0.25}, {"a": 0.5, "b": 1.0}
    parts = {v: (Part("keywords", jaccard[v] / 4), Part("dense", cosine[v] / 4)) for v in "ab"}
    hits = rank(parts, {"a": 3, "b": 1}, 1 / 2)
    expected = {v: ((jaccard[v] + cosine[v]) / 2 + c / 4) / 2 for v, c in (("a", 3), ("b", 1))}
    assert [hit.passage_id for hit in hits] == ["a", "b"]
    assert {hit.passage_id: hit.score for hit in hits} == pytest.approx(expected)
    assert hits[0].parts[-1] == Part("importance", 3 / 4 / 2)


def test_a_score_is_the_sum_of_its_parts():
    (hit,) = rank({"a": (Part("x", 0.1), Part("y", 0.2))}, {"a": 1}, 0.5)
    assert hit.score == sum(part.value for part in hit.parts)


def test_without_weight_no_importance_is_shown():
    (hit,) = rank({"a": (Part("x", 0.1),)}, {"a": 5}, 0)
    assert hit == Hit("a", 0.1, (Part("x", 0.1),))


def test_equal_scores_go_by_passage_id():
    parts = {name: (Part("x", 0.1),) for name in ("c", "a", "b")}
    assert [hit.passage_id for hit in rank(parts, {"a": 1, "b": 1, "c": 1}, 0.5)] == ["a", "b", "c"]


def test_parts_and_counts_of_different_passages_are_refused():
    with pytest.raises(ValueError, match="different passages"):
        rank({"a": ()}, {"b": 1}, 0.5)


def test_prune_keeps_the_first():
    hits = [Hit(name, 0.0) for name in "abc"]
    assert prune(hits, 2) == ((hits[0], hits[1]), (hits[2],))
    assert prune(hits, 1) == ((hits[0],), (hits[1], hits[2]))
    assert prune(hits, 5) == (tuple(hits), ())
    with pytest.raises(ValueError, match="at least 1"):
        prune(hits, 0)


@given(st.lists(st.integers(0, 4), max_size=12), st.integers(0, 14))
def test_best_is_a_stable_sort_cut_at_the_count(scores: list[int], count: int):
    order = sorted(range(len(scores)), key=lambda n: (-scores[n], n))
    assert best(np.array(scores, np.float64), count).tolist() == order[:count]


def test_min_max_maps_the_range_to_the_unit_interval():
    assert min_max(np.array([-2.0, 1.0, 4.0])).tolist() == [0, (1 + 2) / (4 + 2), 1]
    assert min_max(np.array([3.0, 3.0])).tolist() == [0, 0]


def test_reciprocal_ranks_count_from_one():
    assert reciprocal_ranks(np.array([0.1, 0.9, 0.5]), 60).tolist() == [1 / 63, 1 / 61, 1 / 62]
