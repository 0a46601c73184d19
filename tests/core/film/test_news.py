"""What a stop says of gold."""

from dataclasses import replace

import pytest

from core.film.news import Event, caption, news, words
from core.playback import frame, told
from core.steps import Arrival, Asked, Began, Offer, Offered, Pooled, Ranked, Spread
from core.types import Hit, Part

TITLES = {"a": "Avocet", "b": "Brack", "c": "Corrado", "d": "Dunne", "e": "Elm", "#": "What?"}
MANY = tuple("abcdefghij")


def title(node):
    return TITLES.get(node, node)


def arrival(node, score):
    return Arrival(node, (Part("similarity", score),))


def entered(*nodes, top_k=2):
    """A walk that starts with `nodes`, the best first."""
    offers = tuple(Offer(node, 1 - n / 10, taken=True) for n, node in enumerate(nodes))
    arrivals = tuple(arrival(offer.target, offer.score) for offer in offers)
    return (
        Asked("hoprag-similarity", "What?", top_k),
        Offered("#", "passages", offers, arrivals, entry=True),
        Began("hop", 1, nodes),
    )


def look(at, *offers, takes=()):
    return Offered(at, "edges", offers, tuple(takes))


def said(steps, *gold):
    """What the last of `steps` says, and of `gold`."""
    before, now = frame(steps, len(steps) - 1), frame(steps, len(steps))
    events = news(before, now, gold)
    return caption(lambda of, room: told(steps, now, title, of, room), events, now, title)


def test_gold_among_the_seeds_is_reached():
    assert said(entered("a", "b")[:2], "a") == (
        "The queue begins with 2 seed passages. Gold 'Avocet' is reached."
    )


def test_gold_that_is_refused_says_what_it_scores_and_what_was_taken():
    refused = look("a", Offer("b", 0.5, taken=True), Offer("c", 0.49), takes=[arrival("b", 0.5)])
    steps = (*entered("a", "b"), refused)
    told = said(steps, "c")
    assert told.endswith("Gold 'Corrado' is not taken, 0.490 against 0.500 for 'Brack'.")
    assert said((*steps, replace(refused, at="b")), "c").endswith(
        "Gold 'Corrado' is again not taken, 0.490 against 0.500 for 'Brack'."
    )


@pytest.mark.parametrize(
    ("score", "told"), [(0.4996, ", 0.4996 against 0.5000 for 'Brack'."), (0.5, ".")]
)
def test_a_margin_is_never_nothing(score: float, told: str):
    refused = look("a", Offer("b", 0.5, taken=True), Offer("c", score), takes=[arrival("b", 0.5)])
    assert said((*entered("a", "b"), refused), "c").endswith(f"Gold 'Corrado' is not taken{told}")


def test_gold_that_a_sentence_names_is_called_gold_there():
    brought = look("a", Offer("c", 0.5, taken=True), takes=[arrival("c", 0.5)])
    assert said((*entered("a", top_k=9), brought), "c") == (
        "Hop 1: at 'Avocet' the only edge is taken; gold 'Corrado' joins the queue."
    )
    short = look("a", Offer("c", 0.5, margin=-0.25))
    assert said((*entered("a"), short), "c") == (
        "Hop 1: at 'Avocet' the only edge is not taken: "
        "it leads to gold 'Corrado' and would need 0.250 more to be rank 2."
    )


def test_gold_that_crosses_the_line_is_told():
    again = look("a", Offer("c", 0.5, taken=True), takes=[arrival("c", 0.95)])
    steps = (*entered("a", "b", "c"), again)
    assert said(steps, "c").endswith("Gold 'Corrado' rises to rank 2, above the line.")
    assert said(steps, "b").endswith("Gold 'Brack' falls below the top 2.")
    new = look("a", Offer("d", 0.5, taken=True), takes=[arrival("d", 0.1)])
    assert said((*entered("a", "b"), new), "d").endswith(
        "Gold 'Dunne' is reached, below the top 2."
    )


def test_a_small_change_of_a_rank_is_told_of_what_spreads_alone():
    up = look("a", Offer("b", 0.5, taken=True), takes=[arrival("b", 2.0)])
    steps = (*entered("a", "b"), up)
    assert "gold" not in said(steps, "b").casefold()
    far = look("a", Offer("j", 0.5, taken=True), takes=[arrival("j", 2.0)])
    assert said((*entered(*MANY, top_k=10), far), "j").endswith("Gold 'j' rises from rank 10 to 1.")
    hits = [tuple(Hit(node, 0.1, ()) for node in order) for order in ("ab", "ba")]
    spread = [Spread("probability", each, 0.2) for each in hits]
    asked = Asked("hipporag", "What?", 2)
    told = said((asked, *spread), "b")
    assert told == "Gold 'Brack' rises from rank 2 to 1. 10.0 % of the probability moves."
    assert said((asked, spread[0]), "a", "b").startswith(
        "2 gold passages ('Avocet' and 'Brack') are reached. "
    )


def test_beside_what_is_not_gold_each_one_says_it_for_itself():
    brought = [arrival("c", 0.5), arrival("d", 0.5)]
    two = look("a", *(Offer(one.id, 0.5, taken=True) for one in brought), takes=brought)
    steps = (*entered("a", top_k=9), two)
    assert said(steps, "c").endswith("; 'Corrado' (gold) and 'Dunne' join the queue.")
    assert said(steps, "d").endswith("; 'Corrado' and 'Dunne' (gold) join the queue.")
    assert said(steps, "c", "d").endswith("; 'Corrado' (gold) and 'Dunne' (gold) join the queue.")
    many = [arrival(node, 0.5) for node in MANY[1:]]
    more = look("a", *(Offer(one.id, 0.5, taken=True) for one in many), takes=many)
    assert "; 'Brack' (gold), 'Corrado' and 7 more join" in said((*entered("a"), more), "b")


def test_three_are_named_and_of_more_two():
    steps = entered("a", "b", "c", top_k=9)[:2]
    assert said(steps, "a", "b", "c").endswith(
        "3 gold passages ('Avocet', 'Brack' and 'Corrado') are reached."
    )
    steps = entered("a", "b", "c", "d", top_k=9)[:2]
    assert said(steps, "a", "b", "c", "d").endswith(
        "4 gold passages ('Avocet', 'Brack' and 2 more) are reached."
    )
    lists = look("a", Offer("d", 0.5, taken=True), Offer("e", 0.4), takes=[arrival("d", 0.5)])
    before, now = frame(entered("a"), 3), frame((*entered("a", top_k=9), lists), 4)
    assert words(news(before, now, ["d", "e"]), title) == (
        "gold 'Dunne' is reached and gold 'Elm' is not taken, 0.400 against 0.500 for 'Dunne'"
    )


def test_gold_behind_what_would_be_retrieved_names_that_rank():
    offers = Offer("b", 0.5, taken=True), Offer("c", 0.4, margin=-0.25)
    steps = (*entered("a", "b"), look("a", *offers, takes=[arrival("b", 0.5)]))
    assert said(steps, "c").endswith("Gold 'Corrado' is not taken, 0.250 behind rank 2.")


def test_gold_that_a_search_found_ranks_below_the_line_where_searches_are_merged():
    hits = Hit("a", 0.9), Hit("b", 0.8), Hit("c", 0.7)
    asked = Asked("any", "What?", 1), Asked("bm25", "Who?", 3, id="#1")
    steps = (*asked, Ranked(hits), Pooled(("#1", "#2"), hits))
    assert said(steps, "b").endswith("Gold 'Brack' ranks below the top 1.")
    assert said(steps, "b", "c").endswith(
        "2 gold passages ('Brack' and 'Corrado') rank below the top 1."
    )


def test_gold_that_was_reached_and_is_in_no_merged_list_says_so():
    taken = Offered("#", "passages", (Offer("a", 0.9, taken=True), Offer("b", 0.8, taken=True)))
    steps = (Asked("any", "What?", 1), taken, Pooled(("one", "other"), (Hit("a", 0.9),)))
    assert said(steps, "b").endswith("Gold 'Brack' is not among them.")
    alone = (*steps[:2], Pooled(("one",), (Hit("a", 0.9),)))
    assert "Brack" not in said(alone, "b")


def test_of_several_that_are_taken_the_rank_of_refused_gold_is_told():
    offers = (
        Offer("b", 0.5, taken=True),
        Offer("d", 0.4, taken=True),
        Offer("e", 0.3),
        Offer("c", 0.2),
    )
    takes = [arrival("b", 0.5), arrival("d", 0.4)]
    assert said((*entered("a"), look("a", *offers, takes=takes)), "c").endswith(
        "Gold 'Corrado' is not taken, rank 4 of 4: 0.200 against 0.400 for 'Dunne'."
    )


def test_ranks_that_change_alike_have_one_verb():
    events = [
        Event("rank", "a", "rises from rank 2 to 1"),
        Event("rank", "b", "rises from rank 17 to 6"),
    ]
    told_of = "gold 'Avocet' rises from rank 2 to 1 and 'Brack' from rank 17 to 6"
    assert words(events, title) == told_of
    falls = replace(events[1], does="falls from rank 1 to 2")
    assert words([events[0], falls], title).endswith("and gold 'Brack' falls from rank 1 to 2")
