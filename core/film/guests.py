"""What a view draws for a step alone: the node that is looked at, and what is chosen there.

A guest has one place for the whole film. Guests that are never drawn at one time may share it.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from core.film.focus import READ
from core.film.legend import KINDS
from core.film.looks import node_roles
from core.film.plot import Plot
from core.playback import Frame
from core.playback.reasons import beaten
from core.steps import Offered, Spread, ties_of

Slot = tuple[int, int]
"""A column, and which of its places for guests."""

SHARE = 2
"""Fifths of what is drawn that may be guests: more would leave no room for names."""

LEAST = 3
"""Guests at a time for whom there is always room: what is looked at, and what is chosen there."""

FEW = 2
"""Guests at a time in a column that has room for few."""

NAMED = 3
"""Of what is chosen, what a step joins these to comes before the others."""


@dataclass(frozen=True, slots=True)
class Guests:
    """The guests of a view.

    `at` are those of each step, with who stands in a place that no later one needs; `aside` is
    what makes room for them; `slots` say where each stands.
    """

    at: Mapping[int, Sequence[str]] = field(default_factory=dict)
    aside: Mapping[int, Sequence[str]] = field(default_factory=dict)
    slots: Mapping[str, Slot] = field(default_factory=dict)


NOBODY = Guests()


def invited(
    plot: Plot,
    frames: Sequence[Frame],
    always: Sequence[str],
    most: int,
    full: int,
    at_once: int | None = None,
) -> Guests:
    """The guests of a view that draws `always`, what matters most first.

    At most `most` passages are drawn at a step, up to `full` with those in places that no guest
    needs any more, and `at_once` guests in a column, if that is given.
    What is gold, or what the step is about, makes no room for a guest.
    """
    columns = {plot.columns.of[name] for name in always}
    at: dict[int, list[str]] = {}
    aside: dict[int, list[str]] = {}
    left: dict[int, int] = {}
    for now in frames[1:]:
        about = _about(plot, now, columns)
        guests = _few_a_column(plot, about, always, most if at_once is None else at_once)
        guests = guests[: max(SHARE * most // 5, READ if plot.field else LEAST)]
        roles = node_roles(now, plot.lost, None)
        there = [n for n in always if n in roles and plot.cast.kind(n) == "passage"]
        left[now.t] = full - len(there) - len(guests)
        if not guests:
            continue
        spare = [n for n in there if n not in about and n not in plot.cast.gold]
        over = len(there) + len(guests) - most
        at[now.t] = guests[: len(guests) - max(0, over - len(spare))]
        if over > 0 and spare:
            aside[now.t] = spare[-over:]
    slots = _slots(plot, at)
    residents = _residents(plot, slots, always)
    since = {slots[name]: t for t, names in sorted(at.items()) for name in names}
    for now in frames[1:] if residents else ():
        free = [n for slot, n in residents.items() if since[slot] < now.t and n in now.roles]
        if free := free[: max(0, left[now.t])]:
            at[now.t] = [*at.get(now.t, ()), *free]
    return Guests(at, aside, slots | {name: slot for slot, name in residents.items()})


def _few_a_column(plot: Plot, about: Sequence[str], always: Sequence[str], most: int) -> list[str]:
    """Who of `about` is no part of `always`: the first two, who are looked at and chosen, and of
    the others as long as there are fewer than `most` in a column.
    """
    found: list[str] = []
    columns: Counter[int] = Counter()
    for place, name in enumerate(about):
        column = plot.columns.of[name]
        if name not in always and (place < 2 or columns[column] < most):
            columns[column] += 1
            found.append(name)
    return found


def _residents(plot: Plot, slots: Mapping[str, Slot], always: Sequence[str]) -> dict[Slot, str]:
    """Who stands in a slot once its last guest has gone: the last of its guests that was kept, so
    that none gives way, or else the best of what was kept that has no place yet in its column.
    Where something spreads, things stay.
    """
    kept = [hit.passage_id for hit in plot.last.hits if hit.passage_id not in always]
    spare = [name for name in kept if name not in slots]
    things = plot.cast.things if plot.field else ()
    found: dict[Slot, str] = {}
    for slot in dict.fromkeys(slots.values()):
        own = [n for n in reversed([*slots]) if slots[n] == slot and (n in kept or n in things)]
        own += [n for n in spare if n in plot.columns.of and _column(plot, n) == slot[0]]
        name = next((name for name in own if name not in found.values()), "")
        if name:
            found[slot] = name
    return found


def _about(plot: Plot, now: Frame, columns: Collection[int]) -> list[str]:
    """What is looked at, what is chosen there, with what the step joins the first of it to, and
    whom its sentence names as refused, in `columns`; or what the list of what spreads begins with.

    What a walk starts with is neither.
    """
    step = now.step
    if isinstance(step, Spread):
        return [hit.passage_id for hit in step.hits[:READ] if hit.passage_id in plot.columns.of]
    taken = step.taken if isinstance(step, Offered) and not step.entry else ()
    joined: dict[str, list[str]] = {}
    for tie in ties_of(step) if taken and step else ():
        joined.setdefault(tie.source, []).append(tie.target)
        joined.setdefault(tie.target, []).append(tie.source)
    names = [one.target for one in taken]
    reasons = [end for name in names[:NAMED] for end in joined.get(name, ())]
    first, rest = (names[:READ], []) if plot.field else (names[:NAMED], names)
    refused = beaten(step) if isinstance(step, Offered) and not step.entry else None
    told = [refused.target] if refused and plot.columns.of[refused.target] in columns else []
    named = [*([now.current] if now.current else []), *first[:1], *told, *first, *reasons, *rest]
    return [name for name in dict.fromkeys(named) if name in plot.columns.of]


def _column(plot: Plot, name: str) -> int:
    """What spreads has none: there what is of one kind shares places."""
    return list(KINDS).index(plot.cast.kind(name)) if plot.field else plot.columns.of[name]


def _slots(plot: Plot, at: Mapping[int, Sequence[str]]) -> dict[str, Slot]:
    """A slot for each guest that no other guest of one of its steps has."""
    beside: dict[str, set[str]] = {}
    for guests in at.values():
        for name in guests:
            beside.setdefault(name, set()).update(guests)
    found: dict[str, Slot] = {}
    for name, others in beside.items():
        column, place = _column(plot, name), 0
        taken = {found[other] for other in others if other in found}
        while (column, place) in taken:
            place += 1
        found[name] = column, place
    return found
