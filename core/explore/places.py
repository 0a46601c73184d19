"""Places of a neighbourhood in columns, the same for the same view.

The centre stands in the middle, what leads to it on the left, what it leads to on the right, and
farther out what is behind them. A unit is a pixel before the drawing is stretched to its frame.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar

from core.drawing.layout import Band, Place
from core.explore.focus import Focus

ROW = 30.0
COLUMN = 190.0
SUBCOLUMN = 110.0
ROWS = 21
"""Rows of a column before it is made wider."""
_FARTHEST = 400
"""Sub-columns that are looked through for a free row: more than any cap needs."""

Key = TypeVar("Key")
Slot = tuple[int, int, int]
"""A column, a sub-column in it counted from the centre, and a row; rows are 0 in the middle."""


@dataclass(slots=True)
class Columns:
    """Gives each passage the free row that is nearest to the one it is reached from."""

    slots: dict[str, Slot] = field(default_factory=dict)
    apart: int = 1
    """Rows from one to the next beside the centre: names stand between where lines leave."""

    def add(self, seen: Focus) -> None:
        """Give places to those of `seen` that have none; nobody is moved."""
        taken = set(self.slots.values())
        if not taken and any(seen.distance[name] > 1 for name in seen.drawn):
            self.apart = 2
        for name in seen.drawn:
            if name not in self.slots:
                self.slots[name] = slot = self._free(seen, name, taken)
                taken.add(slot)

    def add_counts(self, seen: Focus) -> dict[tuple[str, int], Slot]:
        """Where it is counted who is hidden behind a passage, on each of its sides."""
        taken, found = set(self.slots.values()), {}
        for name, members in seen.hidden.items():
            for side in sorted({seen.sides[member] for member in members}):
                beside = self.slots[name][2]
                slot = self._nearest(self.slots[name][0] + side, beside, taken)
                taken.add(slot)
                found[name, side] = slot
        return found

    def _free(self, seen: Focus, name: str, taken: set[Slot]) -> Slot:
        parent = seen.parents.get(name)
        if parent is None:
            return (0, 0, 0)
        column, _, row = self.slots[parent]
        return self._nearest(column + seen.sides[name], row, taken)

    def _nearest(self, column: int, beside: int, taken: set[Slot]) -> Slot:
        half = ROWS // 2
        apart = self.apart if abs(column) == 1 else 1
        rows = [row for row in range(-half, half + 1) if row % apart == 0]
        rows.sort(key=lambda row: (abs(row - beside), row))
        free = (
            (column, sub, row)
            for sub in range(_FARTHEST)
            for row in rows
            if (column, sub, row) not in taken
        )
        return next(free)


def in_columns(steps: Iterable[Focus]) -> Columns:
    """The columns of a view that came to be in `steps`, each of which moves nobody before it."""
    columns = Columns()
    for seen in steps:
        columns.add(seen)
    return columns


def on_canvas(slots: Mapping[Key, Slot]) -> dict[Key, Place]:
    """x and y of slots, by what they are called."""
    starts = _starts(slots.values())
    return {
        name: (starts[column] + (-1 if column < 0 else 1) * sub * SUBCOLUMN, row * ROW)
        for name, (column, sub, row) in slots.items()
    }


def headings(slots: Sequence[Slot]) -> tuple[Band, ...]:
    """The columns with what they hold, side by side without a gap."""
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
        Band(_heading(column), left, right)
        for column, left, right in zip(found, cuts, cuts[1:], strict=False)
    )


def _heading(column: int) -> str:
    if abs(column) < 2:
        return {-1: "Leads in", 0: "Centre", 1: "Leads out"}[column]
    return f"{abs(column)} hops away"


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
