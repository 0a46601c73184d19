"""Rows of tables as lines of text: 'Mill: Orrin; Built: 1790.' under headers, else 'Orrin | 1790'.

Readers of documents write them (`core.corpus.documents.tables`). A row is no sentence: its labels
name no entity, and a question about it names cells and columns instead of quoting it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.text.stop_words import STOP_WORDS

_LABEL_WORDS = 12
# Of a line with one label, which may as well be prose: 'He had one rule: never sail at night.'
_LONE_LABEL_WORDS, _LONE_CELL_WORDS = 4, 12
_LABELLED = re.compile(r"(?P<label>[^:;|\n]{1,120}): (?P<cell>\S.*)", re.DOTALL)
_RULE = re.compile(r"[\s|:+=-]+")
_ENDS = (".", "!", "?")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row: its text is `line[start:end]`, and `label` is the header of its column."""

    label: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def labelled(cells: Iterable[tuple[str, str]]) -> str:
    """Format a row of labels and cells as a line. A cell without a label is written alone.

    >>> labelled([("Mill", "Orrin"), ("Built", "1790")])
    'Mill: Orrin; Built: 1790.'
    """
    parts = (f"{label.rstrip(':')}: {cell}" if label else cell for label, cell in cells)
    text = "; ".join(parts)
    return text if text.endswith(_ENDS) else f"{text}."


def unlabelled(cells: Iterable[str]) -> str:
    """Return a row without headers as a line.

    >>> unlabelled(["Orrin", "", "1790"])
    'Orrin | 1790'
    """
    return " | ".join(filter(None, cells))


def cells_of(line: str) -> list[Cell]:
    """Return the cells of a line that is a table row; an empty list for a sentence.

    Of several lines with vertical bars, such as a table in a text file, all cells are returned. The
    label of a row of two columns is a cell too: it may be a name.

    >>> [cell.text for cell in cells_of("Mill: Orrin; Built: 1790.")]
    ['Orrin', '1790']
    >>> cells_of("Orrin was built in 1790.")
    []
    """
    if " | " in line:
        return _cells_between_bars(line)
    return _labelled_cells(line) if ": " in line else []


def _cells_between_bars(line: str) -> list[Cell]:
    """Return the cells of lines with vertical bars, without rules (`---`) and empty cells."""
    cells = (
        Cell("", match[0].strip(), match.start() + len(match[0]) - len(match[0].lstrip()))
        for match in re.finditer(r"[^|\n]+", line)
    )
    return [cell for cell in cells if cell.text and not _RULE.fullmatch(cell.text)]


def _labelled_cells(line: str) -> list[Cell]:
    """Return the cells of a line like `Mill: Orrin; Built: 1790.`; none if it is a sentence."""
    whole = line[:-1] if line.endswith(_ENDS) else line
    cells: list[Cell] = []
    start = 0
    for part in whole.split("; "):
        match = _LABELLED.fullmatch(part)
        if match and _is_label(match["label"]):
            cells.append(Cell(match["label"].strip(), match["cell"], start + match.start("cell")))
        elif cells and cells[-1].label:  # a cell that holds a semicolon
            last = cells.pop()
            cells.append(Cell(last.label, whole[last.start : start + len(part)], last.start))
        else:
            cells.append(Cell("", part, start))
        start += len(part) + len("; ")
    if len(cells) == 1 and _is_lone(cells[0]):
        return [Cell("", cells[0].label, line.find(cells[0].label)), *cells]
    return cells if sum(bool(cell.label) for cell in cells) > 1 else []


def _is_label(text: str) -> bool:
    words = len(text.split())
    return words <= _LABEL_WORDS and any(map(str.isalnum, text)) and ". " not in text


def _is_lone(cell: Cell) -> bool:
    """Check whether a label and its value are a table row of two columns and not a sentence."""
    label, said = cell.label.split(), cell.text.split()
    short = 0 < len(label) <= _LONE_LABEL_WORDS and len(said) <= _LONE_CELL_WORDS
    return short and label[0].casefold() not in STOP_WORDS
