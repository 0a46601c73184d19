"""The tints and badges that retrievers are told apart by, and the tones of parts of a score."""

import math
from itertools import combinations, pairwise
from typing import get_args

import pytest

from core.artefacts.workbench import Workbench
from core.bundles import style as walkthrough_style
from core.colours import FILLS, OWN_TINTS, TINTS
from core.retrievers import CARDS, Spec, make
from core.retrievers.base import Family
from core.settings import ASSETS
from core.store.index import Index
from core.traces import record
from core.types import Hit, Part
from core.walkthroughs.making import make_walkthrough
from pages.components.passages.hit_list import part_key
from pages.components.shell.retriever_colours import INK, badge, tint
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

EVERY_TINT = (*TINTS.values(), *OWN_TINTS.values())
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


@pytest.mark.parametrize("colour", EVERY_TINT)
def test_a_badge_can_be_read_and_seen(colour: str) -> None:
    assert contrast(colour, INK) >= 4.5
    assert all(contrast(colour, ground) >= 3 for ground in GROUNDS)


def test_no_two_tints_are_nearly_one() -> None:
    for one, other in combinations(EVERY_TINT, 2):
        far = [abs(a - b) for a, b in zip(channels(one), channels(other), strict=True)]
        assert sum(far) > 0.15, (one, other)


SEEN = {
    "by all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "without red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "without green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "without blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""Linear RGB as people see it, by Machado, Oliveira and Fernandes 2009, at full severity."""


def tones(light: int) -> dict[str, str]:
    named = {name[5:]: colour for name, colour in FILLS.items() if name.startswith("tone-")}
    sheet = (ASSETS / "theme" / "tones.css").read_text()
    assert all(f"var(--hop-tone-{name})" in sheet for name in named)
    return {name: (colour.light, colour.dark)[light] for name, colour in named.items()}


def lab(colour: str, seen: tuple[tuple[float, ...], ...]) -> list[float]:
    """CIELAB, of white D65, of what is seen of a colour."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(colour)]
    rgb = [sum(a * b for a, b in zip(row, linear, strict=True)) for row in seen]
    white = ((0.434, 0.376, 0.190), (0.213, 0.715, 0.072), (0.018, 0.109, 0.873))
    xyz = [sum(a * b for a, b in zip(row, rgb, strict=True)) for row in white]
    x, y, z = (c ** (1 / 3) if c > 0.008856 else 7.787 * c + 16 / 116 for c in xyz)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


@pytest.mark.parametrize("light", range(2))
def test_parts_of_a_score_are_told_apart_by_everyone_and_in_grey(light: int) -> None:
    found = tones(light)
    assert found.keys() == set("abcdwv")
    assert all(contrast(colour, GROUNDS[light]) >= 3 for colour in found.values())
    lights = sorted(luminance(found[part]) for part in "abcd")
    assert all((more + 0.05) / (less + 0.05) > 1.4 for less, more in pairwise(lights))
    for who, seen in SEEN.items():
        looks = {name: lab(colour, seen) for name, colour in found.items()}
        for one, other in combinations(looks, 2):  # the words of a question, w and v, too
            assert math.dist(looks[one], looks[other]) >= 10, (who, one, other)


def test_walks_of_hoprag_are_told_apart_by_everyone() -> None:
    walks = [tint(card) for card in CARDS.values() if card.family == "HopRAG"]
    assert OWN_TINTS.keys() < CARDS.keys()
    for who, seen in SEEN.items():
        for one, other in combinations(walks, 2):
            assert math.dist(lab(one, seen), lab(other, seen)) >= 10, (who, one, other)
    for one, other in combinations(walks, 2):  # thin lines of nearly one brown are one line
        assert math.dist(lab(one, SEEN["by all"]), lab(other, SEEN["by all"])) >= 25, (one, other)


def test_a_badge_is_the_letters_on_the_tint() -> None:
    card = CARDS["bm25"]
    assert tint(card) in badge(card)
    assert ">BM<" in badge(card)
    assert "title='&lt;b&gt;'" in badge(card, "<b>")


@pytest.mark.parametrize(
    "name", ["bm25", "hoprag-coverage", "rerank(over=hoprag-coverage,depth=40)"]
)
def test_a_walkthrough_and_a_column_have_one_badge(tiny_index: Index, name: str) -> None:
    spec = Spec.parse(name)
    bench = Workbench(tiny_index, WordEmbedder(), making=silent)
    made = make_walkthrough(record(make(spec, bench), "a question", tiny_index))
    assert (made["badge"], made["tint"]) == (spec.card.badge, tint(spec.card))


def test_parts_of_a_score_look_alike_in_a_walkthrough_and_beside_it() -> None:
    drawn = walkthrough_style()
    sheet = (ASSETS / "theme" / "tones.css").read_text()
    for name in "abcdwv":
        assert f".tone-{name}{{background:var(--hop-tone-{name})}}" in drawn
        assert f".tone-{name} {{ background: var(--hop-tone-{name}); }}" in sheet
    parts = (Part("similarity", 0.4), Part("importance", 0.1))
    assert part_key([Hit("p", 0.5, parts)], CARDS["hoprag-similarity"]).count("tone-c hatched") == 1
