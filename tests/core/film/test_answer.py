"""What the end says of the answer, and what a step that spreads says of gold."""

from types import SimpleNamespace

from core.film import make_film
from core.film.answer import answer_told
from core.film.gold import news
from core.film.misses import Gold
from core.types import Passage
from tests.core.worlds import PASSAGES

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
    assert answer_told(("Polio",), found, BOTH) == (
        "The answer is 'Polio': it stands in 'Mara Quist'."
    )
    assert answer_told(("port selby",), found, BOTH).endswith("it stands in 'Mara Quist'.")
    assert answer_told(("Selby town", "river ash"), found, BOTH) == (
        "The answer is 'river ash': it stands in 'Port Selby'."
    )


def test_it_says_that_what_has_the_answer_is_lost():
    found = [gold(TOWN), gold(BREWER, missing="out of reach")]
    assert answer_told(("polio",), found, ranked("town")) == (
        "The answer, 'polio', stands in 'Mara Quist', which is lost."
    )


def test_an_answer_that_stands_nowhere_is_told_alone():
    found = [gold(TOWN), gold(BREWER)]
    for answer in ("no", "Yes", "pol", "erry", "1911"):
        assert answer_told((answer,), found, BOTH) == f"The answer is '{answer}'."
    assert answer_told(("lasts " * 40,), [], BOTH).endswith("…'")
    assert len(answer_told(("lasts " * 40,), [], BOTH)) < 110


def test_without_an_answer_nothing_is_told():
    assert answer_told((), [gold(TOWN)], BOTH) == ""
    assert answer_told((" ",), [gold(TOWN)], BOTH) == ""


def test_a_film_has_the_answer_where_its_index_does(five):
    index, traces = five
    trace = traces["bm25"]
    film = make_film(trace, index=index)
    assert film["answer"].startswith("The answer is 'Port Selby': it stands in '")
    alone = make_film(trace)
    assert alone["answer"] == ""


def test_gold_that_is_reached_comes_before_gold_that_moves():
    title = {name: one.title for name, one in PASSAGES.items()}.__getitem__
    none, one, two = ranked(), ranked("club", "town"), ranked("town", "singer", "club")
    assert news(none, one, ["club", "town"], title) == "both gold passages are reached"
    assert news(one, two, ["club", "singer"], title) == "gold is reached: 'Ilo Venn'"
    assert news(one, two, ["club", "town"], title) == (
        "gold 'Harbour Rovers' falls from rank 1 to 3 and 'Port Selby' rises from rank 2 to 1"
    )
    assert news(one, one, ["club"], title) == ""
