"""Which of two found more gold, and why, in sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.difference.cause import Account, account, apart, by_parts, causes, moved, otherwise
from core.difference.outcome import outcome
from core.funnel.ends import nearest_things
from core.playback.wording import by_hand, number
from pages.components.compare.form import LETTERS
from pages.components.compare.run import Column, Comparison


@dataclass(frozen=True)
class Verdict:
    """What is said of a comparison: who did better, which is told first and larger, and the
    sentences behind it that say why, the most telling first."""

    first: str
    rest: tuple[str, ...] = ()


def verdict(found: Comparison) -> Verdict:
    """Of two that are called A and B. Empty where the index holds no gold.

    `A is better here: gold at 1 and 2, B at 1 and 20. A starts at 'Teo Marrask', its seed 7, and
    ranks it 2; B ranks it 20. Both retrieve both gold passages.`
    """
    return decided(found, LETTERS, share(found)) if found.said.held else Verdict("")


def share(found: Comparison) -> str:
    """`A retrieves 1 of 2 gold passages, B 2.`"""
    a, b = found.columns
    held = found.said.held
    ours, theirs = (sum(not found.fates[each.key][gold].lost for gold in held) for each in (a, b))
    hand = sum(found.said.by(gold) == "hand" for gold in held)
    return f"{_share(ours, theirs, len(held))}{by_hand(hand)}."


def decided(found: Comparison, names: Sequence[str], counted: str) -> Verdict:
    """Who did better; why the gold of one is lost by another, or why it has another rank there; how
    much gold there is, which is `counted`; where all have it alike, where their rankings differ.

    `names` are what the columns that were answered are called. Where the index holds no gold, or
    nothing is beside it, that is counted alone.
    """
    held = found.said.held
    if not held or len(names) < 2:
        return Verdict(counted)
    accounts = [_account(found, *one) for one in zip(names, found.answered, strict=True)]
    gold = {gold: _title(found, gold) for gold in held}
    first, told = outcome(accounts, gold), causes(accounts, gold)
    lost = [{gold for gold in held if one.fates[gold].lost} for one in accounts]
    if any(each != lost[0] for each in lost):
        return Verdict(first, (told[0], counted, *told[1:]))
    parts = [by_parts(accounts, one) for one in apart(accounts, gold)[:1]]
    why = [*moved(accounts, gold)[:1], *filter(None, parts)] or told[:1]
    more = [one for one in (*told, otherwise(accounts)) if one and one not in why]
    return Verdict(first, (*why, counted, *more))


def _account(found: Comparison, name: str, column: Column) -> Account:
    trace = column.trace
    if trace is None:
        raise ValueError(f"{column.key} has no answer")
    known = found.index.shown(name for name in trace.passages if name in found.index.number)
    titles = {name: known.get(name, each.title) for name, each in trace.passages.items()}
    fates = found.fates[column.key]
    near = nearest_things(trace.steps, fates, found.index, found.lists)
    return account(name, trace, fates, titles, near)


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
    return f"Both retrieve {all_}"


def _title(found: Comparison, gold: str) -> str:
    passage = found.gold_passage(gold)
    return (passage.title if passage else "") or gold
