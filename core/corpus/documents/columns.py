"""Pages of a PDF in two columns that are drawn row by row, across both of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

_NEAR = 2.0  # points by which the lines of a column begin apart
_MIDDLE = (0.35, 0.65)  # of the page's width, where the right column begins
_ROWS = 4  # that have text in both columns, at least
_SHARE = 0.3  # of all rows
_LONG = 15  # characters of an average line; cells of tables are shorter
_LETTER = 0.45  # width of a letter, in sizes of the font


@dataclass(frozen=True, slots=True)
class Piece:
    """Text that is drawn at once: `x` and `y` in points from the lower left corner."""

    text: str
    size: float
    bold: bool
    x: float
    y: float

    @property
    def end(self) -> float:
        """Estimated right edge, in points."""
        return self.x + _LETTER * self.size * len(self.text.strip())


Row = list[Piece]


def in_columns(pieces: Sequence[Piece]) -> list[Row] | None:
    """Return the lines of a page column by column, or None if it needs no other order.

    A line across both columns stands between what is above and below it.
    """
    filled = [each for each in pieces if each.text.strip()]
    rows = list(_rows(filled))
    split = _split(rows, filled)
    if split is None or not _is_interleaved(filled, split):
        return None
    ordered: list[Row] = []
    left: list[Row] = []
    right: list[Row] = []
    for row in rows:
        before = [each for each in row if each.x < split - _NEAR]
        behind = [each for each in row if each.x >= split - _NEAR]
        across = bool(before) and before[-1].end > split + 2 * before[-1].size
        if across:
            ordered += [*left, *right, row]
            left, right = [], []
            continue
        left += [before] if before else []
        right += [behind] if behind else []
    return [*ordered, *left, *right]


def _rows(pieces: Sequence[Piece]) -> Iterator[Row]:
    """Yield the text of each line, from top to bottom and left to right."""
    row: Row = []
    for piece in sorted(pieces, key=lambda each: (-each.y, each.x)):
        if row and row[0].y - piece.y > 0.4 * max(piece.size, row[0].size):
            yield sorted(row, key=lambda each: each.x)
            row = []
        row.append(piece)
    if row:
        yield sorted(row, key=lambda each: each.x)


def _split(rows: Sequence[Row], pieces: Sequence[Piece]) -> float | None:
    """Return the x-coordinate of the right column, or None without two columns of running text."""
    if len(rows) < _ROWS:
        return None
    first, last = min(each.x for each in pieces), max(each.end for each in pieces)
    low, high = (first + share * (last - first) for share in _MIDDLE)
    starts = Counter(
        start
        for row in rows
        for start in {round(each.x) for each in row[1:] if low <= each.x <= high}
    )
    if not starts:
        return None
    split = float(starts.most_common(1)[0][0])
    sides = []
    for row in rows:
        behind = [each for each in row if abs(each.x - split) <= _NEAR]
        before = [each for each in row if each.x < split - _NEAR]
        if before and behind and before[-1].end <= split + before[-1].size:
            after = [each for each in row if each.x >= split - _NEAR]
            sides.append((_length(before), _length(after)))
    if len(sides) < max(_ROWS, _SHARE * len(rows)):
        return None
    averages = [sum(lengths) / len(sides) for lengths in zip(*sides, strict=True)]
    return split if min(averages) >= _LONG else None


def _length(pieces: Sequence[Piece]) -> int:
    return sum(len(each.text.strip()) for each in pieces)


def _is_interleaved(pieces: Sequence[Piece], split: float) -> bool:
    """Return whether drawing changes to the right column again and again."""
    sides = [each.x >= split - _NEAR for each in pieces]
    return sum(right and not before for before, right in pairwise(sides)) >= _ROWS
