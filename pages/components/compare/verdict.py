"""Which of two found more gold, and which gold tells them apart most, in a sentence."""

from collections.abc import Mapping, Sequence

from core.funnel.data import Fate
from core.playback.wording import SPELLED_OUT, listed, number
from pages.components.compare.run import Column, Comparison

Fates = Mapping[str, Fate]


def verdict(found: Comparison) -> str:
    """`A retrieves 2 of 2 gold passages, B 1. B has 'Teo Marrask' at rank 42, below its top 20.`

    Empty where the index holds no gold. Of gold that both retrieve the one is named whose ranks are
    farthest apart; of gold that only one retrieves, what became of it in the other; what is lost is
    named, or counted where it is much.
    """
    a, b = found.columns
    held = found.said.held
    if not held:
        return ""
    ours, theirs = (sum(not found.fates[each.key][gold].lost for gold in held) for each in (a, b))
    return f"{_share(ours, theirs, len(held))}{_apart(found, a, b)}."


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
    """What was lost, or else the gold whose ranks differ most, as it ends a sentence; empty where
    neither retrieves any."""
    fates = [found.fates[column.key] for column in (a, b)]
    kept = [gold for gold in found.said.held if not all(each[gold].lost for each in fates)]
    if not kept:
        return ""
    neither = [gold for gold in found.said.held if gold not in kept]
    alone = [[gold for gold in kept if each[gold].lost] for each in fates]
    told = [_alone(found, x, alone[x], fates) for x in (0, 1) if alone[x]]
    if neither:
        told.append(f"both lost {_names(found, neither)}")
    ranks = "" if any(alone) else _ranks(found, kept, fates)
    if not told:
        same = "the same ranks" if len(kept) > 1 else f"rank {fates[0][kept[0]].rank}"
        return ranks or f", at {same}"
    lost = "; ".join(told)
    return f". {lost[:1].upper()}{lost[1:]}{ranks}"


def _alone(found: Comparison, x: int, gold: Sequence[str], fates: Sequence[Fates]) -> str:
    """What A, or B, has lost and the other one retrieves."""
    letter, other = "AB"[x], "AB"[1 - x]
    if len(gold) == 1:
        fate, held = fates[x][gold[0]], fates[1 - x][gold[0]]
        name = _name(found, gold[0])
        return f"{letter} {_lost(fate, name, found.top_k)}; {other} at rank {held.rank}"
    ranks = " and ".join(str(fates[1 - x][one].rank) for one in gold)
    where = f"has them at ranks {ranks}" if len(gold) <= SPELLED_OUT else "retrieves them"
    return f"{letter} lost {_names(found, gold)}; {other} {where}"


def _ranks(found: Comparison, kept: Sequence[str], fates: Sequence[Fates]) -> str:
    """Of gold that both retrieve, that whose ranks are farthest apart; empty if none differ."""
    most = max(kept, key=lambda gold: abs((fates[0][gold].rank or 0) - (fates[1][gold].rank or 0)))
    one, other = (each[most] for each in fates)
    if one.rank == other.rank:
        return ""
    return f"; {_name(found, most)}: A rank {one.rank}, B rank {other.rank}"


def _name(found: Comparison, gold: str) -> str:
    passage = found.gold_passage(gold)
    return f"'{passage.title or gold}'" if passage else gold


def _names(found: Comparison, gold: Sequence[str]) -> str:
    return listed([_name(found, one) for one in gold])


def _lost(fate: Fate, name: str, top_k: int) -> str:
    """What one did that lost `name`."""
    if fate.rank and fate.stage in ("cut", "below") and not fate.inner:
        return f"has {name} at rank {fate.rank:,}, below its top {top_k}"
    if fate.stage == "refused":
        return f"was offered {name} and did not take it"
    return f"lost {name}: {fate.words}"
