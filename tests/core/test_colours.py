"""One table of colours: read by everything, and legible in both themes."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from core.colours import FILLS, GROUND, INK, LETTERS, PANEL, QUIET, TINTS, Theme, css
from core.retrievers.base import Family
from tests.pages.compare.test_retriever_colours import contrast

ROOT = Path(__file__).parents[2]
THEMES: tuple[Theme, ...] = ("light", "dark")
HEX = re.compile(r"(?<![&\w])#([0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})\b(?!;?\w*['\"]?\])")
FUNCTION = re.compile(r"\b(?:rgba?|hsla?|oklch|oklab|hwb|lab|lch)\(\s*([\d.][^)]*)\)")
GREY = 40
"""Largest difference of two channels of a grey, which a file may name itself."""
OTHERS = (
    "assets/scripts/dist",
    "assets/scripts/node_modules",
    "assets/scripts/test",
    # A table of its own, which reads --hop-gold.
    "assets/scripts/src/common/base.css",
    "assets/scripts/src/compare/difference.css",
    "assets/scripts/src/common/panes.css",
    "assets/scripts/src/stage/styles/typography.css",
    "assets/sample",
    "core/colours.py",
)


def files() -> Iterator[Path]:
    for folder in ("assets", "core", "pages"):
        for path in sorted((ROOT / folder).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.suffix in (".css", ".js", ".py", ".html", ".svg") and not name.startswith(
                OTHERS
            ):
                yield path


def is_grey(digits: str) -> bool:
    if len(digits) < 6:
        digits = "".join(2 * one for one in digits)
    channels = [int(digits[at : at + 2], 16) for at in (0, 2, 4)]
    return max(channels) - min(channels) <= GREY


def test_no_file_names_a_colour_of_its_own() -> None:
    found = []
    for path in files():
        text = path.read_text(encoding="utf-8")
        named = [f"#{one}" for one in HEX.findall(text) if not is_grey(one)]
        for one in FUNCTION.findall(text):
            channels = [float(each) for each in re.findall(r"[\d.]+", one)[:3]]
            if len(channels) == 3 and max(channels) - min(channels) > GREY:
                named.append(one)
        if named:
            found.append((str(path.relative_to(ROOT)), named))
    assert found == []


@pytest.mark.parametrize("theme", THEMES)
def test_letters_can_be_read(theme: Theme) -> None:
    for name, colour in {**LETTERS, "ink": INK}.items():
        for ground in (GROUND, PANEL):
            assert contrast(colour.of(theme), ground.of(theme)) >= 4.5, (name, theme)
    assert contrast(INK.of(theme), QUIET["highlight"].of(theme)) >= 7


@pytest.mark.parametrize("theme", THEMES)
def test_areas_can_be_seen(theme: Theme) -> None:
    for name, colour in FILLS.items():
        assert contrast(colour.of(theme), GROUND.of(theme)) >= 3, (name, theme)


@pytest.mark.parametrize("theme", THEMES)
def test_current_is_not_like_gold(theme: Theme) -> None:
    gold, current = (LETTERS[name].of(theme) for name in ("gold", "current"))
    assert int(gold[1:3], 16) > int(gold[5:7], 16)  # yellow: more red than blue
    assert int(current[5:7], 16) > int(current[1:3], 16)


def test_the_theme_of_the_application_has_the_same_grounds() -> None:
    told = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
    for theme in THEMES:
        names = ("backgroundColor", "secondaryBackgroundColor", "textColor")
        assert [told[theme][one] for one in names] == [
            one.of(theme) for one in (GROUND, PANEL, INK)
        ]


def test_style_sheets_get_every_colour() -> None:
    assert f"--hop-gold: light-dark({LETTERS['gold'].light}, {LETTERS['gold'].dark});" in css()
    sheets = [path.read_text() for path in files() if path.suffix == ".css"]
    used = {name for text in sheets for name in re.findall(r"var\(--hop-([\w-]+)\)", text)}
    declared = set(re.findall(r"--hop-([\w-]+):", "\n".join([css(), *sheets])))
    assert used <= declared


def test_every_family_has_a_tint() -> None:
    assert set(TINTS) == set(get_args(Family))
