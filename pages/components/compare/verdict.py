"""Which of two found more gold, and why, in sentences."""

from collections.abc import Mapping, Sequence

from core.film.difference.cause import Account, account, causes, otherwise
from core.funnel.data import Fate
from core.playback.wording import number
from pages.components.compare.run import Column, Comparison

Fates = Mapping[str, Fate]


def verdict(found: Comparison) -> str:
    """`A retrieves 1 of 2 gold passages, B 2.`

    Empty where the index holds no gold. Where no gold tells them apart, that one is named which
    both retrieve and whose ranks are farthest apart.
    """
    a, b = found.columns
    held = found.said.held
    if not held:
        return ""
    ours, theirs = (sum(not found.fates[each.key][gold].lost for gold in held) for each in (a, b))
    return f"{_share(ours, theirs, len(held))}{_apart(found, a, b)}."


def why(found: Comparison, names: Sequence[str]) -> list[str]:
    """By what each came to the gold that another lost, and where it was lost, in sentences; where
    all retrieve the same gold, the first rank at which they have another passage.

    `names` are what the columns that were answered are called. None where the index holds no gold.
    """
    held = found.said.held
    if not held or len(names) < 2:
        return []
    accounts = [_account(found, *one) for one in zip(names, found.answered, strict=True)]
    told = causes(accounts, {gold: _title(found, gold) for gold in held})
    lost = [{gold for gold in held if one.fates[gold].lost} for one in accounts]
    if any(each != lost[0] for each in lost):
        return told
    return [one for one in (*told, otherwise(accounts)) if one]


def _account(found: Comparison, name: str, column: Column) -> Account:
    trace = column.trace
    if trace is None:
        raise ValueError(f"{column.key} has no answer")
    titles = found.index.shown(trace.passages)
    return account(name, trace, found.fates[column.key], titles)


def _share(a: int, b: int, of: int) -> str:
    gold = number(of, "gold passage")
    if a != b:
        return f"A retrieves {a or 'none'} of {gold}, B {b or 'none'}"
    if not a:
        return (
            "Neither retrieves the gold passage" if of == 1 else f"Neither retrieves any of {gold}"
        )
    if a < of:
        return f"Each retrieves {a} of {gold}"
    all_ = {1: "the gold passage", 2: "both gold passages"}.get(of, f"all {gold}")
    return f"A and B retrieve {all_}"


def _apart(found: Comparison, a: Column, b: Column) -> str:
    """Of gold that both retrieve the ranks, as they end a sentence; empty where one lost what the
    other retrieves, which tells more, and where neither retrieves any."""
    fates = [found.fates[column.key] for column in (a, b)]
    kept = [gold for gold in found.said.held if not all(each[gold].lost for each in fates)]
    if not kept or any(each[gold].lost for each in fates for gold in kept):
        return ""
    same = "the same ranks" if len(kept) > 1 else f"rank {fates[0][kept[0]].rank}"
    return _ranks(found, kept, fates) or f", at {same}"


def _ranks(found: Comparison, kept: Sequence[str], fates: Sequence[Fates]) -> str:
    """Of gold that both retrieve, that whose ranks are farthest apart; empty if none differ."""
    most = max(kept, key=lambda gold: abs((fates[0][gold].rank or 0) - (fates[1][gold].rank or 0)))
    one, other = (each[most] for each in fates)
    if one.rank == other.rank:
        return ""
    return f"; '{_title(found, most)}': A rank {one.rank}, B rank {other.rank}"


def _title(found: Comparison, gold: str) -> str:
    passage = found.gold_passage(gold)
    return (passage.title if passage else "") or gold
