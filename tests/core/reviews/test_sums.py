"""Agreement of reviewers, and labels against what they are counted by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.funnel.data import Fate
from core.reviews import Code, Review, Verdict, agreements, by_id, first_loss, pivot
from core.reviews.agreement import FEWEST, Agreement
from core.reviews.pivot import NO_LABEL, NO_LOSS, NOTHING

CODES = by_id([Code(1, "person", "wrong entity"), Code(2, "town", "wrong entity"), Code(3, "far")])


def said(
    who: str, question: str, *labels: int, verdict: Verdict = "fail", found: str = "cut"
) -> Review:
    return Review(who, question, "bm25", verdict, found=found, labels=labels)


def test_kappa_is_what_two_share_beyond_chance() -> None:
    # Of ten, 4 are labelled by both, 1 by the first alone, 2 by the second alone, 3 by none.
    first = [said("ada", f"{n}?", *([3] if n < 5 else [])) for n in range(10)]
    second = [said("bo", f"{n}?", *([3] if n < 4 or n > 7 else [])) for n in range(10)]
    verdict, label = agreements([*first, *second], CODES, axial=False)
    chance = 0.5 * 0.6 + 0.5 * 0.4
    assert label.kappa == pytest.approx((0.7 - chance) / (1 - chance))
    assert (label.label, label.n, label.same) == ("far", 10, 7)
    assert (label.both, label.first_only, label.second_only) == (4, 1, 2)
    assert (verdict.label, verdict.same, verdict.kappa) == ("", 10, None)


@pytest.mark.parametrize(("n", "told"), [(FEWEST - 1, "too few results"), (FEWEST, "0.50")])
def test_kappa_of_too_few_results_is_not_told(n: int, told: str) -> None:
    assert Agreement("ada", "bo", "", n=n, same=0, kappa=0.5).told == told
    undefined = Agreement("ada", "bo", "", n=FEWEST, same=FEWEST)
    assert (undefined.told, undefined.both, undefined.first_only) == ("not defined", 0, 0)


def test_only_what_both_judged_counts() -> None:
    reviews = [
        said("ada", "a?", 1),
        said("bo", "a?", 2, verdict="pass"),
        said("bo", "b?", 1),
        said("ada", "c?", 1, verdict=""),
        said("cy", "c?", 1, verdict=""),
    ]
    open_ = agreements(reviews, CODES, axial=False)
    assert {(row.first, row.second) for row in open_} == {("ada", "bo")}
    assert [(row.label, row.n, row.same) for row in open_] == [
        ("", 1, 0),
        ("person", 1, 0),
        ("town", 1, 0),
    ]
    (_, axial) = agreements(reviews, CODES, axial=True)
    assert (axial.label, axial.same, axial.kappa) == ("wrong entity", 1, None)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_kappa_agrees_with_its_formula(pairs: list[tuple[bool, bool]]) -> None:
    reviews = [
        said(who, f"{n}?", *([3] if pair[side] else []))
        for n, pair in enumerate(pairs)
        for side, who in enumerate(("ada", "bo"))
    ]
    _, *found = agreements(reviews, CODES, axial=False)
    n, a, b = len(pairs), sum(x for x, _ in pairs), sum(y for _, y in pairs)
    if not a and not b:
        assert found == []
        return
    (label,) = found
    chance = (a * b + (n - a) * (n - b)) / n**2
    same = sum(x == y for x, y in pairs) / n
    if chance == 1:
        assert label.kappa is None
    else:
        assert label.kappa == pytest.approx((same - chance) / (1 - chance))


def test_a_pivot_counts_each_result_once_and_leads_to_it() -> None:
    reviews = [
        said("ada", "a?", 1, 2),
        said("bo", "a?", 1),
        said("ada", "b?", 3, found="far"),
        said("ada", "c?", found=""),
        said("ada", "d?", verdict="pass"),
        said("ada", "e?", verdict=""),
        said("ada", "f?", 3, verdict="pass", found="far"),
    ]
    found = pivot(reviews, CODES, "stage", axial=True)
    assert found.rows == ("far", "wrong entity", NO_LABEL)
    assert found.columns == ("cut", "far", NO_LOSS)
    assert found.cells["wrong entity", "cut"] == (("a?", "bm25"),)
    assert found.count("wrong entity", "far") == 0
    assert found.of_row("far") == (("b?", "bm25"), ("f?", "bm25"))
    assert found.of_row(NO_LABEL) == (("c?", "bm25"),)
    assert pivot(reviews, CODES, "stage", axial=False).count("person", "cut") == 1


def test_a_pivot_by_type_takes_the_types_of_the_questions() -> None:
    reviews = [said("ada", "a?", 1), said("ada", "b?", 1)]
    found = pivot(reviews, CODES, "type", axial=False, types={"a?": "bridge"})
    assert found.columns == ("bridge", NOTHING)


def test_a_pivot_by_verdict_or_retriever() -> None:
    reviews = [said("ada", "a?", 1), said("ada", "b?", 1, verdict="")]
    by_verdict = pivot(reviews, CODES, "verdict", axial=False)
    assert by_verdict.columns == ("fail", NOTHING)
    assert by_verdict.count("person", NOTHING) == by_verdict.count("person", "fail") == 1
    assert pivot(reviews, CODES, "retriever", axial=False).columns == ("bm25",)


def test_the_first_loss_is_the_one_that_stands_first_in_the_funnel() -> None:
    fates = [Fate("a", "a", "kept"), Fate("b", "b", "cut"), Fate("c", "c", "far")]
    assert first_loss(fates) == fates[2]
    assert first_loss(fates[:1]) is None
