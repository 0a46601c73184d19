"""A study's results as a table: rows are retrievers, columns measures by group of questions."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.studies.definition import COSTS, SIMILARITIES, Paper, View
from core.studies.results import Cell, Line, Results, cell_of, groups_of


@dataclass(frozen=True, slots=True)
class Head:
    """A column: a measure over the questions of a `group`, or over all where that is empty."""

    measure: str
    group: str = ""

    def __str__(self) -> str:
        """Group and measure, as papers head their columns.

        >>> str(Head("R@5", "HotpotQA")), str(Head("R@5"))
        ('HotpotQA R@5', 'R@5')
        """
        return f"{self.group} {self.measure}".strip()


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a line; `best` says of each whether no other line is better."""

    line: Line
    cells: tuple[Cell, ...]
    best: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """`field_name` is the field by which the questions are grouped."""

    heads: tuple[Head, ...]
    rows: tuple[Row, ...]
    field_name: str = ""


@dataclass(frozen=True, slots=True)
class PaperLine:
    """A system of a paper with its published numbers, and the line of the study beside it.

    `here` are the cells of that line; none where there is no line.
    """

    system: str
    values: tuple[float | None, ...]
    line: Line | None
    here: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class PaperTable:
    """Published numbers beside the study's own; `heads` are the columns of the study."""

    paper: Paper
    heads: tuple[Head, ...]
    lines: tuple[PaperLine, ...]


def table_of(results: Results, view: View) -> Table:
    """Return the table of a view; all questions are the first group."""
    groups = ("", *groups_of(results, view.by))
    columns = {
        Head(measure, group): [cell_of(line, measure, view.by, group) for line in results.lines]
        for group in groups
        for measure in view.measures
    }
    # Questions without gold have no recall, and without a model there are no answers.
    columns = {head: cells for head, cells in columns.items() if any(cell.n for cell in cells)}
    best = [_best(cells, head) for head, cells in columns.items()]
    rows = tuple(
        Row(
            line,
            tuple(cells[number] for cells in columns.values()),
            tuple(number in some for some in best),
        )
        for number, line in enumerate(results.lines)
    )
    return Table(tuple(columns), rows, view.by)


def _best(column: Sequence[Cell], head: Head) -> set[int]:
    """Return the numbers of the rows with the best mean, as printed; none if all are alike.

    The best cost is the lowest above 0: a retriever without lists or calls is not the most
    economical of those that have some. No time is best: it differs by more from one run to the
    next than between most settings.
    """
    known = {n: round(one.mean, 3) for n, one in enumerate(column) if one.mean is not None}
    is_cost = head.measure in COSTS
    if is_cost:
        known = {n: mean for n, mean in known.items() if mean}
    if head.measure in ("seconds", *SIMILARITIES) or len(set(known.values())) < 2:
        return set()
    best = min(known.values()) if is_cost else max(known.values())
    return {n for n, mean in known.items() if mean == best}


def paper_table(results: Results, paper: Paper) -> PaperTable:
    """Return a paper's numbers beside those of the study, with NaN as None."""
    groups = groups_of(results, paper.by) or ("",)
    heads = [Head(measure, group) for group in groups for measure in paper.here]
    measured = [results.line_of(row) for row in paper.rows]
    known = [line for line in measured if line]
    heads = [
        head
        for head in heads
        if any(cell_of(line, head.measure, paper.by, head.group).n for line in known)
    ]
    lines = []
    for row, line in zip(paper.rows, measured, strict=True):
        cells = (
            [cell_of(line, head.measure, paper.by, head.group) for head in heads] if line else []
        )
        values = tuple(None if math.isnan(value) else value for value in row.values)
        lines.append(PaperLine(row.system, values, line, tuple(cells)))
    return PaperTable(paper, tuple(heads), tuple(lines))


def decimals_of(paper: Paper) -> tuple[int, ...]:
    """Return the decimals of each published column: those of its most precise number."""
    return tuple(
        max((_decimals(row.values[at]) for row in paper.rows), default=0)
        for at in range(len(paper.columns))
    )


def _decimals(value: float) -> int:
    return 0 if math.isnan(value) else len(f"{value:.10g}".partition(".")[2])


def grouped(columns: Sequence[str], group: str) -> list[tuple[str, str]]:
    """Split columns into their group, which is their first word if several share it, and the rest.

    Parameters
    ----------
    group : of the columns that share no first word.

    >>> grouped(["2Wiki EM", "2Wiki F1", "Seconds"], "Published")
    [('2Wiki', 'EM'), ('2Wiki', 'F1'), ('Published', 'Seconds')]
    """
    parts = [name.partition(" ") for name in columns]
    shared = Counter(first for first, _, rest in parts if rest)
    return [
        (first, rest) if rest and shared[first] > 1 else (group, name)
        for name, (first, _, rest) in zip(columns, parts, strict=True)
    ]
