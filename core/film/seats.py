"""Who is drawn in a show, the stops that are told on a stage and where a film plays by itself.

A place belongs to one node for the whole show: what is drawn stays, and none takes the place of
another but what is looked at alone, as long as it is.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest

from core.film.data import FrameData, View
from core.film.few import Few
from core.film.focus import MOST
from core.film.guests import Guests
from core.film.plot import Plot
from core.film.sentences import quoted
from core.film.slots import Slot
from core.playback import Frame

Show = Mapping[int, FrameData]
"""By t what is told at each stop."""


def told_of(plot: Plot, at: Sequence[Frame], show: Show) -> list[str]:
    """Whom a show is about: all of the stops that look at one node, as they show what a look is,
    and of the others the first of each before the second of another.
    """
    each = [_about(plot, at[t], show[t]) for t in sorted(show)]
    looks = chain.from_iterable(names for looked, names in each if looked)
    others = chain.from_iterable(zip_longest(*(names for looked, names in each if not looked)))
    return [name for name in dict.fromkeys((*looks, *others)) if name]


def _about(plot: Plot, now: Frame, shown: FrameData) -> tuple[bool, list[str]]:
    """Whether one node is looked at; and that, whom the sentence names, and from where these were
    reached.
    """
    names, key = plot.cast.names, plot.cast.key
    here = [now.current] if now.current else []
    looked = [name for name in here if shown["nodes"].get(key.get(name, "")) == "current"]
    said = quoted(plot, now, shown["caption"])
    came = {one["target"]: one["source"] for one in shown["travels"]}
    began = (came.get(number) for number in plot.cast.numbers(said))
    return bool(looked), [*looked, *said, *(names[n] for n in began if n is not None)]


def hosted(
    frames: Sequence[FrameData], plot: Plot, guests: Mapping[View, Guests]
) -> list[FrameData]:
    """`frames` of single steps with the `guests` of each view."""

    def drawn(by: Mapping[View, Mapping[int, Sequence[str]]], t: int) -> dict[View, list[int]]:
        return {view: plot.cast.numbers(of[t]) for view, of in by.items() if t in of}

    at = {view: one.at for view, one in guests.items()}
    aside = {view: one.aside for view, one in guests.items()}
    return [
        {**frame, "guests": drawn(at, frame["t"]), "aside": drawn(aside, frame["t"])}
        for frame in frames
    ]


def seated(
    show: Show, plot: Plot, few: Mapping[View, Few], about: Sequence[str]
) -> dict[int, FrameData]:
    """`show` with those who have the places for guests, of which `about` are told."""
    by_view = {
        view: dict(_standing(show, plot, one.guests, _owners(plot, one, about)))
        for view, one in few.items()
    }
    found: dict[int, FrameData] = {}
    for t, frame in show.items():
        there = {view: sorted(plot.cast.numbers(of[t])) for view, of in by_view.items() if of[t]}
        found[t] = {**frame, "guests": there, "aside": {}}
    return found


def _standing(
    show: Show, plot: Plot, guests: Guests, own: Mapping[Slot, str]
) -> Iterator[tuple[int, list[str]]]:
    """By stop who stands in the places for guests: whose `own` they are, from when it is reached or
    told of, but for what is looked at now.
    """
    cast, there = plot.cast, dict[Slot, str]()
    for t in sorted(show):
        roles, said = show[t]["nodes"], show[t]["caption"]
        for slot, name in own.items():
            role = roles.get(cast.key[name])
            if role and (role != "refused" or f"'{cast.title(name)}'" in said):
                there[slot] = name
        looked = {s: n for n, s in guests.slots.items() if roles.get(cast.key[n]) == "current"}
        yield t, list({**there, **looked}.values())


def _owners(plot: Plot, few: Few, about: Sequence[str]) -> dict[Slot, str]:
    """To whom each place belongs, as long as there are no more than `MOST` nodes: who is told of
    first, ranks best, or joins most of those that stand alone; of those that have to be joined to
    something and are told of nowhere, only who is joined to somebody drawn.
    """
    slots, beside = few.guests.slots, _beside(plot)
    ranked = (row.hit.passage_id for row in plot.last.standings)
    order = {name: i for i, name in enumerate(dict.fromkeys((*about, *ranked)))}
    told, drawn, found = {*about}, {*few.always}, dict[Slot, str]()
    while len(few.always) + len(found) < MOST:
        free = [name for name in slots if slots[name] not in found]
        may = [n for n in free if n in told or not _to_join(plot, n) or beside[n] & drawn]
        alone = {name for name in drawn if not beside[name] & drawn}
        if not may:
            break
        name = min(may, key=lambda n: (order.get(n, len(order)), -len(beside[n] & alone)))
        found[slots[name]] = name
        drawn.add(name)
    return found


def _to_join(plot: Plot, name: str) -> bool:
    """Whether a node says little by itself: what spreads, and what stands for passages."""
    return plot.spreads or plot.cast.kind(name) not in ("passage", "query")


def _beside(plot: Plot) -> dict[str, set[str]]:
    """To whom each node is joined that stands in another column."""
    of, found = plot.columns.of, defaultdict[str, set[str]](set)
    for line in plot.cast.lines:
        if line.source in of and line.target in of and of[line.source] != of[line.target]:
            found[line.source].add(line.target)
            found[line.target].add(line.source)
    return found
