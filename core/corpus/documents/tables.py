"""Tables of documents as text: a line for each row, which says what each of its cells is."""

from collections.abc import Iterable, Iterator, Sequence

from core.corpus.omissions import count
from core.text.clean import one_line
from core.text.table_rows import labelled, unlabelled

_HEADER_WORDS = 8
Rows = Sequence[Sequence[str]]


def table_text(rows: Rows, *, header: bool | None = None, likely: bool = False) -> str:
    """Return a table row by row: "Mill: Orrin; Built: 1790." under headers, else "Orrin | 1790".

    Each row is a paragraph, as it is a statement of its own.

    A row of one cell is a line of its own, as a caption is.

    Parameters
    ----------
    rows : the cells of each row; a cell that spans rows is repeated in each of them.
    header : whether the first row of several cells holds the headers of the columns. If it is
        None, it does where its cells are short texts and a column below has numbers only.
    likely : whether short texts alone make a first row of three or more cells the headers.

    Examples
    --------
    >>> table_text([["Mill", "Owner", "Built"], ["Orrin", "Ada Finch", "1790"]])
    'Mill: Orrin; Owner: Ada Finch; Built: 1790.'
    >>> table_text([["Born", "1815"], ["Died", "1852"]])
    'Born: 1815.\\n\\nDied: 1852.'
    """
    filled = [cells for row in rows if any(cells := [one_line(cell) for cell in row])]
    wide = [row for row in filled if len(row) > 1]
    body = wide[1:]
    guessed = header is None and bool(wide) and _has_headers(wide[0], body, likely)
    count("table{s} whose first row was read as column headers", guessed)
    under = body and (header or guessed)
    paired = body and all(len(row) == 2 and row[0] for row in wide) and _are_labels(wide)
    lines = []
    for row in filled:
        if len(row) == 1:
            lines.append(row[0])
        elif under:
            lines += [] if row is wide[0] else [_under(wide[0], row)]
        elif paired:
            lines.append(labelled([(row[0], row[1])]))
        else:
            lines.append(unlabelled(row))
    return "\n\n".join(lines)


def _has_headers(first: Sequence[str], body: Rows, likely: bool) -> bool:
    """Guess whether the first row has column headers: short texts above a column of numbers.

    In a table of two columns, the second must contain the numbers.
    """
    if not body or len(first) < 2 or len(set(first)) < len(first):
        return False
    if not all(cell and _is_label(cell) for cell in first):
        return False
    if len(first) > 2 and likely:
        return True
    columns = range(len(first)) if len(first) > 2 else range(1)
    return any(all(_is_number(row[n]) for row in body if n < len(row)) for n in columns)


def _are_labels(rows: Rows) -> bool:
    """Return whether the first of two columns labels the second."""
    return all(_is_label(row[0]) for row in rows) and len({row[0] for row in rows}) == len(rows)


def _is_label(cell: str) -> bool:
    return len(cell.split()) <= _HEADER_WORDS and any(map(str.isalpha, cell))


def _is_number(cell: str) -> bool:
    return any(map(str.isdigit, cell)) and sum(map(str.isalpha, cell)) <= 3


def _under(headers: Sequence[str], row: Sequence[str]) -> str:
    named = [*headers, *[""] * (len(row) - len(headers))]
    return labelled((label, cell) for label, cell in zip(named, row, strict=False) if cell)


Cell = tuple[str, int, int]
"""Text of a cell, and how many columns and rows it spans."""


def expand_spans(rows: Iterable[Sequence[Cell]]) -> Iterator[list[str]]:
    """Yield the cells of each row, with a cell that spans rows repeated in each of them.

    A cell that spans columns is not repeated.
    """
    above: dict[int, Cell] = {}  # by column, with the rows that are still to come
    for row in rows:
        here: dict[int, Cell] = {}
        place = 0
        for cell in row:
            while place in above:
                here[place] = above.pop(place)
                place += max(1, here[place][1])
            here[place] = cell
            place += max(1, cell[1])
        here |= above
        yield [here[at][0] for at in sorted(here)]
        above = {at: (text, wide, left - 1) for at, (text, wide, left) in here.items() if left > 1}
