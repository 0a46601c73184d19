"""Measures by hand, as formulae; by ir-measures itself; and of one ranking among many."""

import random
from math import log2

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, P, Qrel, R, ScoredDoc, SetF, Success, nDCG

from core.measures import CUTOFFS, MEASURES, TOKENS, by_name, measured, recall


def one(
    ranks: dict[str, int | None],
    lengths: tuple[int, ...] | None = None,
    grades: dict[str, float] | None = None,
) -> dict[str, float | None]:
    (found,) = measured([ranks], [grades or {}], [lengths])
    return dict(zip(MEASURES, found, strict=True))


def test_a_ranking_by_hand() -> None:
    ideal = 1 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert one({"club": 2, "town": 5, "owner": None}) == pytest.approx(
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
            "all@2": 0,
            "all@5": 0,
            "all@10": 0,
            "P@2": 1 / 2,
            "P@5": 2 / 5,
            "P@10": 2 / 10,
            "P@20": 2 / 20,
            "F1@2": 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3),
            "F1@5": 2 * (2 / 5) * (2 / 3) / (2 / 5 + 2 / 3),
            "F1@10": 2 * (2 / 10) * (2 / 3) / (2 / 10 + 2 / 3),
            "F1@20": 2 * (2 / 20) * (2 / 3) / (2 / 20 + 2 / 3),
            "Hits@4": 1,
            "Hits@10": 1,
            "RR@10": 1 / 2,
            "AP@10": (1 / 2 + 2 / 5) / 3,
            "R@1000 tokens": None,
            "R@2000 tokens": None,
        }
    )


def test_a_cut_off_leaves_out_what_is_below_it() -> None:
    found = one({"a": 11, "b": 5})
    assert (found["AP@10"], found["RR@10"]) == pytest.approx(((1 / 5) / 2, 1 / 5))
    assert (found["Hits@4"], found["Hits@10"]) == (0, 1)
    assert one({"a": 11})["RR@10"] == 0
    assert one({"a": 11})["RR"] == pytest.approx(1 / 11)


def test_two_gold_ids_in_one_passage_are_one_passage_of_the_top() -> None:
    found = one({"fact 1": 1, "fact 2": 1, "fact 3": None})
    assert found["P@2"] == 1 / 2
    assert found["R@2"] == pytest.approx(2 / 3)
    assert found["F1@2"] == pytest.approx(2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3))


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ((600, 400, 1), 2 / 3),  # exactly full
        ((600, 401, 1), 1 / 3),  # the second passage does not fit, and no later one is read instead
        ((1001, 1, 1), 0),
        ((1, 1, 1), 1),
        (None, None),
    ],
)
def test_recall_within_a_token_budget(
    lengths: tuple[int, ...] | None, expected: float | None
) -> None:
    found = one({"a": 1, "b": 2, "c": 3}, lengths)
    assert found["R@1000 tokens"] == (None if expected is None else pytest.approx(expected))


def test_larger_passages_lose_their_advantage_within_a_budget() -> None:
    small, large = one({"a": 3}, (300,) * 5), one({"a": 2}, (900,) * 5)
    assert large["RR"] > small["RR"]  # type: ignore[operator]
    assert (small["R@1000 tokens"], large["R@1000 tokens"]) == (1, 0)


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


THEIRS = {
    **{f"R@{k}": R @ k for k in CUTOFFS},
    **{f"P@{k}": P @ k for k in CUTOFFS},
    **{f"Hits@{k}": Success @ k for k in (4, 10)},
    **{"Success@5": Success @ 5, "AP": AP, "AP@10": AP @ 10, "RR": RR, "RR@10": RR @ 10},
    "nDCG@10": nDCG @ 10,
}


@pytest.mark.parametrize("seed", range(30))
def test_random_rankings_measure_as_by_trec_eval(seed: int) -> None:
    drawn = random.Random(seed)
    names = [f"p{n}" for n in range(60)]
    ranking = drawn.sample(names, drawn.randint(20, 40))
    gold = drawn.sample(names, drawn.randint(1, 6))
    grades = {name: float(drawn.randint(1, 3)) for name in gold}
    ranks = {name: ranking.index(name) + 1 if name in ranking else None for name in gold}
    lengths = tuple(drawn.randint(40, 400) for _ in ranking)
    ours = one(ranks, lengths, grades)

    qrels = [Qrel("q", name, int(grades[name])) for name in gold]
    run = [ScoredDoc("q", name, -float(n)) for n, name in enumerate(ranking)]
    theirs = ir_measures.calc_aggregate(THEIRS.values(), qrels, run)
    for name, measure in THEIRS.items():
        assert ours[name] == pytest.approx(theirs[measure]), name
    for k in CUTOFFS:
        cut = ir_measures.calc_aggregate([SetF], qrels, run[:k])
        assert ours[f"F1@{k}"] == pytest.approx(cut[SetF])
    for budget in (1000, 2000):
        fit = max(n for n in range(len(lengths) + 1) if sum(lengths[:n]) <= budget)
        share = sum(rank is not None and rank <= fit for rank in ranks.values()) / len(gold)
        assert ours[f"R@{budget} tokens"] == pytest.approx(share)


RANKS = st.dictionaries(st.sampled_from("abcdef"), st.none() | st.integers(1, 40))


@given(st.lists(RANKS, max_size=5))
def test_one_ranking_measures_as_among_others(rankings: list[dict[str, int | None]]) -> None:
    """Also where gold ids share a rank, because one passage holds them."""
    for ranks, found in zip(rankings, measured(rankings), strict=True):
        by_name = dict(zip(MEASURES, found, strict=True))
        assert by_name == {**one(ranks), **dict.fromkeys(TOKENS)}
        for k in CUTOFFS:
            within = [rank for rank in ranks.values() if rank is not None and rank <= k]
            share = len(within) / len(ranks) if ranks else None
            assert by_name[f"R@{k}"] == recall(ranks, k) == pytest.approx(share)
            assert by_name[f"all@{k}"] == (share == 1 if ranks else None)
            assert by_name[f"P@{k}"] == (pytest.approx(len({*within}) / k) if ranks else None)
