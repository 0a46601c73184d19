"""Which settings are tried: one at a time, then the best two together; and the halves."""

from collections import Counter

import pytest

from core.errors import InputError
from core.retrievers import Spec
from core.settings_search.grid import Axis, axes_of, in_words, read_axis, single_changes, together
from core.settings_search.halves import halves
from core.types import Query

BASE = Spec.parse("hoprag-similarity")


def test_numeric_settings_have_a_few_values_within_their_limits() -> None:
    found = {axis.name: axis.values for axis in axes_of(BASE)}
    assert found == {
        "top_k": (30, 10, 40, 15),
        "n_hop": (6, 2, 8, 3),
        "seeds": (30, 10, 40, 15),  # automatic is as many as are retrieved
    }
    assert {axis.name: axis.values for axis in axes_of(Spec.parse("bm25(top_k=90)"))} == {
        "top_k": (100, 45, 68)  # 135 and 180 are both 100
    }


def test_every_setting_has_its_first_value_before_any_has_its_second() -> None:
    axes = (Axis("top_k", (30, 10)), Axis("n_hop", (6, 2)))
    told = [str(one) for one in single_changes(BASE, axes, 3)]
    assert told == [
        "hoprag-similarity(top_k=30)",
        "hoprag-similarity(n_hop=6)",
        "hoprag-similarity(top_k=10)",
    ]
    assert len(single_changes(BASE, (Axis("top_k", (20, 30)),), 9)) == 1  # 20 is the base


def test_the_two_settings_that_gain_most_are_joined_by_the_sum_of_their_gains() -> None:
    axes = (Axis("top_k", (30, 10)), Axis("n_hop", (6, 2)), Axis("seeds", (5,)))
    one, other, six, two, seeds = (
        BASE.with_settings(**{name: value})
        for name, value in [("top_k", 30), ("top_k", 10), ("n_hop", 6), ("n_hop", 2), ("seeds", 5)]
    )
    gains = {one: 4.0, other: -9.0, six: 1.0, two: 2.0, seeds: 0.5}
    found = [str(each) for each in together(BASE, axes, gains, 3)]
    assert found == [
        "hoprag-similarity(top_k=30,n_hop=2)",  # 4 + 2
        "hoprag-similarity(top_k=30,n_hop=6)",  # 4 + 1
        "hoprag-similarity(top_k=10,n_hop=2)",  # -9 + 2
    ]
    assert together(BASE, axes[:1], gains, 3) == []


@pytest.mark.parametrize("text", ["top_k", "top_k=", "nothing=3", "top_k=1000", "top_k=many"])
def test_what_is_no_setting_with_values_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_axis(text, BASE)


def test_an_axis_reads_what_it_writes() -> None:
    for text in ("top_k=10,30", "entry=edge,hybrid"):
        axis = read_axis(text, BASE)
        assert read_axis(str(axis), BASE) == axis
    assert in_words(BASE, BASE.with_settings(n_hop=2, top_k=30)) == (
        "top k 30 instead of 20 and hops 2 instead of 4"
    )


def test_halves_share_each_type_and_depend_on_the_seed_alone() -> None:
    questions = [
        Query(f"q{n}", f"{n}?", gold=("g",), type=("bridge", "comparison", "")[n % 3])
        for n in range(31)
    ]
    bare = Query("bare", "No gold?")
    first, second = halves([*questions, bare], 7)
    assert first | second == {one.id for one in questions}
    assert not first & second
    assert abs(len(first) - len(second)) <= 1
    for kind in ("bridge", "comparison", ""):
        sides = Counter(one.id in first for one in questions if one.type == kind)
        assert abs(sides[True] - sides[False]) <= 1
    assert halves(questions[::-1], 7) == (first, second)
    assert halves(questions, 8) != (first, second)
