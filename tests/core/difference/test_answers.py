"""Which of two retrievals has the answer."""

from core.difference.answers import answer_beside
from core.lost_gold.missed_gold import Gold
from core.types import Passage

TOWN = Passage("town", "town", 0, "Port Selby", "A town on the River Ash; no ferry.")
BREWER = Passage("brewer", "brewer", 0, "Mara Quist", "She had polio\nas a child in Port  Selby.")


def gold(passage, missing=""):
    return Gold(passage.title, "given", passage, missing)


def test_of_an_answer_that_no_gold_holds_it_says_that():
    found = [gold(TOWN), gold(BREWER)]
    for answer in ("pol", "erry", "1911"):
        told = f"No gold passage contains the answer '{answer}' word for word."
        assert answer_beside((answer,), found, ({"town"}, set())) == told


def test_an_answer_is_told_alone_where_it_is_no_words_or_not_all_gold_was_read():
    found = [gold(TOWN), gold(BREWER)]
    kept = ({"town"}, set())
    for answer in ("no", "Yes"):
        assert answer_beside((answer,), found, kept) == f"The answer is '{answer}'."
    unread = [*found, Gold("Ferry", "given", None, "absent")]
    assert answer_beside(("1911",), unread, kept) == "The answer is '1911'."
    assert len(answer_beside(("lasts " * 40,), [], kept)) < 110


def test_of_two_it_says_who_has_the_passage_in_which_the_answer_stands():
    found = [gold(TOWN), gold(BREWER)]
    for kept, told in (
        (({"brewer"}, {"town"}), "only A finds"),
        (({"town"}, {"town", "brewer"}), "only B finds"),
        (({"brewer"}, {"brewer"}), "both find"),
        (({"town"}, {"town"}), "neither finds"),
    ):
        assert answer_beside(("polio",), found, kept) == (
            f"The answer, 'polio', is in 'Mara Quist', which {told}."
        )
    assert answer_beside(("Port Selby",), found, ({"town"}, {"brewer"})) == (
        "The answer, 'Port Selby', is in 'Port Selby', which A finds, and in "
        "'Mara Quist', which B finds."
    )
    assert answer_beside(("no",), found, ({"town"}, set())) == "The answer is 'no'."
    assert answer_beside((), found, ({"town"}, {"town"})) == ""
