"""What the end says of the answer."""

from types import SimpleNamespace

from core.film import make_film
from core.film.answer import answer_beside, answer_told
from core.film.misses import Gold
from core.types import Passage

TOWN = Passage("town", "town", 0, "Port Selby", "A town on the River Ash; no ferry.")
BREWER = Passage("brewer", "brewer", 0, "Mara Quist", "She had polio\nas a child in Port  Selby.")


def ranked(*ids, kept=9):
    rows = [
        SimpleNamespace(rank=rank, kept=rank <= kept, hit=SimpleNamespace(passage_id=id_))
        for rank, id_ in enumerate(ids, start=1)
    ]
    return SimpleNamespace(standings=rows)


def gold(passage, missing=""):
    return Gold(passage.title, "given", passage, missing)


BOTH = ranked("brewer", "town")


def test_it_names_the_retrieved_gold_in_which_the_answer_stands():
    found = [gold(TOWN), gold(BREWER)]
    assert answer_told(("Polio",), found, BOTH) == ("The answer is 'Polio', in 'Mara Quist'.")
    assert answer_told(("port selby",), found, BOTH).endswith("in 'Mara Quist'.")
    assert answer_told(("Selby town", "river ash"), found, BOTH) == (
        "The answer is 'river ash', in 'Port Selby'."
    )


def test_it_says_that_other_gold_is_lost_though_the_answer_is_found():
    found = [gold(TOWN, missing="out of reach"), gold(BREWER)]
    assert answer_told(("polio",), found, ranked("brewer")) == (
        "The answer is 'polio', in 'Mara Quist', but 1 of 2 gold passages is lost."
    )
    third = Gold("Ferry", "given", None, "absent")
    assert answer_told(("polio",), [*found, third], ranked("brewer")).endswith(
        "'Mara Quist', but 2 of 3 gold passages are lost."
    )


def test_it_says_that_what_has_the_answer_is_lost():
    found = [gold(TOWN), gold(BREWER, missing="out of reach")]
    assert answer_told(("polio",), found, ranked("town")) == (
        "The answer, 'polio', is in 'Mara Quist', which is lost."
    )


def test_of_an_answer_that_no_gold_holds_it_says_that():
    found = [gold(TOWN), gold(BREWER)]
    for answer in ("pol", "erry", "1911"):
        told = f"The answer is '{answer}', which no gold passage says in these words."
        assert answer_told((answer,), found, BOTH) == told
        assert answer_beside((answer,), found, ({"town"}, set())) == told


def test_an_answer_is_told_alone_where_it_is_no_words_or_not_all_gold_was_read():
    found = [gold(TOWN), gold(BREWER)]
    for answer in ("no", "Yes"):
        assert answer_told((answer,), found, BOTH) == f"The answer is '{answer}'."
    unread = [*found, Gold("Ferry", "given", None, "absent")]
    assert answer_told(("1911",), unread, BOTH) == "The answer is '1911'."
    assert answer_told(("1911",), [], BOTH) == "The answer is '1911'."
    assert answer_told(("lasts " * 40,), [], BOTH).endswith("…'")
    assert len(answer_told(("lasts " * 40,), [], BOTH)) < 110


def test_of_two_it_says_who_has_the_passage_in_which_the_answer_stands():
    found = [gold(TOWN), gold(BREWER)]
    for kept, told in (
        (({"brewer"}, {"town"}), "only A retrieves"),
        (({"town"}, {"town", "brewer"}), "only B retrieves"),
        (({"brewer"}, {"brewer"}), "both retrieve"),
        (({"town"}, {"town"}), "neither retrieves"),
    ):
        assert answer_beside(("polio",), found, kept) == (
            f"The answer, 'polio', is in 'Mara Quist', which {told}."
        )
    assert answer_beside(("Port Selby",), found, ({"town"}, {"brewer"})) == (
        "The answer, 'Port Selby', is in 'Port Selby', which A retrieves, and in "
        "'Mara Quist', which B retrieves."
    )
    assert answer_beside(("no",), found, ({"town"}, set())) == "The answer is 'no'."
    assert answer_beside((), found, ({"town"}, {"town"})) == ""


def test_without_an_answer_nothing_is_told():
    assert answer_told((), [gold(TOWN)], BOTH) == ""
    assert answer_told((" ",), [gold(TOWN)], BOTH) == ""


def test_a_film_has_the_answer_where_its_index_does(five):
    index, traces = five
    trace = traces["bm25"]
    film = make_film(trace, index=index)
    assert film["answer"].startswith("The answer is 'Port Selby', in '")
    alone = make_film(trace)
    assert alone["answer"] == ""
