"""Which of two found more gold, and which gold tells them apart most, in a sentence."""

from core.funnel.data import Fate
from core.playback.wording import number
from pages.components.compare.run import Column, Comparison


def verdict(found: Comparison) -> str:
    """`A retrieves 2 of 2 gold passages, B 1. B has 'Teo Marrask' at rank 42, below its top 20.`

    Empty where the index holds no gold. Of gold that both retrieve the one is named whose ranks are
    farthest apart; of gold that only one retrieves, what became of it in the other.
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
    """The gold whose ranks differ most, that of one alone before any other, as it ends a sentence;
    empty where neither retrieves any."""
    fates = [found.fates[column.key] for column in (a, b)]

    def differ(gold: str) -> tuple[bool, int]:
        one, other = (each[gold] for each in fates)
        return one.lost != other.lost, abs((one.rank or 0) - (other.rank or 0))

    kept = [gold for gold in found.said.held if not all(each[gold].lost for each in fates)]
    most = max(kept, key=differ, default=None)
    if most is None:
        return ""
    one, other = (each[most] for each in fates)
    passage = found.gold_passage(most)
    name = f"'{passage.title or most}'" if passage else most
    if one.lost == other.lost and one.rank == other.rank:
        return ", at the same ranks" if len(kept) > 1 else f", at rank {one.rank}"
    if one.lost == other.lost:
        return f"; {name}: A rank {one.rank}, B rank {other.rank}"
    letter, lost, held = ("A", one, other) if one.lost else ("B", other, one)
    return f". {letter} {_lost(lost, name, found.top_k)}; {'BA'[letter == 'B']} at rank {held.rank}"


def _lost(fate: Fate, name: str, top_k: int) -> str:
    """What one did that lost `name`."""
    if fate.rank and fate.stage in ("cut", "below") and not fate.inner:
        return f"has {name} at rank {fate.rank:,}, below its top {top_k}"
    if fate.stage == "refused":
        return f"was offered {name} and did not take it"
    return f"lost {name}: {fate.words}"
