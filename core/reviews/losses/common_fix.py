"""From a group of losses to one change of a setting for all of them.

Fixes of single losses differ in the value that a setting needs. A group is offered the value that
retrieves most of its gold. Another value than a fix needs, larger or smaller, may lose the gold, so
gold counts as retrieved only if that value was replayed for it (`group_values`). What the change
costs elsewhere is seen by running it (`core.reviews.losses.change_effect`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.funnel.changes import TOP_K
from core.funnel.rescue import Rescue, looked_at
from core.playback.wording import begun
from core.reviews.losses.change_effect import judgements
from core.reviews.losses.group_values import Mend, change_names, mend
from core.runs import Row
from core.runs.fixes import Found, lost_of
from core.text.display.plurals import number


@dataclass(frozen=True, slots=True)
class Share:
    """Some of the lost gold and what would retrieve it, or why nothing is known to.

    `name` and `note` are for a table, `told` is the same as a sentence. `found` tells whether a
    change retrieves it.
    """

    name: str
    count: int
    told: str
    note: str = ""
    found: bool = False


def fix_summary(rows: Sequence[Row], known: Sequence[Found]) -> list[str]:
    """Return sentences on which changes would retrieve the lost gold of `rows`.

    They say how much was lost, which change retrieves how much, and what is left. The list is empty
    without any loss.

    Parameters
    ----------
    known : the fixes of each row.
    """
    shares = fix_shares(rows, known)
    if not shares:
        return []
    left = "; ".join(share.told for share in shares if not share.found)
    lost = sum(len(lost_of(row)) for row in rows)
    return [
        f"{number(lost, 'gold passage')} {_is(lost)} lost.",
        *(share.told for share in shares if share.found),
        *([f"{begun(left)}."] if left else []),
    ]


def fix_shares(rows: Sequence[Row], known: Sequence[Found]) -> list[Share]:
    """Return the lost gold of `rows` by what would retrieve it; empty without any loss.

    Parameters
    ----------
    known : the fixes of each row.
    """
    lost = [(fate, fixes) for row, fixes in zip(rows, known, strict=True) for fate in lost_of(row)]
    inside = [(fate, fixes) for fate, fixes in lost if fate.stage != "absent"]
    tried = [fixes[fate.gold] for fate, fixes in inside if fate.gold in fixes]
    looked = [one if one and one.keeps else None for one in tried]
    stopped = sum(bool(one and not one.keeps and (one.undecided or one.stopped)) for one in tried)
    left = (
        looked.count(None) - stopped,
        stopped,
        len(lost) - len(inside),
        len(inside) - len(looked),
    )
    return [*_best_changes(looked, judgements(rows), len(lost)), *_left(*left, len(lost))]


def _best_changes(looked: Sequence[Rescue | None], now: float, all_: int) -> Iterator[Share]:
    """Yield the changes that retrieve some of `all_` losses; each loss counts once.

    Parameters
    ----------
    now : the mean number of passages or lists examined per question without a change.
    """
    best = mend(looked)
    most = mend(one for one in looked if one and one.kind == TOP_K)
    fixes = {fix.retriever: fix for fix in (best, most) if fix}.values()
    for fix in fixes:
        yield _share(fix, now, all_)
    counted = {id(one) for fix in fixes for one in (*fix.replayed, *fix.between)}
    others = [one for one in looked if one and id(one) not in counted]
    if others:
        which = "other changes" if fixes else "changes to one question at a time"
        names = ", ".join(f"{name} ({count:,})" for name, count in change_names(others))
        kept = f"{_part_phrase(len(others), all_)} {_is(len(others))} retrieved"
        told = f"With {which}, {kept}: {names}."
        yield Share(begun(which), len(others), told, f"{begun(names)}.", found=True)


def _share(fix: Mend, now: float, all_: int) -> Share:
    """Return the gold that one value of a setting retrieves, with what the value costs."""
    what = looked_at(fix.retriever)
    more = f"no additional {what}s are examined for these questions"
    if fix.extra:
        more = (
            f"on average, {fix.extra:.1f} additional {what}s are examined for these questions "
            f"(currently {now:.1f})"
        )
    tried, between = len(fix.replayed), len(fix.between)
    kept, probable = f"With {fix.change}, {_part_phrase(tried, all_)} {_is(tried)} retrieved", ""
    if between:
        them = "it" if between == 1 else "them"
        probable = (
            f"{between:,} more {_is(between)} probably retrieved too: a lower and a higher value "
            f"work for {them}, but this value was not tried"
        )
        more = f"where it was tried, {more}"
    if fix.seeds:
        first = "The smallest change that works; it" if fix.smallest else "It"
        more += f". {first} adds at most {number(fix.seeds, 'seed')}"
    told = "; ".join(filter(None, (kept, probable, more)))
    note = "; ".join(filter(None, (probable, more)))
    return Share(begun(fix.change), tried, f"{told}.", f"{begun(note)}.", found=True)


def _left(by_nothing: int, stopped: int, absent: int, unknown: int, all_: int) -> Iterator[Share]:
    """Yield the losses that no change retrieves, or for which none was tried.

    `stopped` are those whose search ended before every single change was tried.
    """
    if by_nothing:
        no = "not retrieved by any single change tried"
        told = f"{_part_phrase(by_nothing, all_)} {_is(by_nothing)} {no}"
        yield Share("Not retrieved by any change tried", by_nothing, told)
    if stopped:
        so_far = "the search stopped before all changes were tried"
        told = f"for {_part_phrase(stopped, all_)}, {so_far}"
        yield Share("No fix found yet", stopped, told, f"{begun(so_far)}.")
    if absent:
        told = f"{_part_phrase(absent, all_)} {_is(absent)} not in the index"
        yield Share("Not in the index", absent, told)
    if unknown:
        other = "the other one" if unknown == 1 else f"the other {unknown:,}"
        which = (
            {1: "it", 2: "either of them"}.get(all_, "any of them") if unknown == all_ else other
        )
        yield Share(
            "Not searched yet", unknown, f"no search for a fix has been run for {which} yet"
        )


def _part_phrase(some: int, all_: int) -> str:
    """Return `it`, `all of them` or `3 of them`."""
    if some == all_:
        return "it" if all_ == 1 else f"{'both' if all_ == 2 else 'all'} of them"
    return f"{some:,} of them"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
