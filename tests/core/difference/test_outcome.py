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


def test_who_retrieves_more_gold_or_ranks_it_higher_is_better() -> None:
    a, b, c = made("A", x=1, y=2), made("B", x=1, y=20), made("C", y=1)
    assert outcome([a, b], GOLD) == (
        "A retrieves 2 of 2 gold passages (ranks 1 and 2); B retrieves 2 (ranks 1 and 20)."
    )
    assert outcome([c, b], GOLD) == (
        "B retrieves 2 of 2 gold passages (ranks 1 and 20); C retrieves 1 (rank 1)."
    )
    assert outcome([c, b, a], GOLD) == (
        "A retrieves 2 of 2 gold passages (ranks 1 and 2); B retrieves 2 (ranks 1 and 20); "
        "C retrieves 1 (rank 1)."
    )
    assert outcome([a, made("B")], GOLD) == (
        "A retrieves 2 of 2 gold passages (ranks 1 and 2); B retrieves none."
    )


def test_where_nothing_tells_them_apart_no_one_is_better() -> None:
    a, b, c = made("A", x=1, y=2), made("B", x=2, y=1), made("C", y=1)
    assert outcome([a, b], GOLD) == (
        "A retrieves 2 of 2 gold passages (ranks 1 and 2); B retrieves 2 (ranks 1 and 2)."
    )
    assert outcome([a, a, a], GOLD) == "All retrieve 2 of 2 gold passages, ranks 1 and 2."
    assert outcome([a, b, c], GOLD) == (
        "A retrieves 2 of 2 gold passages (ranks 1 and 2); B retrieves 2 (ranks 1 and 2); "
        "C retrieves 1 (rank 1)."
    )
    assert outcome([c, c], GOLD) == ("Both retrieve 1 of 2 gold passages, rank 1. Both miss 'Oak'.")


def test_what_all_lose_is_named() -> None:
    none = made("A")
    assert outcome([none, none], GOLD) == "Both miss 'Oak' and 'Quaye'."
    assert outcome([none] * 3, {"x": "Oak"}) == "All miss 'Oak'."
