"""Places of a neighbourhood in columns, the same for the same view.

The centre stands in the middle, what leads to it on the left, what it leads to on the right, and
farther out what is behind them: a tree to either side, whose branches never cross. A unit is a
pixel before the drawing is fitted to its frame.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar

from core.drawing.layout import Band, Place
from core.explore.focus import Focus

ROW = 30.0
COLUMN = 190.0
SUBCOLUMN = 110.0
ROWS = 40
"""Passages of a column before it is made wider."""

Key = TypeVar("Key")
Slot = tuple[int, int, float]
"""A column, a sub-column in it counted from the centre, and a row; the centre has row 0."""


@dataclass(slots=True)
class Columns:
    """Gives each passage a row beside the one it is reached from."""

    slots: dict[str, Slot] = field(default_factory=dict)

    def add(self, seen: Focus) -> None:
        """Give places to those of `seen` that have none; nobody is moved."""
        if self.slots:
            self._insert(seen)
            return
        self.slots = _as_trees(seen)
        for column in {column for column, _, _ in self.slots.values()}:
            self._wrap(column)

    def add_counts(self, seen: Focus) -> dict[tuple[str, int], Slot]:
        """Where it is counted who is hidden behind a passage, on each of its sides.

        Who is hidden behind the centre is counted below its neighbours, all others beside the
        passage they are behind.
        """
        found = {}
        for name, members in seen.hidden.items():
            for side in sorted({seen.sides[member] for member in members}):
                column, sub, row = self.slots[name]
                below = [at for where, _, at in self.slots.values() if where == side]
                found[name, side] = (
                    (column, sub, row) if column else (side, 0, max(below, default=-1.0) + 1)
                )
        return found

    def _insert(self, seen: Focus) -> None:
        """Who is new comes below those reached from the same passage, above the next of others."""
        fresh: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        for name in seen.drawn:
            if name not in self.slots:
                fresh[seen.parents[name], seen.sides[name]].append(name)
        # The drawn are in the order of their distance: a parent has its place before its children.
        for (parent, side), names in fresh.items():
            column = self.slots[parent][0] + side
            beside = [
                self.slots[name][2]
                for name, above in seen.parents.items()
                if above == parent and name in self.slots and self.slots[name][0] == column
            ]
            after = max(beside, default=self.slots[parent][2] - 0.5)
            rows = [row for where, _, row in self.slots.values() if where == column and row > after]
            step = (min(rows, default=after + len(names) + 1) - after) / (len(names) + 1)
            for number, name in enumerate(names, start=1):
                self.slots[name] = (column, 0, after + number * step)

    def _wrap(self, column: int) -> None:
        """Make a column of more than `ROWS` as wide as it has to be, in the same order."""
        own = [name for name, (where, _, _) in self.slots.items() if where == column]
        if len(own) <= ROWS:
            return
        own.sort(key=lambda name: self.slots[name][2])
        wide = -(-len(own) // ROWS)
        middle = (-(-len(own) // wide) - 1) / 2
        for number, name in enumerate(own):
            row, sub = divmod(number, wide)
            self.slots[name] = (column, sub, row - middle)


def in_columns(steps: Iterable[Focus]) -> Columns:
    """The columns of a view that came to be in `steps`, each of which moves nobody before it."""
    columns = Columns()
    for seen in steps:
        columns.add(seen)
    return columns


def _as_trees(seen: Focus) -> dict[str, Slot]:
    """A row to each that leads no farther, the strongest first; the others in the middle of theirs.

    Both trees have their middle at row 0.
    """
    behind: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for name in seen.drawn[1:]:
        behind[seen.parents[name], seen.sides[name]].append(name)
    centre, slots = seen.drawn[0], {}

    def lay(name: str, side: int, column: int, top: float) -> float:
        """Give rows from `top` on to a passage and all behind it; the row that is free then."""
        below = top
        for child in behind[name, side]:
            below = lay(child, side, column + side, below)
        slots[name] = (column, 0, (top + max(below, top + 1) - 1) / 2)
        return max(below, top + 1)

    for side in (-1, 1):
        tall = lay(centre, side, 0, 0.0)
        for name, (column, sub, row) in slots.items():
            if column * side > 0:
                slots[name] = (column, sub, row - (tall - 1) / 2)
    return {**slots, centre: (0, 0, 0.0)}


def on_canvas(slots: Mapping[Key, Slot]) -> dict[Key, Place]:
    """x and y of slots, by what they are called."""
    starts = _starts(slots.values())
    return {
        name: (starts[column] + (-1 if column < 0 else 1) * sub * SUBCOLUMN, row * ROW)
        for name, (column, sub, row) in slots.items()
    }


def turns(slots: Mapping[str, Slot], seen: Focus) -> dict[int, set[int]]:
    """By column how the edges that its passages are reached by run: -1 inward, 1 outward."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for name, edge in seen.ways.items():
        found[slots[name][0]].add(-1 if edge.source == name else 1)
    return dict(found)


def headings(slots: Sequence[Slot], ways: Mapping[int, Collection[int]]) -> tuple[Band, ...]:
    """The columns with what they hold, side by side without a gap; `ways` are their `turns`."""
    starts = _starts(slots)
    wide = _widths(slots)
    found = sorted({column for column, _, _ in slots})
    ends = {}
    for column in found:
        outer = starts[column] + _sign(column) * (wide[column] - 1) * SUBCOLUMN
        ends[column] = sorted((starts[column], outer))
    cuts = [(ends[left][1] + ends[right][0]) / 2 for left, right in pairwise(found)]
    if found:
        cuts = [ends[found[0]][0] - COLUMN / 2, *cuts, ends[found[-1]][1] + COLUMN / 2]
    return tuple(
        Band(_heading(column, ways.get(column, ())), left, right)
        for column, left, right in zip(found, cuts, cuts[1:], strict=False)
    )


def _heading(column: int, ways: Collection[int]) -> str:
    """Next to the centre the side says how edges run; farther out they may turn."""
    if abs(column) < 2:
        return {-1: "Edges in", 0: "Centre", 1: "Edges out"}[column]
    if len(ways) > 1:
        return f"{abs(column)} hops, first an edge {'in' if column < 0 else 'out'}"
    return f"{abs(column)} hops, all edges {'out' if 1 in ways else 'in'}"


def _sign(column: int) -> int:
    return -1 if column < 0 else 1


def _widths(slots: Iterable[Slot]) -> Counter[int]:
    """Sub-columns of each column."""
    wide: Counter[int] = Counter()
    for column, sub, _ in slots:
        wide[column] = max(wide[column], sub + 1)
    return wide


def _starts(slots: Iterable[Slot]) -> dict[int, float]:
    """The x of each column's sub-column next to the centre."""
    wide = _widths(slots)
    starts = {0: 0.0}
    for sign in (-1, 1):
        x = 0.0
        for distance in range(1, max((abs(column) for column in wide), default=0) + 1):
            inner = sign * (distance - 1)
            x += COLUMN + max(wide[inner] - 1, 0) * SUBCOLUMN
            starts[sign * distance] = sign * x
    return starts
