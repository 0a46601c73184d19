"""What the benchmarks print: where it was measured, and tables for the terminal or a README."""

import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from rich.console import Console
from rich.table import Table

_WIDTH = 160


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of texts. The first column names retrievers or figures."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def grid(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Grid:
    return Grid(title, tuple(columns), tuple(tuple(row) for row in rows))


def machine(precision: str) -> str:
    """Date, cores and processor; the embedder's precision says whether it has bfloat16."""
    has = "with" if precision == "bfloat16" else "without"
    kind = f"{platform.machine()} {platform.system()}"
    return f"{date.today()}, {os.cpu_count()} cores, {kind}, {has} bfloat16"


def show(about: str, tables: Iterable[Grid], *, markdown: bool) -> None:
    """Print `about` and the tables to standard output."""
    if markdown:
        print(about, *map(_markdown, tables), sep="\n\n")
        return
    console = Console(width=_WIDTH, markup=False, highlight=False)
    console.print(about)
    for each in tables:
        console.print(_rich(each))


def _markdown(shown: Grid) -> str:
    ruler = ["---"] * len(shown.columns)
    lines = map(_line, (shown.columns, ruler, *_once(shown)))
    return "\n".join((f"**{shown.title}**", "", *lines))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rich(shown: Grid) -> Table:
    table = Table(*shown.columns, title=shown.title, title_justify="left")
    for row in _once(shown):
        table.add_row(*row)
    return table


def _once(shown: Grid) -> Iterator[tuple[str, ...]]:
    """The rows; a name that stands in the row above is not written again."""
    above = ""
    for name, *cells in shown.rows:
        yield ("" if name == above else name, *cells)
        above = name
