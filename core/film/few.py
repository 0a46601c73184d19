"""How few nodes are drawn one by one: as many as have room with their names."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from textwrap import wrap

from core.drawing.staggered import ROWS as FOCUS_ROWS
from core.film.focus import MOST, ON_STAGE, READ, focused, spread
from core.film.guests import FEW, LEAST, Guests, invited
from core.film.leading import leading
from core.film.played import Played
from core.film.plot import Plot, folded
from core.film.sentences import named
from core.film.slots import Slot

STAGE_COLUMNS, STAGE_ROWS = 4, 8
"""Where letters are large, or there is little room."""
TALL = 330
"""Pixels of a column there."""
A_ROW, CHIPS = 3, 40
"""Gold whose chips stand in a row above it, and pixels of a second row."""
SHELF = 50
"""Pixels of the shelf on which stands what was never seen."""
LETTERS, LINE, ROW, LARGE = 46, 19, 36, 42
"""Letters of a line in all columns; pixels of a line, of a row, and of one whose node grows."""
MOST_LINES = 3
"""Of a name."""
ON_PAGE = 3
"""Guests in a column at a time where there is more room."""
FEWEST = 5
"""Passages that are drawn there at least."""


@dataclass(frozen=True, slots=True)
class Few:
    """What is drawn of `plot` in a view of what matters: `always`, and `guests` at their steps."""

    plot: Plot
    always: tuple[str, ...]
    guests: Guests

    @property
    def columns(self) -> int:
        """In how many that stands."""
        of = self.plot.columns.of
        return len({of[n] for n in self.always} | {at for at, _ in self.guests.slots.values()})

    @property
    def idle(self) -> Sequence[str]:
        """The rounds that have a column although nothing stands in it."""
        return self.plot.idle if self.columns < STAGE_COLUMNS else ()

    @property
    def narrow(self) -> bool:
        """Whether so many columns are drawn that names have little room."""
        return self.columns + bool(self.idle) >= STAGE_COLUMNS

    @property
    def pixels(self) -> Counter[int]:
        """About how tall each column is where names are large, and ghosts stand on a shelf."""
        cast, of = self.plot.cast, self.plot.columns.of
        haunted = {of[name] for name in self.plot.ghosts} if self.plot.haunted else set[int]()
        across = max(1, self.columns - len(haunted) + bool(self.idle))
        least, apart = (LARGE, 12) if self.plot.spreads else (ROW, 4)
        rows: dict[Slot, int] = {}
        for place, name in enumerate((*self.always, *self.guests.slots)):
            slot = self.guests.slots.get(name, (of[name], -1 - place))
            lines = min(MOST_LINES, len(wrap(cast.title(name), LETTERS // across)))
            rows[slot] = max(least, LINE * lines + apart, rows.get(slot, 0))
        columns = Counter[int]()
        for (column, _), pixels in rows.items():
            columns[column] += pixels * (column not in haunted)
        return columns

    @property
    def lengths(self) -> Counter[int]:
        """Rows of each column; one that stands alone has room for two beside each other."""
        of = Counter(self.plot.columns.of[name] for name in self.always)
        of.update(column for column, _ in set(self.guests.slots.values()))
        return Counter({at: -(-rows // 2) for at, rows in of.items()}) if len(of) == 1 else of

    @property
    def tall(self) -> int:
        return max(self.pixels.values(), default=0)

    @property
    def rows(self) -> int:
        return max(self.lengths.values(), default=0)


def _few(
    plot: Plot,
    played: Played,
    most: int,
    full: int,
    about: Sequence[str],
    at_once: int | None = None,
    said: Mapping[int, Sequence[str]] | None = None,
) -> Few:
    always = focused(plot, most, about)
    return Few(plot, always, invited(plot, played.at, always, most, full, at_once, said))


def _spread(
    plot: Plot,
    played: Played,
    most: int,
    rows: int,
    about: Sequence[str],
    tall: float = inf,
    said: Mapping[int, Sequence[str]] | None = None,
) -> Few:
    """Of what spreads, with columns of at most so many `rows`, and no more than `tall` pixels; if
    need be with fewer guests at a time.
    """
    led = leading(plot)
    gold = Counter(plot.columns.of[name] for name in plot.cast.gold if name in plot.columns.of)
    least = gold + Counter(plot.columns.of[name] for name in led)
    for at_once, own_rows in (*((n, least) for n in (READ, LEAST, FEW, 1)), (1, gold)):
        full = Counter(dict.fromkeys(plot.columns.of.values(), rows))
        while True:
            always = spread(plot, full, led, about)
            few = Few(plot, always, invited(plot, played.at, always, most, most, at_once, said))
            over = {at for at, pixels in few.pixels.items() if pixels > tall}
            over |= {at for at, own in few.lengths.items() if own > rows}
            if not over:
                return few
            if not (over := {at for at in over if full[at] > max(1, own_rows[at])}):
                break
            full.subtract(over)
    return few


def _counted(plot: Plot) -> bool:
    """Whether it has more columns than ghosts leave, the last of which are rounds, told apart by
    their numbers.
    """
    numbers, headings = sorted(set(plot.columns.of.values())), plot.columns.headings
    last = {re.sub(r"s? \d+.*", "", headings[at]) for at in numbers[-2:]}
    return len(numbers) >= STAGE_COLUMNS and len(last) == 1


def on_page(plot: Plot, played: Played, about: Sequence[str]) -> Few:
    """With so many passages that none of several columns is cut in two; those first that a show is
    `about`.
    """
    if plot.spreads:
        return _spread(plot, played, MOST, FOCUS_ROWS, about)
    full = MOST - len(plot.ghosts)  # which come in the end
    found = (_few(plot, played, most, full, about, ON_PAGE) for most in range(MOST, ON_STAGE, -5))
    fits = (one for one in found if not one.narrow or one.rows <= FOCUS_ROWS)
    return next(fits, _few(plot, played, ON_STAGE, full, about, ON_PAGE))


def on_stage(plot: Plot, played: Played, ending: str, about: Sequence[str]) -> Few:
    """With few columns, and with so many passages that none is too long for its names, those first
    that a show is `about`; `ending` is the last sentence.
    """
    tall = TALL - CHIPS * (len(plot.cast.gold) > A_ROW) - SHELF * plot.haunted
    if plot.spreads:
        few = folded(plot, STAGE_COLUMNS - (not plot.haunted))
        said = named(few, played.at, ending)
        return _spread(few, played, ON_STAGE, STAGE_ROWS, about, tall, said)
    few = folded(plot, STAGE_COLUMNS)
    if not few.haunted and _counted(few):
        few = folded(plot, STAGE_COLUMNS - 1)
    said = named(plot, played.at, ending)
    for most in range(ON_STAGE, FEWEST, -1):
        for at_once in (LEAST, FEW, 1):
            found = _few(few, played, most, ON_STAGE, about, at_once, said)
            if found.rows <= STAGE_ROWS and found.tall <= tall:
                return found
    return _few(few, played, FEWEST, ON_STAGE, about, 1, said)
