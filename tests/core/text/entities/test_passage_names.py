"""What stands in for a title."""

import pytest

from core.text.entities.passage_names import Bearers, names
from core.types import Passage


def name(text, title=""):
    return names([Passage("p", "p", 0, title, text)])[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Birch (born 1952) is a potter.", "Ada Birch"),
        ('"Low Road" is a song by Ada Birch.', "Low Road"),
        ("The Lantern Ground is a stadium in Port Selby.", "The Lantern Ground"),
        ("The Deep South outbreak of 1932 was a storm.", "The Deep South outbreak of 1932"),
        ("Jump for Glory is a film by Cy Dunn.", "Jump for Glory"),
        ('Roderick "Roddy" Roxby (born 1930) acts.', 'Roderick "Roddy" Roxby'),
        ("Nobody came. Ada Birch was late.", ""),
        ("Ada Birch left early.", "Ada Birch"),
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


def test_who_is_called_by_a_name():
    bearers = Bearers(["Ada Birch", "The Ada Birch (film)", "Ada Mary Cole", "Cole", ""])
    assert bearers.of("ada birch") == [0, 1]
    assert bearers.of("ada cole") == [2]
    assert bearers.of("cole") == [3]
    assert bearers.of("cole ada") == []
    assert bearers.of("mary") == []
    assert bearers.of("nobody at all") == []
