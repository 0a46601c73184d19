import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.evaluation import Difference, Evaluation, Outcome, differences, pair
from core.evaluation import paired as pairing
from core.types import Query

Ranks = Mapping[str, int | None]
FOUND: Ranks = {"a": 1}
LATE: Ranks = {"a": 3}
MISSED: Ranks = {"a": None}


def rows(key: str, ranks: Sequence[Ranks], dataset: str = "") -> list[Outcome]:
    return [
        Outcome(
            key, Query(f"{dataset}{n}", "?", gold=tuple(each), dataset=dataset), (), each, 1, 0, 0
        )
        for n, each in enumerate(ranks)
    ]


def apart(ours: Sequence[Ranks], theirs: Sequence[Ranks]) -> dict[str, Difference]:
    return {d.measure: d for d in differences(rows("new", ours), rows("old", theirs))}


def test_five_that_are_all_better() -> None:
    found = apart([FOUND] * 5, [MISSED] * 5)
    assert list(found) == ["R@2", "R@5", "R@20", "all@20"]
    for difference in found.values():
        assert difference.n == difference.better == 5
        assert difference.equal == difference.worse == 0
        assert difference.mean == difference.low == difference.high == 100.0
        assert difference.p == pytest.approx(2 / 32)


def test_a_difference_at_one_cutoff() -> None:
    found = apart([FOUND] * 3, [LATE] * 3)
    assert found["R@2"].mean == 100.0
    assert found["R@2"].p == pytest.approx(2 / 8)
    assert found["R@5"].mean == 0.0
    assert found["R@5"].equal == 3
    assert found["R@5"].p == 1.0


def test_ties_do_not_change_the_p() -> None:
    # Of the 16 signs of four differences, 5 have a sum of at least 2: one without a minus, four
    # with one; as many have one of at most -2.
    ours, theirs = [FOUND, FOUND, FOUND, MISSED], [MISSED, MISSED, MISSED, FOUND]
    alone, tied = apart(ours, theirs)["R@2"], apart([*ours, LATE], [*theirs, LATE])["R@2"]
    assert alone.p == tied.p == pytest.approx(10 / 16)
    assert (tied.better, tied.equal, tied.worse) == (3, 1, 1)
    assert tied.mean == pytest.approx(100 * (3 - 1) / 5)


def test_the_interval_by_hand() -> None:
    # Differences 1, 1, 0, 0, 0: mean 2/5, variance 3/10; t(0.975) with 4 degrees of freedom: 2.776.
    found = apart([FOUND, FOUND, FOUND, MISSED, MISSED], [MISSED, MISSED, FOUND, MISSED, MISSED])[
        "R@2"
    ]
    margin = 2.7764451 * (3 / 10) ** 0.5 / 5**0.5
    assert found.low == pytest.approx(100 * (2 / 5 - margin))
    assert found.high == pytest.approx(100 * (2 / 5 + margin))


def test_a_part_of_the_gold_is_a_part_of_a_question() -> None:
    found = apart([{"a": 1, "b": 2, "c": None}], [{"a": 1, "b": None, "c": None}])
    assert found["R@2"].mean == pytest.approx(100 / 3)
    assert found["all@20"].equal == 1


def test_one_question_shows_nothing() -> None:
    (difference, *_) = apart([FOUND], [MISSED]).values()
    assert (difference.mean, difference.low, difference.high, difference.p) == (100, None, None, 1)


def test_questions_without_gold_are_left_out() -> None:
    assert apart([FOUND, {}], [MISSED, {}])["R@2"].n == 1
    assert apart([{}, {}], [{}, {}]) == {}


def test_the_order_of_the_questions_is_no_matter() -> None:
    ours, theirs = rows("new", [FOUND, LATE, MISSED]), rows("old", [LATE, FOUND, FOUND])
    assert differences(ours, theirs) == differences(ours, theirs[::-1])


def test_other_questions_are_refused() -> None:
    ours = rows("new", [FOUND, LATE])
    other = replace(ours[1], question=Query("1", "Another?", gold=("a",)))
    for theirs in (ours[:1], [*ours, *rows("new", [FOUND], "more")], [ours[0], other]):
        with pytest.raises(InputError, match="different questions"):
            differences(ours, theirs)


SHARES = st.lists(st.sampled_from([(1, 2), (1, None), (None, None)]), min_size=2, max_size=7)


@given(st.data())
def test_p_is_the_share_of_signs_that_are_as_far_from_zero(data: st.DataObject) -> None:
    ours = data.draw(SHARES)
    theirs = data.draw(st.permutations(ours))
    found = apart([{"a": a, "b": b} for a, b in ours], [{"a": a, "b": b} for a, b in theirs])
    # Twice what is found, so that the reference counts whole numbers.
    values = [
        sum(rank is not None for rank in mine) - sum(rank is not None for rank in other)
        for mine, other in zip(ours, theirs, strict=True)
    ]
    sums = [np.dot(values, signs) for signs in product((1, -1), repeat=len(values))]
    expected = np.mean([abs(each) >= abs(sum(values)) for each in sums])
    assert found["R@2"].p == pytest.approx(expected)


def test_turned_round_and_again() -> None:
    drawn = np.random.default_rng(0)
    ours, theirs = ([(FOUND, LATE, MISSED)[i] for i in drawn.integers(3, size=80)] for _ in "ab")
    there, back = apart(ours, theirs)["R@2"], apart(theirs, ours)["R@2"]
    assert there.better + there.worse > 13  # too many for all signs, so they are drawn
    assert back.mean == -there.mean
    assert (back.better, back.worse) == (there.worse, there.better)
    assert back.p == there.p == apart(ours, theirs)["R@2"].p
    assert 0 < there.p <= 1


def test_every_other_retriever_against_the_baseline() -> None:
    ranks = {"old": [MISSED] * 3, "new": [FOUND] * 3, "same": [MISSED] * 3}
    made = [row for key, each in ranks.items() for row in rows(key, each, "one")]
    made += [row for key, each in ranks.items() for row in rows(key, each[:2], "two")]
    paired = pair(Evaluation(tuple(ranks), tuple(made), ()), "old")
    assert list(paired.overall) == ["new", "same"]
    assert paired.overall["new"][0].p == pytest.approx(2 / 2**5)
    assert list(paired.by_dataset["new"]) == ["one", "two"]
    written = paired.to_json()
    assert written["baseline"] == "old"
    assert written["retrievers"]["new"]["all"]["R@2"] == {
        "n": 5, "mean": 100.0, "low": 100.0, "high": 100.0,
        "better": 5, "equal": 0, "worse": 0, "p": pytest.approx(2 / 2**5),
    }  # fmt: skip
    assert written["retrievers"]["new"]["by_dataset"]["two"]["all@20"]["p"] == 2 / 2**2
    assert written["retrievers"]["same"]["all"]["R@5"]["equal"] == 5


def test_the_mean_is_the_difference_of_the_measures() -> None:
    ranks = {"old": [LATE, {"a": 1, "b": 19}, {}], "new": [FOUND, {"a": None, "b": 4}, {}]}
    made = tuple(row for key, each in ranks.items() for row in rows(key, each))
    report = Evaluation(tuple(ranks), made, ())
    old, new = (report.measures(key).to_dict() for key in ranks)
    for difference in pair(report, "old").overall["new"]:
        before, after = old[difference.measure], new[difference.measure]
        assert before is not None
        assert after is not None
        assert difference.mean == pytest.approx(after - before)


def test_a_baseline_that_was_not_asked() -> None:
    with pytest.raises(InputError, match=r"baseline 'bm25' was not evaluated. Choose one of old"):
        pair(Evaluation(("old",), tuple(rows("old", [FOUND])), ()), "bm25")


def test_drawn_signs_agree_with_a_sign_for_each_question() -> None:
    rng = np.random.default_rng(1)
    apart = rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], size=60, p=[0.1, 0.15, 0.3, 0.25, 0.2])
    signed = apart[apart != 0]
    signs = rng.choice([-1.0, 1.0], size=(40_000, len(signed)))
    means = signs @ signed
    expected = (np.abs(means) >= abs(signed.sum())).mean()
    assert pairing.difference("R@5", apart).p == pytest.approx(expected, abs=0.01)


def test_thousands_of_questions_are_paired_in_a_moment() -> None:
    apart = np.random.default_rng(2).choice([-1.0, -0.5, 0.0, 0.5, 1.0], size=5_000)
    started = time.perf_counter()
    assert 0 < pairing.difference("R@5", apart).p <= 1
    assert time.perf_counter() - started < 2
