from core.hop_graph.pseudo_queries import Rules
from core.types import Passage, PseudoQuery


def passage(title: str, text: str) -> Passage:
    return Passage(title.casefold(), title.casefold(), 0, title, text)


BRAMANTE = passage(
    "Bramante",
    "Bramante was an architect from Urbino. He built the Tempietto in 1502. "
    "His plan for Saint Peter won over Julius II.",
)
TEMPIETTO = passage("Tempietto (chapel)", "The Tempietto is a small round chapel.")


def asked(*passages: Passage) -> list[PseudoQuery]:
    return [query for made in Rules()(passages) for query in made]


def texts(queries: list[PseudoQuery], direction: str) -> list[str]:
    return [query.text for query in queries if query.direction == direction]


def test_each_sentence_answers_an_in_coming_question():
    queries = asked(BRAMANTE)
    assert texts(queries, "in") == [
        "What is known about Bramante, who was an architect from Urbino?",
        "What is known about Bramante, who built the Tempietto in 1502?",
        "What is known about Bramante: His plan for Saint Peter won over Julius II?",
    ]
    assert {q.keywords for q in queries if q.direction == "in"} == {("bramante",)}


def test_each_other_thing_that_is_named_raises_a_question():
    queries = [q for q in asked(BRAMANTE, TEMPIETTO) if q.passage_id == "bramante"]
    out = [q for q in queries if q.direction == "out"]
    assert [q.keywords for q in out] == [
        ("urbino",),
        ("tempietto",),
        ("saint peter",),
        ("julius ii",),
    ]
    assert out[1].text == "Who or what is Tempietto, as in “He built the Tempietto in 1502”?"
    assert out[1].evidence == "He built the Tempietto in 1502."


def test_nothing_asks_for_itself_and_nothing_twice():
    again = passage("Bramante", "Bramante met Raphael. Raphael learned from Bramante.")
    assert [q.keywords for q in asked(again) if q.direction == "out"] == [("raphael",)]


def test_what_too_many_passages_name_raises_no_question():
    many = [passage(f"City {i}", f"It lies in Italy near Lake{i} shores.") for i in range(30)]
    rules = Rules(common_share=0.01, common_floor=20)
    keywords = {
        word for made in rules(many) for q in made if q.direction == "out" for word in q.keywords
    }
    assert "italy" not in keywords
    few = [q for made in Rules(common_floor=30)(many) for q in made if q.direction == "out"]
    assert any(q.keywords == ("italy",) for q in few)


def test_the_same_text_gives_the_same_questions_with_their_own_names():
    queries = asked(BRAMANTE, TEMPIETTO)
    assert queries == asked(BRAMANTE, TEMPIETTO)
    assert len({query.id for query in queries}) == len(queries)


def test_a_passage_without_title_or_without_names():
    plain = passage("", "nothing here has a name. it goes on.")
    assert texts(asked(plain), "in") == [
        "What is known here: nothing here has a name?",
        "What is known here: it goes on?",
    ]
    assert texts(asked(plain), "out") == []
    assert asked(passage("Empty", "")) == []


def test_progress_counts_passages_as_they_are_read():
    done: list[int] = []
    questions = Rules()((BRAMANTE, TEMPIETTO), done.append)
    next(questions)
    assert done == [1, 1]
