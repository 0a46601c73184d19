"""Who did better on one question, in the first sentence of a comparison."""

from core.difference.explanations import Account
from core.difference.outcome import outcome
from core.funnel.data import Fate

GOLD = {"x": "Oak", "y": "Quaye"}


def made(name: str, **ranks: int) -> Account:
    """One that retrieves gold at these ranks and lost the rest."""
    fates = {
        gold: Fate(gold, gold, "kept" if gold in ranks else "below", rank=ranks.get(gold))
        for gold in GOLD
    }
    return Account(name, (), fates)


def test_the_one_that_finds_more_gold_comes_first() -> None:
    a, b, c = made("A", x=1, y=2), made("B", x=1, y=20), made("C", y=1)
    assert outcome([c, b], GOLD) == "B finds both gold passages. C misses 'Oak'."
    assert outcome([c, b, a], GOLD) == "B and A find both gold passages. C misses 'Oak'."
    assert outcome([a, c, c], GOLD) == "A finds both gold passages. C and C miss 'Oak'."
    assert outcome([a, made("B")], GOLD) == "A finds both gold passages. B finds none."
    assert outcome([made("A", x=1), c], GOLD) == "A misses 'Quaye'. C misses 'Oak'."


def test_what_one_alone_finds_is_named_where_other_gold_is_missed_by_all() -> None:
    three = {**GOLD, "z": "Elm"}
    fates = {"z": Fate("z", "z", "below")}
    a, b = (Account(one.name, (), {**one.fates, **fates}) for one in (made("A", x=1), made("B")))
    assert outcome([a, b], three) == ("A finds 'Oak'. B finds none. Both miss 'Quaye' and 'Elm'.")


def test_where_all_find_the_same_gold_the_ranks_are_named() -> None:
    a, b, c = made("A", x=1, y=2), made("B", x=2, y=1), made("C", y=1)
    assert outcome([a, made("B", x=1, y=20)], GOLD) == (
        "Each finds both gold passages: A at ranks 1 and 2; B at ranks 1 and 20."
    )
    assert outcome([a, b], GOLD) == (
        "Each finds both gold passages: A at ranks 1 and 2; B at ranks 1 and 2."
    )
    assert outcome([a, a, a], GOLD) == "All find both gold passages, at ranks 1 and 2."
    assert outcome([c, c], GOLD) == "Both find 1 of 2 gold passages, at rank 1. Both miss 'Oak'."


def test_what_all_lose_is_named() -> None:
    none = made("A")
    assert outcome([none, none], GOLD) == "Both miss 'Oak' and 'Quaye'."
    assert outcome([none] * 3, {"x": "Oak"}) == "All miss 'Oak'."
