"""What is drawn and where, once for the whole film."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from core.drawing.layout import Band, Place, bands, layered
from core.drawing.staggered import (
    ROWS,
    headings,
    staggered,
)
from core.film.cuts import cuts, tiers
from core.film.data import BandData, CutData, GroupData, ViewData
from core.film.focus import groups
from core.film.guests import NOBODY, Guests
from core.film.plot import NOTHING, Plot
from core.film.words import ranged
from core.playback import DrawnLine, Frame
from core.playback import labels as names_of
from core.playback.layers import reached_at
from core.steps import Offered, Spread

IDLE = "\0"
"""What stands for nothing in the column of rounds that reached nothing."""
CAP = 150
"""Nodes drawn at most in the view of everything: gold and what was reached, then in order."""


def focus(
    plot: Plot,
    only: AbstractSet[str],
    guests: Guests = NOBODY,
    rows: int = ROWS,
    like: ViewData | None = None,
    apart: bool = False,
    idle: Sequence[str] = (),
    order: Sequence[str] = (),
    frames: Sequence[Frame] = (),
) -> ViewData:
    """The few nodes `only` that the film is about, and `guests`, with room for their labels, at
    most `rows` in a column; those of the view `like` stand in the order that they have there.

    With `apart` what was kept stands above lost gold, with a line between them. The rounds `idle`,
    which reached nothing, have a column of their own. Those in `order` stand so in each column,
    as questions do. Those that are there first in `frames` stand above those that come later.
    """
    column = {name: at for name, at in plot.columns.of.items() if name in only}
    labels = {name: plot.cast.title(name) for name in column}
    slots = {name: f"{column} {place}" for name, (column, place) in guests.slots.items()}
    column |= {slot: plot.columns.of[name] for name, slot in slots.items()}
    for name, slot in slots.items():
        labels[slot] = max(labels.get(slot, ""), plot.cast.title(name), key=len)
    joined = _links(plot, (only | slots.keys()) & plot.columns.of.keys())
    ends = list(dict.fromkeys((slots.get(a, a), slots.get(b, b)) for a, b in joined))
    known = _heights(plot, like) if like else None
    own = tiers(plot, sorted(only)) if apart else None
    named = plot.columns.headings
    if idle:
        column, named = _with_idle(plot, column, named, idle)
        labels[IDLE] = NOTHING
    comes = _since(frames, guests, slots) | dict.fromkeys(known or {}, 0)
    asked = [*plot.cast.questions, *order]
    seen = _seen(plot, column.keys() | slots)
    drawn = [(slots.get(a, a), slots.get(b, b)) for a, b in seen]
    places = staggered(column, labels, ends, rows, asked, known, own, comes, drawn)
    found = headings(column, places, named)
    places |= {name: places[slot] for name, slot in slots.items()}
    empty = places.get(IDLE)
    places = {name: place for name, place in places.items() if name in plot.columns.of}
    always = frozenset(only) - {name for names in guests.aside.values() for name in names}
    cut = cuts(plot, sorted(only)) if apart else []
    view = _view(plot, places, found, _groups(plot, always, places), 0, guests, cut)
    for band in view["bands"]:
        if empty and band["left"] <= empty[0] < band["right"]:
            since = _ends(plot, idle[0])
            band["empty"] = {"told": NOTHING, "x": round(empty[0], 1), "since": since}
    return view


def _with_idle(
    plot: Plot, column: Mapping[str, int], named: Mapping[int, str], idle: Sequence[str]
) -> tuple[dict[str, int], dict[int, str]]:
    """Columns and their headings with one for the rounds `idle`, right of all but ghosts."""
    last = max((at for name, at in column.items() if name not in plot.ghosts), default=0)
    heading = ranged(idle[0], idle[-1])
    moved = {name: 2 * at for name, at in column.items()} | {IDLE: 2 * last + 1}
    return moved, {2 * at: name for at, name in named.items()} | {2 * last + 1: heading}


def _since(frames: Sequence[Frame], guests: Guests, slots: Mapping[str, str]) -> dict[str, int]:
    """The step with which each node comes, and that of the first guest of each of `slots`."""
    found: dict[str, int] = {}
    for now in frames:
        for name in now.roles:
            found.setdefault(name, now.t)
    for t, names in sorted(guests.at.items()):
        for name in names:
            if name in slots:
                found.setdefault(slots[name], t)
    return found


def _ends(plot: Plot, name: str) -> int:
    """The last step of a round."""
    rounds = (label.t for label in names_of(plot.steps) if label.round == name)
    return max(rounds, default=len(plot.steps))


def _heights(plot: Plot, view: ViewData) -> dict[str, float]:
    """The y of the nodes of a view whose column is not cut into several."""
    places = {plot.cast.names[int(key)]: place for key, place in view["places"].items()}
    xs: dict[int, set[float]] = {}
    for name, (x, _) in places.items():
        xs.setdefault(plot.columns.of[name], set()).add(x)
    return {name: y for name, (_, y) in places.items() if len(xs[plot.columns.of[name]]) == 1}


def everything(plot: Plot, shown: AbstractSet[str]) -> ViewData:
    """All of `shown`, in columns that are as wide as they have to be."""
    column = {name: at for name, at in plot.columns.of.items() if name in shown}
    places = layered(column, _links(plot, column.keys()))
    found = bands(column, places, plot.columns.headings)
    return _view(plot, places, found, [], len(plot.columns.of) - len(column))


def _view(
    plot: Plot,
    places: dict[str, Place],
    found: Sequence[Band],
    counted: list[GroupData],
    left_out: int,
    guests: Guests = NOBODY,
    cut: Sequence[CutData] = (),
) -> ViewData:
    keys = plot.cast.key
    rounded = {name: (round(x, 1), round(y, 1)) for name, (x, y) in places.items()}
    columns: list[BandData] = [
        {"label": band.label, "left": round(band.left, 1), "right": round(band.right, 1)}
        for band in found
    ]
    # That gold is never seen is told when what is drawn of it comes.
    for band in columns:
        if band["label"] in _haunted(plot):
            band["since"] = plot.haunted_from
    return {
        "places": {keys[n]: place for n, place in rounded.items() if n not in guests.slots},
        "guests": {keys[n]: rounded[n] for n in guests.slots},
        "bands": columns,
        "cuts": list(cut),
        "groups": counted,
        "left_out": left_out,
    }


def _haunted(plot: Plot) -> set[str]:
    """The headings of columns in which ghosts stand alone."""
    named, of = plot.columns.headings, plot.columns.of
    others = {named.get(at) for name, at in of.items() if name not in plot.ghosts}
    return {named[of[name]] for name in plot.ghosts} - others


def _groups(plot: Plot, shown: frozenset[str], places: dict[str, Place]) -> list[GroupData]:
    """Each below its column, be it one of guests alone."""
    found: list[GroupData] = []
    for column, label, names in groups(plot, shown, places.keys()):
        xs = [place[0] for name, place in places.items() if plot.columns.of[name] == column]
        x = round(min(xs, default=0.0), 1)
        found.append({"label": label, "x": x, "nodes": plot.cast.numbers(names)})
    return found


def capped(plot: Plot) -> AbstractSet[str]:
    """What is drawn of all: what was reached, gold and ghosts, and then what was only on offer, in
    order of time, up to `CAP`.
    """
    column, gold = plot.columns.of, plot.cast.gold.keys() | plot.ghosts
    lists = [step for step in plot.steps if isinstance(step, Offered) and not step.entry]
    offered = {offer.target for step in lists for offer in step.offers}
    taken = {offer.target for step in lists for offer in step.taken}
    always = {*reached_at(plot.steps), *taken, *(column.keys() - offered), *gold} & column.keys()
    if plot.spreads:  # what is in the result alone is joined to nothing there
        always &= _spoken_of(plot) | gold
    ordered = [*(n for n in column if n in always), *(n for n in column if n not in always)]
    if plot.spreads:
        ordered = [name for name in ordered if name in always or name in offered]
    return {*ordered[:CAP], *(gold & column.keys())}


def _spoken_of(plot: Plot) -> set[str]:
    """Every node of a list or an iteration, and what is no passage."""
    lists = (step.offers for step in plot.steps if isinstance(step, Offered))
    spreads = (step.hits for step in plot.steps if isinstance(step, Spread))
    found = {offer.target for offers in lists for offer in offers} | set(plot.cast.things)
    return found | {hit.passage_id for hits in spreads for hit in hits}


def _links(plot: Plot, shown: AbstractSet[str]) -> list[tuple[str, str]]:
    """From where each line was looked at to where it leads, those that were followed first."""
    lines = [line for line in plot.cast.lines if {line.source, line.target} <= shown]
    return [_direction(line) for line in sorted(lines, key=_followed_first)]


def _seen(plot: Plot, shown: AbstractSet[str]) -> list[tuple[str, str]]:
    """Of the graph's lines the first that was followed to each node, and of the others those that
    were followed, or join two columns.
    """
    lines = [line for line in plot.cast.lines if {line.source, line.target} <= shown]
    first: dict[str, tuple[str, str]] = {}
    taken = (line for line in lines if line.of_graph and line.taken is not None)
    for line in sorted(taken, key=_followed_first):
        first.setdefault(_direction(line)[1], _direction(line))
    of, others = plot.columns.of, [line for line in lines if not line.of_graph]
    told = (one for one in others if one.taken is not None or of[one.source] != of[one.target])
    return [*first.values(), *map(_direction, told)]


def _followed_first(line: DrawnLine) -> tuple[bool, int]:
    return line.taken is None, line.taken or line.offered


def _direction(line: DrawnLine) -> tuple[str, str]:
    return (line.target, line.source) if line.backwards else (line.source, line.target)
