"""Two changes at once, where no single one keeps lost gold."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from core.funnel.changes import Change, Dial, dials, joined
from core.funnel.replay import Replays
from core.funnel.rescue import Rescue
from core.retrievers import Spec

REPLAYS = 20
"""Replays for pairs, of one gold passage (`Replays.within`)."""
EDGES = 2
"""Edges that are one of two changes."""

Kept = Callable[[Change], Rescue | None]
"""The rescue that a change is, None where it keeps nothing."""


def pair(spec: Spec, firsts: Sequence[Dial], replays: Replays, kept: Kept) -> Rescue | None:
    """Return a pair of settings that retrieves the gold, one of them in `firsts`, or None.

    Both are raised as little as possible. If one of them is enough, it is returned alone. None
    means that no pair was found within `REPLAYS`.
    """
    with replays.within(REPLAYS):
        for one in firsts:
            for place, other in enumerate(dials(one.to(one.high).spec)):
                tried = partial(_try_pair, kept, one, place)
                # As much as can be tells in one try whether less is worth one.
                if other.low > other.high or not tried(one.high, other.high):
                    continue
                second = least(other.low, other.high, partial(tried, one.high))
                first = least(one.low, one.high, partial(tried, second=second))
                alone = kept(one.to(first)) or kept([*dials(spec)][place].to(second))
                fix = alone or tried(first, second)
                return fix and replace(fix, rough=replays.stopped)
    return None


def as_dial(change: Change) -> Dial:
    """Return a change without a range of values, such as following an edge, as a dial."""
    return Dial(change.kind, 1, 1, lambda _: change)


def _try_pair(kept: Kept, one: Dial, place: int, first: int, second: int) -> Rescue | None:
    """Try both values at once; `place` is the position of the other setting."""
    change = one.to(first)
    return kept(joined(change, [*dials(change.spec)][place].to(second)))


def least(low: int, value: int, keeps: Callable[[int], Rescue | None]) -> int:
    """Return the smallest value from `low` to `value` that `keeps`, as far as replays allow."""
    failed = low - 1
    while value - failed > 1:
        middle = (failed + value) // 2
        if keeps(middle):
            value = middle
        else:
            failed = middle
    return value
