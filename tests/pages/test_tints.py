"""The tints and badges that retrievers are told apart by."""

from itertools import combinations
from typing import get_args

import pytest

from core.retrievers import CARDS
from core.retrievers.base import Family
from pages.components.shell.tints import INK, TINTS, badge, tint

GROUNDS = ("#ffffff", "#0e1117")
"""Streamlit's backgrounds in light and in dark."""


def channels(colour: str) -> list[float]:
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_every_family_has_a_tint_of_its_own() -> None:
    assert TINTS.keys() == set(get_args(Family))
    assert len(set(TINTS.values())) == len(TINTS)


@pytest.mark.parametrize("colour", TINTS.values())
def test_a_badge_can_be_read_and_seen(colour: str) -> None:
    assert contrast(colour, INK) >= 4.5
    assert all(contrast(colour, ground) >= 3 for ground in GROUNDS)


def test_no_two_tints_are_nearly_one() -> None:
    for one, other in combinations(TINTS.values(), 2):
        far = [abs(a - b) for a, b in zip(channels(one), channels(other), strict=True)]
        assert sum(far) > 0.15, (one, other)


def test_a_badge_is_the_letters_on_the_tint() -> None:
    card = CARDS["bm25"]
    assert tint(card) in badge(card)
    assert ">BM<" in badge(card)
    assert "title='&lt;b&gt;'" in badge(card, "<b>")
