"""What stands in for a title."""

import pytest

from core.text.names import names
from core.types import Passage


def name(text, title=""):
    return names([Passage("p", "p", 0, title, text)])[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Birch (born 1952) is a potter.", "Ada Birch"),
        ('"Low Road" is a song by Ada Birch.', "Low Road"),
        ("The Lantern Ground is a stadium in Port Selby.", "Lantern Ground"),
        ("Gallu is a demon.", "Gallu"),
        ("Tahaan – A Boy With a Lamp is a film.", "Tahaan"),
        ("In 1990 the club was sold.", ""),
        ("It was sold.", ""),
        ("Music was played all night.", "Music"),
        ("Nothing much.", ""),
        ("", ""),
        ("1998 was a year.", ""),
    ],
)
def test_the_opening_stands_in(text, expected):
    assert name(text) == expected


def test_a_title_comes_first():
    assert name("Ada Birch is a potter.", " Potters ") == "Potters"
