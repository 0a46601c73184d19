"""Several settings at once, where no single change keeps lost gold.

What stands in the way of a passage often has another limit behind it: of more texts that are taken
some have no room, and of those that have some rank below the top k. So settings are turned up as
far as they go, what looks at least first: two at once, and then one more at a time, until it
is kept. Each that it is kept without is turned back, and the others are made as small as keeps it;
then again each is turned back that it is kept without. One that is left alone is a single change.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations

from core.funnel.changes import TOP_K, Change, Dial, dials, joined
from core.funnel.replay import Replays
from core.funnel.rescue import Rescue
from core.funnel.search.pairs import Kept, least
from core.retrievers import Spec

REPLAYS = 40
"""Replays for turning settings together, of one gold passage, and then for smaller values: at most,
if there are no more to share (`Replays.within`)."""
MOST = 3
"""Settings that are told together; what needs more is no change that a person would make."""

Values = Mapping[int, int]
"""By the place of a setting among the `dials` what it is turned to."""


def chain(spec: Spec, replays: Replays, kept: Kept) -> Rescue | None:
    """Return the fewest settings of `spec` that retrieve the gold together, or None.

    Each value is as close to its present one as possible. None is returned if not even all settings
    together retrieve the gold, if more than `MOST` are needed, or if no replays are left.
    """
    with replays.within(REPLAYS):
        turned = _quickest(spec, replays)
        values = _enough(spec, {place: one.high for place, one in turned.items()}, kept)
    if not 0 < len(values) <= MOST:
        return None
    with replays.within(REPLAYS):
        for place in sorted(values, key=lambda place: turned[place].kind == TOP_K):
            values = _smallest(spec, values, turned[place], place, kept)
        rough = replays.stopped
    values = _minimal(spec, values, kept)
    fix = kept(together(spec, values))
    return fix and replace(fix, rough=rough)


def _enough(spec: Spec, highest: Values, kept: Kept) -> Values:
    """Return the `highest` values needed to retrieve the gold, or none if all do not suffice."""
    order = {place: number for number, place in enumerate(highest)}
    pairs = sorted(combinations(highest, 2), key=lambda two: max(map(order.__getitem__, two)))
    for two in pairs:
        values = {place: highest[place] for place in two}
        if kept(together(spec, values)):
            return _minimal(spec, values, kept)
    values = dict[int, int]()
    for place, value in highest.items():
        values[place] = value
        if len(values) > 2 and kept(together(spec, values)):
            break
    else:
        return {}
    return _minimal(spec, values, kept)


def _minimal(spec: Spec, values: Values, kept: Kept) -> Values:
    """Return `values` without those that are not needed to retrieve the gold."""
    for place in [*values]:
        fewer = {other: value for other, value in values.items() if other != place}
        if fewer and kept(together(spec, fewer)):
            values = fewer
    return values


def together(spec: Spec, values: Values) -> Change:
    """Return all `values` as one change, in the order of the settings, top k last."""
    change: Change | None = None
    kinds = [dial.kind for dial in dials(spec)]
    for place in sorted(values, key=lambda place: (kinds[place] == TOP_K, place)):
        here = [*dials(change.spec if change else spec)][place].to(values[place])
        change = joined(change, here) if change else here
    if change is None:
        raise ValueError("no setting is turned")
    return change


def _quickest(spec: Spec, replays: Replays) -> dict[int, Dial]:
    """Return the settings that can be turned up, by their places; what looks at least first.

    No seconds are measured, so that the order is the same on every machine.
    """
    by_place = {place: one for place, one in enumerate(dials(spec)) if one.low <= one.high}

    def work(place: int) -> float:
        return replays.work(by_place[place].to(by_place[place].high).spec)

    return {place: by_place[place] for place in sorted(by_place, key=work)}


def _smallest(spec: Spec, values: Values, dial: Dial, place: int, kept: Kept) -> Values:
    """Return `values` with one of them as small as retrieves the gold, within the replays.

    The rank of the gold is tried first: it is often enough.
    """
    keeps = partial(_keeps, spec, values, place, kept)
    value = values[place]
    if now := keeps(value):
        rank = min(max(dial.low, now.rank), value)
        value = rank if keeps(rank) else value
    return {**values, place: least(dial.low, value, keeps)}


def _keeps(spec: Spec, values: Values, place: int, kept: Kept, value: int) -> Rescue | None:
    return kept(together(spec, {**values, place: value}))
