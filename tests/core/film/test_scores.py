"""The parts of a score: tone and meaning by the card, or the next tone."""

import pytest

from core.film import make_film
from core.film.scores import BY_RANK, SCORE, Bars, measured
from core.playback import frame
from core.retrievers import MODEL_FREE, Spec
from core.steps import Asked, Spread
from core.types import Hit, Part
from tests.core.film.decoding import unpacked


def toned(rows, known):
    return [(key["tone"], key["name"]) for key in Bars.of(rows, known).keys]


def test_a_part_has_one_tone_whatever_stands_beside_it():
    lexical, named, evidence = Part("lexical", 0.4), Part("named", 1.0), Part("evidence", 0.3)
    known = Spec("hoprag-coverage").parts
    found = toned([(lexical, named, evidence)], known)
    assert found == [("a", "lexical"), ("c", "named"), ("d", "evidence")]
    found = toned([(lexical, Part("named", 0.0), evidence)], known)
    assert found == [("a", "lexical"), ("d", "evidence")]


def test_what_no_card_knows_is_a_word():
    bars = Bars.of([[Part(f"w{i}", 1.0) for i in range(5)]], {"w1": ("d", "known")})
    assert [key["tone"] for key in bars.keys] == list("dwwvw")
    assert bars.keys[0] == {"tone": "d", "name": "w1", "meaning": "known"}


def test_the_longest_stack_fills_a_bar_and_each_part_its_share():
    bars = Bars.of([(Part("a", 0.5), Part("b", 1.5)), (Part("a", 1.0),)], {})
    assert bars.top == 0.5 + 1.5
    assert bars.row(1.0, (Part("b", 1.0),)) == {"score": "1.000", "parts": [0.0, 1.0]}


@pytest.mark.parametrize("key", sorted({*MODEL_FREE} - {"bm25"}))  # whose parts are words
def test_every_part_of_a_retriever_has_words(five, key):
    film = make_film(five[1][key])
    known = Spec(key).parts
    for now in unpacked(film, "event"):
        for board in filter(None, (now.get("board"), now["ranking"])):
            assert {part["name"] for part in board["keys"]} <= known.keys()


def test_a_score_below_0_has_a_real_minus():
    assert Bars([], 1.0).score(-0.0081) == "−0.008"


def test_what_the_scores_of_a_list_are():
    steps = (Asked("any", "Who?", 2), Spread("probability", (Hit("a", 0.6), Hit("b", 0.4)), 0.1))
    before, now = frame(steps, 1), frame(steps, 2)
    assert measured({"a": 1.0, "b": 0.5}, now) == BY_RANK
    assert measured({"a": 0.6}, now) == "probability"
    assert measured({"a": 0.6, "b": 0.3}, now) == SCORE
    assert measured({"a": 0.6}, before, "worth") == "worth"
    assert measured({}, now) == SCORE


def test_a_list_says_what_its_scores_are(five):
    film = make_film(five[1]["hipporag2"])
    spread, last = (unpacked(film, "event")[at] for at in (-2, -1))
    assert spread["board"]["measure"] == last["ranking"]["measure"] == "probability"
    merged = unpacked(make_film(five[1]["lightrag"]), "event")[-1]
    assert merged["ranking"]["measure"] == BY_RANK
