"""What a film says below its question, before anything is drawn."""

from dataclasses import replace

from core.film import make_film
from core.retrievers import CARDS
from core.steps import Asked, Ranked
from core.types import Hit
from tests.core.film.wide import trace
from tests.core.worlds import PASSAGES, QUERY


def opening(retriever, gold=(), weight_of_visits=0.0):
    asked = Asked(retriever, QUERY, 3, weight_of_visits=weight_of_visits)
    steps = asked, Ranked((Hit("club", 1.0),))
    return make_film(replace(trace(steps, PASSAGES, gold=gold), retriever=retriever))["opening"]


def test_it_says_what_the_retriever_does():
    assert opening("raptor") == [f"RAPTOR. {CARDS['raptor'].summary}"]


def test_it_says_what_gold_is_where_something_is():
    *_, last = opening("raptor", gold=("club",))
    assert last == "★ marks gold: a passage that is needed to answer the question."


def test_it_says_why_helpfulness_falls_where_visits_are_counted():
    _, means = opening("raptor", weight_of_visits=0.5)
    assert means.startswith("Helpfulness is similarity to the question and")


def test_of_a_retriever_that_there_is_not_it_says_nothing():
    assert opening("of elsewhere") == []
