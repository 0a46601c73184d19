"""Holm's correction against the procedure as it is stated, step by step."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluation.holm import holm


def reference(ps: list[float]) -> list[float]:
    """For each p the smallest level at which stepping down from the smallest one rejects it."""
    ordered = sorted(range(len(ps)), key=lambda one: ps[one])
    found = [0.0] * len(ps)
    for last, place in enumerate(ordered):
        steps = [(len(ps) - step) * ps[ordered[step]] for step in range(last + 1)]
        found[place] = min(1.0, max(steps))
    return found


def test_the_example_of_a_textbook() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([3 * 0.01, 0.06, 2 * 0.03, 4 * 0.005])
    assert holm([]) == []
    assert holm([0.7, 0.9]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), max_size=8))
def test_it_is_the_stepwise_procedure(ps: list[float]) -> None:
    assert holm(ps) == pytest.approx(reference(ps))
    assert all(adjusted >= p for adjusted, p in zip(holm(ps), ps, strict=True))
