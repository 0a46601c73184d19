"""Sub-questions by rules, and the places in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.decomposition.placeholders import filled, levels, places
from core.text.decomposition.rules import MOST, decompose
from core.text.entities.keywords import Keywords

TITLES = (
    "The Return Of Low Tide",
    "Mara Quist",
    "Port Selby",
    "Agni (2004 Film)",
    "Love, Honor And Oh-Baby!",
    "Back In The U.S.A.",
)
PARTS = {
    "Where was the director of film The Return Of Low Tide born?": (
        "Who is the director of film The Return Of Low Tide?",
        "Where was #1 born?",
    ),
    "Which is the river by the birthplace of the author of Dead Ernest?": (
        "Who is the author of Dead Ernest?",
        "What is the birthplace of #1?",
        "Which is the river by #2?",
    ),
    "When did Mara Quist's mother die?": (
        "Who is the mother of Mara Quist?",
        "When did #1 die?",
    ),
    "Who is the father-in-law of Sisowath Kossamak?": (
        "Who is the spouse of Sisowath Kossamak?",
        "Who is the father of #1?",
    ),
    "Who is Godomar Ii's stepmother?": (
        "Who is the father of Godomar Ii?",
        "Who is the wife of #1?",
    ),
    "Who is the opposition leader in the country where Buyende is located?": (
        "In which country is Buyende located?",
        "Who is the opposition leader in #1?",
    ),
    "What currency predated the Euro in the country Signmark is from?": (
        "Which country is Signmark from?",
        "What currency predated the Euro in #1?",
    ),
    "Who directed the film that was shot in Leland in 1986?": (
        "Which film was shot in Leland in 1986?",
        "Who directed #1?",
    ),
    "What did the individual who prepared the Grand Model use as a basis for his beliefs?": (
        "Which individual prepared the Grand Model?",
        "What did #1 use as a basis for his beliefs?",
    ),
    "What did the mother of the keeper whose save beat Port Selby mend?": (
        "Which keeper's save beat Port Selby?",
        "Who is the mother of #1?",
        "What did #2 mend?",
    ),
    "Where is the tutor of the physicist who lit Port Selby buried?": (
        "Which physicist lit Port Selby?",
        "Who is the tutor of #1?",
        "Where is #2 buried?",
    ),
    "Who is older, Cheryl Saban or Dmitry Grigorieff?": (
        "When was Cheryl Saban born?",
        "When was Dmitry Grigorieff born?",
    ),
    "Was Angus Wagner or Juan Falcón born first?": (
        "When was Angus Wagner born?",
        "When was Juan Falcón born?",
    ),
    "Which film has the director who died later, Agni (2004 Film) or Love, Honor And Oh-Baby!?": (
        "Who is the director of Agni (2004 Film)?",
        "Who is the director of Love, Honor And Oh-Baby!?",
        "When did #1 die?",
        "When did #2 die?",
    ),
    "Are Nantong and Jingdezhen situated in the same province ?": (
        "In which province is Nantong situated?",
        "In which province is Jingdezhen situated?",
    ),
    "Are Medici and Senet both board games?": (
        "Is Medici one of the board games?",
        "Is Senet one of the board games?",
    ),
    "Where was the composer of song Back In The U.S.A. born?": (
        "Who is the composer of song Back In The U.S.A.?",
        "Where was #1 born?",
    ),
}
WHOLE = (
    "Who mended the nets?",
    "What is the name of Mara Quist?",
    "What is the population of Port Selby?",
    "Toad Hall is a hall in a university located in what Australian city?",
    "Где родился Пушкин?",
    "?!",
    "",
    "word " * 2000,
    "Who is the mother of Mara Quist? " * 500,
)


@pytest.mark.parametrize("question", PARTS)
def test_what_is_innermost_is_asked_first(question):
    assert decompose(question, Keywords(TITLES)) == PARTS[question]


@pytest.mark.parametrize("question", WHOLE)
def test_what_no_rule_takes_apart_is_left_whole(question):
    assert decompose(question, Keywords(TITLES)) == (" ".join(question.split()),)


WORDS = st.sampled_from(
    "who which the of film city where was is Ada Birch Selby 's #1 and or, both same born ? "
    'director that " mother older in from'.split()
)


@given(st.lists(WORDS, max_size=25).map(" ".join))
def test_any_question_has_an_order(question):
    parts = decompose(question, Keywords(["Ada Birch"]))
    assert 1 <= len(parts) <= MOST
    if len(parts) > 1 and "#" not in question:
        assert [n for level in levels(parts) for n in level] == sorted(
            range(1, len(parts) + 1), key=lambda n: (_level(parts, n), n)
        )
        assert all(other < n for n, one in enumerate(parts, 1) for other in places(one))


def _level(parts, n):
    return 1 + max((_level(parts, other) for other in places(parts[n - 1])), default=0)


def test_places_are_filled_and_unknown_ones_stay():
    assert places("Is #2 older than #1 or #2?") == (2, 1)
    assert filled("Is #2 older than #12?", {2: "A #1", 1: "B"}) == "Is A #1 older than #12?"


@pytest.mark.parametrize("parts", [("#1?",), ("#2?", "#1?"), ("a", "#7?")])
def test_what_waits_for_itself_or_for_nothing_has_no_order(parts):
    with pytest.raises(ValueError, match=r"wait|no question"):
        levels(parts)
