"""What a view draws for a step alone: the node that is looked at, and what is chosen there.

A guest has one place for the whole film. Guests that are never drawn at one time may share it; one
that was reached stays there until the next one comes.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from core.film.focus import READ
from core.film.looks import node_roles
from core.film.plot import Plot
from core.film.slots import Slot, asked_by, slots_of
from core.playback import Frame
from core.playback.reasons import beaten
from core.steps import Offered, Spread, ties_of

SHARE = 2
"""Fifths of what is drawn that may be guests: more would leave no room for names."""

LEAST = 3
"""Guests at a time for whom there is always room: what is looked at, and what is chosen there."""

ALWAYS = 2
"""Of what a step is about, those who are drawn however few guests there are."""

FEW = 2
"""Guests at a time in a column that has room for few."""

NAMED = 3
"""Of what is chosen, what a step joins these to comes before the others."""


@dataclass(frozen=True, slots=True)
class Guests:
    """The guests of a view.

    `at` are those of each step, with those of earlier ones that stay; `aside` is
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
    named: Mapping[int, Sequence[str]] | None = None,
) -> Guests:
    """The guests of a view that draws `always`, what matters most first.

    At most `most` passages are drawn at a step, up to `full` with guests of earlier ones, and
    `at_once` new guests in a column, if that is given, but for those whom its sentence names.
    What is gold, or what the step is about, makes no room for a guest.
    """
    columns = {plot.columns.of[name] for name in always}
    at: dict[int, list[str]] = {}
    aside: dict[int, list[str]] = {}
    left: dict[int, int] = {}
    for now in frames[1:]:
        musts = _spoken(now, (named or {}).get(now.t, ()), plot)
        about = list(dict.fromkeys((*musts, *_about(plot, now, columns))))
        few = most if at_once is None else at_once
        guests = _few_a_column(plot, about, always, few, max(ALWAYS, len(musts)))
        must = len({*musts} - {*always})
        guests = guests[: max(SHARE * most // 5, READ if plot.spreads else LEAST, must)]
        roles = node_roles(now, plot.lost, None)
        there = [n for n in always if n in roles and plot.cast.kind(n) == "passage"]
        left[now.t] = full - len(there) - len(guests)
        if not guests:
            continue
        spare = [n for n in there if n not in about and n not in plot.cast.gold]
        over = len(there) + len(guests) - most
        at[now.t] = guests[: max(1, must, len(guests) - max(0, over - len(spare)))]
        if over > 0 and spare:
            aside[now.t] = spare[-over:]
    slots = slots_of(plot, at)
    ends = _ends(plot, slots, always)
    for t, names in _staying(frames, at, slots, ends).items():
        if names := names[: max(0, left[t])]:
            at[t] = [*at.get(t, ()), *names]
    return Guests(at, aside, slots | {name: slot for slot, name in ends.items()})


def _staying(
    frames: Sequence[Frame],
    at: Mapping[int, Sequence[str]],
    slots: Mapping[str, Slot],
    ends: Mapping[Slot, str],
) -> dict[int, list[str]]:
    """By step who stands in the slots that no guest of it has: who was reached as the last guest
    there, and in the end who stands there then.
    """
    found: dict[int, list[str]] = {}
    last: dict[Slot, str] = {}
    for now in frames[1:]:
        guests = at.get(now.t, ())
        taken = {slots[name] for name in guests}
        stay = {**last, **ends} if _over(now) else last
        found[now.t] = [n for slot, n in stay.items() if slot not in taken and _stays(n, now)]
        last |= {slots[name]: name for name in guests}
    return found


def _over(now: Frame) -> bool:
    return now.ended and now.depth == 1


def _stays(name: str, now: Frame) -> bool:
    """Whether it was reached; in the end what is retrieved stays, and things do."""
    role = now.roles.get(name, "offered")
    return role == "retrieved" or name in now.things if _over(now) else role != "offered"


def _spoken(now: Frame, named: Sequence[str], plot: Plot) -> list[str]:
    """What is looked at, and whom the sentence names; nobody where all begins."""
    if isinstance(now.step, Offered) and now.step.entry:
        return []
    looked = [now.current] if now.current in plot.columns.of else []
    return list(dict.fromkeys((*looked, *named)))


def _few_a_column(
    plot: Plot, about: Sequence[str], always: Sequence[str], most: int, first: int
) -> list[str]:
    """Who of `about` is no part of `always`: the `first`, who are looked at, named and chosen, and
    of the others as long as there are fewer than `most` in a column.
    """
    found: list[str] = []
    columns: Counter[int] = Counter()
    for place, name in enumerate(about):
        column = plot.columns.of[name]
        if name not in always and (place < first or columns[column] < most):
            columns[column] += 1
            found.append(name)
    return found


def _ends(plot: Plot, slots: Mapping[str, Slot], always: Sequence[str]) -> dict[Slot, str]:
    """Who stands in a slot in the end, if it is another than its last guest: the last of them that
    was kept, so that few give way, or else the best of what was kept that has no place yet in its
    column. Things have no other.
    """
    kept = [hit.passage_id for hit in plot.last.hits if hit.passage_id not in always]
    spare = [name for name in kept if name not in slots]
    asked = asked_by(plot)
    by = {slot: asked.get(name) for name, slot in slots.items()}
    found: dict[Slot, str] = {}
    for slot in dict.fromkeys(slots.values()):
        own = [name for name in reversed([*slots]) if slots[name] == slot and name in kept]
        own += [n for n in spare if plot.columns.of.get(n) == slot[0] and asked.get(n) == by[slot]]
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
    first, rest = (names[:READ], []) if plot.spreads else (names[:NAMED], names)
    refused = beaten(step) if isinstance(step, Offered) and not step.entry else None
    told = [refused.target] if refused and plot.columns.of[refused.target] in columns else []
    named = [*([now.current] if now.current else []), *first[:1], *told, *first, *reasons, *rest]
    return [name for name in dict.fromkeys(named) if name in plot.columns.of]
