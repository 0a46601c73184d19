"""An answer in a few words, found by rules."""

import pytest

from core.answers import span
from core.text.entities.keywords import Keywords
from core.types import Passage
from tests.core.five import TEXTS

KEYWORDS = Keywords(title for title, _ in TEXTS.values())


def passages(*keys):
    return [Passage(key, key, 0, *TEXTS[key]) for key in keys]


@pytest.mark.parametrize(
    ("question", "found", "answer", "of"),
    [
        ("Who is the owner of Harbour Rovers?", ("club", "singer"), "Mara Quist", "club"),
        ("In which town was Mara Quist born?", ("owner", "club"), "Port Selby", "owner"),
        ("Who is the husband of Mara Quist?", ("owner",), "Ilo Venn", "owner"),
        ("When was Harbour Rovers bought?", ("club",), "1998", "club"),
        ("Where does the Lantern Ground stand?", ("stadium", "town"), "Port Selby", "stadium"),
        ("What plays at the Lantern Ground?", ("club",), "Harbour Rovers", "club"),
    ],
)
def test_the_mention_nearest_to_what_is_asked(question, found, answer, of):
    made = span(question, passages(*found), KEYWORDS)
    assert made is not None
    assert (made.text, made.passage_id) == (answer, of)
    assert made.text in made.sentence or made.text == TEXTS[of][0]


def test_a_name_of_the_question_is_no_answer():
    made = span("Who is Mara Quist?", passages("owner"), KEYWORDS)
    assert made is None or "Mara" not in made.text


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It was directed by an American actor, Sam Raimi.", "Sam Raimi"),
        ("Ada Mary Birch is a potter. It was directed by Sam Raimi's brother.", "Sam Raimi"),
    ],
)
def test_an_adjective_is_no_answer_and_a_possessive_is_bare(text, answer):
    passage = Passage("a", "a", 0, "Low Tide", text)
    made = span("Who is the director of Low Tide?", [passage], Keywords(["Low Tide"]))
    assert made is not None
    assert made.text == answer


def test_nothing_is_answered_by_nothing():
    assert span("Who?", [], KEYWORDS) is None
    assert span("When was Mara Quist born?", passages("owner"), KEYWORDS) is None
