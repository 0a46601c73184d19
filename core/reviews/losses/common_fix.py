"""From a group of losses to one change for all of them.

The rescues of single losses differ in how far they turn a setting, and the furthest one is offered
for all of them. Whether it keeps what smaller ones keep, and what it costs elsewhere, is seen by
running it (`core.reviews.losses.change_effect`).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.funnel.changes import KINDS, TOP_K
from core.funnel.rescue import Rescue, looked_at
from core.playback.wording import begun
from core.reviews.losses.change_effect import judgements
from core.runs import Row
from core.runs.fixes import Found, lost_of
from core.text.display.plurals import number

_VALUE = re.compile(r" ([\d.,]+) to ([\d.,]+)")


@dataclass(frozen=True, slots=True)
class Mend:
    """A change of one setting, with which `retriever` is asked; `change` is in words.

    `kept` counts the losses that it is the cheapest rescue of, `losses` all of the group, `edges`
    those whose cheapest rescue is an edge, which is no setting; `extra` are choices more, on
    average for each loss that it keeps, and `seeds` are seeds more, at most. `untried` are those
    of `kept` that a smaller change of the setting retrieves, and for which this one was not tried.
    """

    retriever: str
    change: str
    kept: int
    losses: int
    edges: int
    extra: float
    untried: int = 0
    seeds: int = 0


def mend(rescues: Iterable[Rescue | None]) -> Mend | None:
    """Return the setting that retrieves most of the lost gold, the cheaper of two; or None.

    A higher top_k comes behind any other setting: it is the cheapest where nothing else helps.
    """
    fixes = list(rescues)
    known = [one for one in fixes if one and one.keeps]
    dials: dict[str, list[Rescue]] = {}
    for rescue in known:
        if not rescue.amendments:
            way = "down" if _value(rescue) < 0 else "up"
            dials.setdefault(f"{_VALUE.sub('', rescue.change)} {way}", []).append(rescue)
    if not dials:
        return None
    best = max(dials.values(), key=_helps)
    furthest = max(best, key=lambda one: abs(_value(one)))
    edges = sum(bool(one.amendments) for one in known)
    # A larger top k alone adds passages to the end of a ranking, unless it makes more seeds.
    sure = furthest.kind == TOP_K and not any(one.seeds for one in best)
    untried = 0 if sure else sum(one.retriever != furthest.retriever for one in best)
    extra = _cost(best) / len(best)
    seeds = max(one.seeds for one in best)
    counts = (len(best), len(fixes), edges, extra, untried, seeds)
    return Mend(furthest.retriever, furthest.told, *counts)


def fix_summary(rows: Sequence[Row], known: Sequence[Found]) -> list[str]:
    """Return sentences on which changes would retrieve the lost gold of `rows`.

    They say how much was lost, which change retrieves how much, and what is left. The list is empty
    without any loss.

    Parameters
    ----------
    known : the fixes of each row.
    """
    lost = [(fate, fixes) for row, fixes in zip(rows, known, strict=True) for fate in lost_of(row)]
    inside = [(fate, fixes) for fate, fixes in lost if fate.stage != "absent"]
    tried = [fixes[fate.gold] for fate, fixes in inside if fate.gold in fixes]
    looked = [one if one and one.keeps else None for one in tried]
    some = (looked.count(None), len(lost) - len(inside), len(inside) - len(looked))
    left = "; ".join(_left(*some, len(lost)))
    now = judgements(rows)
    sentences = [*_best_changes(looked, now, len(lost)), *([f"{begun(left)}."] if left else [])]
    return (
        [f"{number(len(lost), 'gold passage')} {_is(len(lost))} lost.", *sentences]
        if sentences
        else []
    )


def _best_changes(looked: Sequence[Rescue | None], now: float, all_: int) -> Iterator[str]:
    """Yield sentences on the settings that retrieve most of `all_` losses.

    Parameters
    ----------
    now : the mean number of passages or lists examined per question without a change.
    """
    best = mend(looked)
    most = mend(one for one in looked if one and one.kind == TOP_K)
    both = {fix.retriever: fix for fix in (most, best) if fix}
    for fix in reversed(both.values()):
        what = looked_at(fix.retriever)
        more = f"no additional {what}s are examined"
        if fix.extra:
            more = (
                f"{fix.extra:.1f} additional {what}s are examined per question on average "
                f"(currently {now:.1f})"
            )
        tried = fix.kept - fix.untried
        kept = f"With {fix.change}, {_of(tried, all_)} {_is(tried)} retrieved"
        if fix.untried:
            kept += (
                f"; {fix.untried:,} more {_is(fix.untried)} retrieved with a smaller change, "
                f"so this change was not tried for {'it' if fix.untried == 1 else 'them'}"
            )
        only = f" No smaller change does this. This change adds up to {number(fix.seeds, 'seed')}."
        alone = fix.seeds and most and fix.retriever == most.retriever
        yield f"{kept}; {more}.{only if alone else ''}"
    edges = sum(bool(one and one.amendments) for one in looked)
    if edges:
        yield (
            f"Following one more edge retrieves {_of(edges, all_)} and examines fewer passages "
            "than any setting."
        )


def _left(by_nothing: int, absent: int, unknown: int, all_: int) -> Iterator[str]:
    """Yield clauses on the losses that no change retrieves, or for which none was tried."""
    if by_nothing:
        no = "not retrieved by any single change tried"
        yield f"{_of(by_nothing, all_)} {_is(by_nothing)} {no}"
    if absent:
        yield f"{_of(absent, all_)} {_is(absent)} not in the index"
    if unknown:
        other = "the other one" if unknown == 1 else f"the other {unknown:,}"
        which = (
            {1: "it", 2: "either of them"}.get(all_, "any of them") if unknown == all_ else other
        )
        yield f"no search for a fix has been run for {which} yet"


def _of(some: int, all_: int) -> str:
    """Return `it`, `all of them` or `3 of them`."""
    if some == all_:
        return "it" if all_ == 1 else f"{'both' if all_ == 2 else 'all'} of them"
    return f"{some:,} of them"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _cost(held: Collection[Rescue]) -> int:
    return sum(one.extra for one in held)


def _helps(held: list[Rescue]) -> tuple[bool, int, int, int]:
    kind = held[0].kind
    return kind != TOP_K, len(held), -_cost(held), -KINDS.index(kind)


def _value(rescue: Rescue) -> float:
    """Return by how much the fix changes its setting; negative if it lowers it."""
    read = _VALUE.search(rescue.change)
    before, after = (float(one.replace(",", "")) for one in read.groups()) if read else (0, 0)
    return after - before
