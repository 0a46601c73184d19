"""Places for a few nodes with their labels: columns in which no label runs over another node.

A label stands right of its node, as wide as its text. Nodes of a column stand near what they were
reached from; where a label of a column to the left would run over one, it steps aside.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import numpy as np
from scipy.optimize import isotonic_regression

from core.drawing.layout import Band, Link, Place

WIDTH, HEIGHT = 820.0, 440.0
"""Of the room for nodes and labels, in pixels."""
RADIUS = 12.0
LINE = 19.0
"""Height of a label, with some room."""
LETTER = 6.4
"""Width of a letter at 12 px, on average."""
LETTERS = 28
ROWS = 13
"""Nodes of a column at most, if nothing else is said."""
WIDEST, TALLEST = 250.0, 78.0
"""Between two columns, and between two rows, at most."""
_STEP = 4.0
Neighbours = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Box:
    """A node with its label."""

    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def label_width(text: str) -> float:
    return LETTER * min(len(text), LETTERS)


def box(place: Place, label: str, line: float = LINE) -> Box:
    x, y = place
    right = x + RADIUS + label_width(label) + 4
    return Box(x - RADIUS, right, y - line / 2, y + line / 2)


def staggered(
    columns: Mapping[str, int],
    labels: Mapping[str, str],
    links: Iterable[Link] = (),
    rows: int = ROWS,
    order: Sequence[str] = (),
    like: Mapping[str, float] | None = None,
    tiers: Mapping[str, int] | None = None,
    since: Mapping[str, int] | None = None,
    drawn: Sequence[Link] | None = None,
) -> dict[str, Place]:
    """Places within `WIDTH` and `HEIGHT`, columns from left to right.

    Parameters
    ----------
    columns : the column number of each node; the order breaks ties. Unused numbers are skipped.
    labels : the text beside each node.
    links : (source, target); a node stands near the sources that are in columns to its left.
    rows : nodes of a column at most; more stand in columns side by side.
    order : nodes that stand in this order wherever they are in one column, each above those of its
        column that it is linked to.
    like : the y of nodes in another drawing, which stand here in the same order.
    tiers : of nodes, 0 of what is left out; a lower one stands above a higher one of its column.
    since : when nodes come, 0 of what is left out; who comes first stands above who comes later,
        where no more lines cross then.
    drawn : those of `links` that are to cross little, all if nothing is said.
    """
    links, like, tiers, since = list(links), like or {}, tiers or {}, since or {}
    columns = dict(sorted(columns.items(), key=lambda one: tiers.get(one[0], 0)))
    before, behind = _neighbours(columns, links)
    above = _above(columns, links, order)
    parts = _parts(columns, behind, rows)
    xs = _across(parts, labels)
    row = _rows(parts, before, behind)
    places: dict[str, Place] = {}
    taken: list[Box] = []
    for number, (x, part) in enumerate(zip(xs, parts, strict=True)):
        following = parts[number + 1 : number + 2]
        split = any(columns[one[0]] == columns[part[0]] for one in following)
        wanted = {n: like[n] if n in like else _beside(before.get(n, ()), places) for n in part}
        near = {name: (tiers.get(name, 0), 0, wanted[name], row[name]) for name in part}
        early = {n: (tier, since.get(n, 0), *rest) for n, (tier, _, *rest) in near.items()}
        both = [_kept(sorted(part, key=one.__getitem__), order, above) for one in (early, near)]
        ordered = min(both, key=lambda names: _crossings(names, before, places))
        for name, y in zip(ordered, _apart([wanted[name] for name in ordered]), strict=True):
            places[name] = settled((x, y), labels[name], taken)
            taken.append(box(places[name], labels[name]))
            if split and name in behind:  # its lines go straight past what stands beside it
                taken.append(replace(taken[-1], right=xs[number + 1] + RADIUS))
    seen = links if drawn is None else drawn
    sides, stay = _neighbours(columns, seen), {*like, *order, *above}
    for part in parts:
        if sum(columns[one[0]] == columns[part[0]] for one in parts) > 1:
            continue  # lines go straight past what stands beside them
        free = {name: tiers.get(name, 0) for name in part if name not in stay}
        beside = [(a, b) for a, b in seen if a in free and b in free]
        _uncross(free, sides, beside, places, labels)
    return places


def settled(wanted: Place, label: str, taken: Sequence[Box], *, sideways: bool = False) -> Place:
    """The nearest place to `wanted` whose box meets none of `taken`; `wanted` if there is none."""
    for dx, dy in _moves(sideways):
        place = wanted[0] + dx, wanted[1] + dy
        inside = 0 <= place[0] <= WIDTH and 0 <= place[1] <= HEIGHT
        if inside and not any(box(place, label).meets(other) for other in taken):
            return place
    return wanted


@cache
def _moves(sideways: bool) -> tuple[Place, ...]:
    """Ways to step aside, the shortest first."""
    across = np.arange(0, WIDTH / 3 if sideways else _STEP, 5 * _STEP).tolist()
    down = np.arange(0, HEIGHT, _STEP).tolist()
    moves = {(a * dx, b * dy) for dx in across for dy in down for a in (1, -1) for b in (1, -1)}
    return tuple(sorted(moves, key=lambda move: (abs(move[0]) + abs(move[1]), move)))


def headings(
    columns: Mapping[str, int], places: Mapping[str, Place], names: Mapping[int, str]
) -> tuple[Band, ...]:
    """The columns side by side without a gap; `names` are their headings by number."""
    numbers = sorted(set(columns.values()))
    lefts = [min(places[n][0] for n, c in columns.items() if c == number) for number in numbers]
    cuts = [0.0, *(left - 2 * RADIUS for left in lefts[1:]), WIDTH]
    found: list[Band] = []
    for number, left, right in zip(numbers, cuts, cuts[1:], strict=False):
        label = names.get(number, "")
        if found and found[-1].label == label:
            left = found.pop().left
        found.append(Band(label, left, right))
    return tuple(found)


def _parts(columns: Mapping[str, int], behind: Neighbours, rows: int) -> list[list[str]]:
    """The columns, long ones cut into columns of equal length; what leads on stands right."""
    found = []
    for number in sorted(set(columns.values())):
        names = [name for name, column in columns.items() if column == number]
        if len(names) > rows:
            names.sort(key=lambda name: name in behind)
        wide = -(-len(names) // rows)
        tall = -(-len(names) // wide)
        found += [names[start : start + tall] for start in range(0, len(names), tall)]
    return found


def _across(parts: Sequence[Sequence[str]], labels: Mapping[str, str]) -> list[float]:
    """The x of each column, so that the labels of the last one end within `WIDTH`.

    A column has the more room to its right the more labels there are in it.
    """
    if not parts:
        return []
    last = max(label_width(labels[name]) for name in parts[-1]) + 2 * RADIUS
    room = WIDTH - 2 * RADIUS - last
    shares = np.sqrt([len(part) for part in parts[:-1]])
    widths = np.minimum(WIDEST, room * shares / max(1.0, shares.sum()))
    left = 2 * RADIUS + (room - widths.sum()) / 2
    return [float(left + x) for x in np.cumsum([0.0, *widths])]


def _neighbours(columns: Mapping[str, int], links: Iterable[Link]) -> tuple[Neighbours, Neighbours]:
    """What each node is linked to in columns to its left, and to its right."""
    before: dict[str, list[str]] = {}
    behind: dict[str, list[str]] = {}
    for source, target in links:
        if source in columns and target in columns and columns[source] < columns[target]:
            before.setdefault(target, []).append(source)
            behind.setdefault(source, []).append(target)
    return before, behind


def _rows(
    parts: Sequence[Sequence[str]], before: Neighbours, behind: Neighbours
) -> dict[str, float]:
    """In which order nodes of a column stand, by the mean row of their neighbours.

    Sugiyama, Tagawa and Toda (1981): there to the right and back.
    """
    row = {name: place / len(part) for part in parts for place, name in enumerate(part)}
    for ordered, near in ((parts, before), (list(reversed(parts)), behind)):
        for part in ordered:
            means = {
                name: float(np.mean([row[one] for one in near.get(name, (name,))])) for name in part
            }
            names = sorted(part, key=lambda name: means[name])
            row |= {name: place / len(part) for place, name in enumerate(names)}
    return row


def _crossings(names: Sequence[str], before: Neighbours, places: Mapping[str, Place]) -> int:
    """How many lines to what is placed cross where nodes stand in this order."""
    ends = [[places[n][1] for n in before.get(name, ()) if n in places] for name in names]
    pairs = combinations(ends, 2)
    return sum(one > other for above, below in pairs for one in above for other in below)


def _uncross(
    tiers: Mapping[str, int],
    sides: Sequence[Neighbours],
    beside: Sequence[Link],
    places: dict[str, Place],
    labels: Mapping[str, str],
) -> None:
    """Has nodes of a column, of one of `tiers`, exchange their places where fewer lines cross then
    to the left and to the right, two at a time of those that stand above each other. What is linked
    there stays near, and two that are keep their order. No label comes to lie over another node.

    Gansner, Koutsofios, North and Vo (1993), `transpose`.
    """
    ordered = sorted(tiers, key=lambda name: places[name][1])

    def cost(pair: tuple[str, str], names: Sequence[str]) -> int:
        crossed = sum(_crossings(pair, near, places) for near in sides)
        row = {name: n for n, name in enumerate(names)}
        return crossed + sum(abs(row[a] - row[b]) for a, b in beside)

    for n in _pairs(len(ordered)):
        upper, lower = ordered[n : n + 2]
        other = [*ordered[:n], lower, upper, *ordered[n + 2 :]]
        linked = not {(upper, lower), (lower, upper)}.isdisjoint(beside)
        if tiers[upper] != tiers[lower] or linked:
            continue
        if cost((lower, upper), other) < cost((upper, lower), ordered):
            swapped = {**places, upper: places[lower], lower: places[upper]}
            if _meet_no_more((upper, lower), places, swapped, labels):
                places |= swapped
                ordered = other


def _meet_no_more(
    names: Sequence[str],
    places: Mapping[str, Place],
    then: Mapping[str, Place],
    labels: Mapping[str, str],
) -> bool:
    """Whether the boxes of `names` meet no more others `then` than where they stand now."""

    def met(at: Mapping[str, Place]) -> int:
        own = [(name, box(at[name], labels[name])) for name in names]
        return sum(
            one.meets(box(at[other], labels[other]))
            for name, one in own
            for other in at
            if other != name
        )

    return met(then) <= met(places)


def _pairs(rows: int) -> Iterator[int]:
    """The upper one of each two rows, from the top, as often as there are rows."""
    return (n for _ in range(rows) for n in range(rows - 1))


def _above(
    columns: Mapping[str, int], links: Iterable[Link], order: Sequence[str]
) -> dict[str, str]:
    """By node, which of `order` it is linked to in its own column."""
    found: dict[str, str] = {}
    for source, target in links:
        same = source in columns and columns[source] == columns.get(target)
        if same and source in order and target not in order:
            found.setdefault(target, source)
    return found


def _kept(names: Sequence[str], order: Sequence[str], above: Mapping[str, str]) -> list[str]:
    """The same with those of `order` in it, at the places that they have together, or each above
    what it is linked to.
    """
    ranked = [name for name in dict.fromkeys(order) if name in names]
    if not any(above.get(name) in ranked for name in names):
        turns = iter(ranked)
        return [next(turns) if name in order else name for name in names]
    grouped = {head: [head, *(n for n in names if above.get(n) == head)] for head in ranked}
    found = [name for group in grouped.values() for name in group]
    return [*found, *(name for name in names if name not in found)]


def _beside(parents: Sequence[str], places: Mapping[str, Place]) -> float:
    ys = [places[name][1] for name in parents if name in places]
    return float(np.mean(ys)) if ys else HEIGHT / 2


def _apart(wanted: Sequence[float]) -> list[float]:
    """As near to `wanted`, which ascend, as a distance between any two in a row allows."""
    step = min(TALLEST, HEIGHT / max(1, len(wanted)))
    rows = np.arange(len(wanted)) * step
    ys = isotonic_regression(np.asarray(wanted) - rows).x + rows
    too_high, too_low = min(0.0, ys[0] - step / 2), max(0.0, ys[-1] + step / 2 - HEIGHT)
    return [float(y) for y in ys - too_high - too_low]
