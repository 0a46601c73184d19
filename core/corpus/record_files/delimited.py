"""Read CSV and TSV files as records, with any separator between their columns."""

import csv
import re
import sys
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Literal

from core.corpus.encodings.decode import decode
from core.corpus.file_contents import Limits, Row, check_rows
from core.corpus.record_files.trec import judgements
from core.corpus.record_formats import field_names
from core.corpus.record_formats.judged import QRELS_FIELDS
from core.errors import FileRejected
from core.text.display import plurals

_DELIMITERS = ",\t;|"
# A first line by which Excel and those that write for it say what separates the columns.
_SEP = re.compile(r'"?sep=([^"\r\n])"?[ \t]*\r?\n', re.IGNORECASE)
_WITHOUT_HEADER = {
    2: ("id", "text"),
    3: ("id", "title", "text"),
    4: ("id", "url", "title", "text"),
}
_SENTENCE = 4  # words
_HEADER = field_names.ALL | {*QRELS_FIELDS, "query-id", "corpus-id"}

Rows = tuple[list[Row], list[str]]
"""Records, and sentences on how they were read."""


def csv_records(data: bytes, name: str, limits: Limits) -> Rows:
    """Return the rows of a CSV or TSV file by its header, and notes.

    MS MARCO's and TREC's files of tab-separated values, which have no header, are known by their
    columns.
    """
    if grades := judgements(data, name):
        return grades, []
    text = decode(data, name).strip("\ufeff\r\n")
    csv.field_size_limit(sys.maxsize)  # the default refuses a text of more than 128 KB
    separator = _SEP.match(text)
    text = text[separator.end() :] if separator else text
    header = text.split("\n", 1)[0]
    # Counting columns of the header is safer than csv.Sniffer, which reads commas of prose too.
    delimiter = separator[1] if separator else max(_DELIMITERS, key=header.count)
    if delimiter == "\t":
        rows, notes = _tab_separated(text, name, limits)
    else:
        try:
            rows, notes = _rows(text, name, delimiter, limits)
        except csv.Error as error:
            remedy = "close every double quote, and double each quote inside a text"
            raise FileRejected(name, f"invalid CSV ({error}); {remedy}") from error
    if not rows:
        raise FileRejected(name, "it has no rows below the header; it needs a column named text")
    return rows, notes


def _tab_separated(text: str, name: str, limits: Limits) -> Rows:
    """Return rows of a TSV file, in which quotation marks may mean nothing.

    Where every line has the same number of tabs, a row is a line: a cell that begins with a
    quotation mark does not reach into the next one. Where they differ, a cell in quotation marks
    may hold tabs and line ends; where that cannot be read, marks are characters like others.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    even = len({line.count("\t") for line in lines}) == 1
    if not even:
        try:
            return _rows(text, name, "\t", limits)
        except csv.Error:
            pass
    return _rows(text, name, "\t", limits, csv.QUOTE_NONE)


def _rows(
    text: str, name: str, delimiter: str, limits: Limits, quoting: Literal[0, 3] = csv.QUOTE_MINIMAL
) -> Rows:
    """Read rows as dicts by column, with notes; raise FileRejected if a row is too long."""
    # Strict, or a quote that is never closed swallows the rest of the file without a word.
    reader = csv.reader(
        StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, strict=True
    )
    first = [cell.strip() for cell in next(reader, [])]
    unnamed = delimiter == "\t" and not _is_header(first) and len(first) in _WITHOUT_HEADER
    columns = _without_header(first, name) if unnamed else _columns(first)
    notes = [
        f"{name}: the first line is not a header; columns read as {', '.join(columns)}"
    ] * unnamed
    rows: list[Row] = []
    short = swallowed = 0
    for cells in _cells(first if unnamed else None, reader):
        if len(cells) > len(columns):
            raise FileRejected(
                name,
                f"line {reader.line_num} has {len(cells)} cells for {len(columns)} columns; "
                "put texts that contain the separator in double quotes",
            )
        if quoting == csv.QUOTE_NONE:
            cells = list(map(_unquote, cells))
        elif delimiter != ",":
            swallowed += any(_contains_rows(cell, delimiter, len(columns)) for cell in cells)
        if any(cell.strip() for cell in cells):
            short += len(cells) < len(columns)
            rows.append(dict(zip(columns, cells, strict=False)))
            check_rows(len(rows), len(rows) * len(columns), name, limits)
    if short:
        notes.append(
            f"{name}: fewer cells than the header in {short:,} of "
            f"{plurals.number(len(rows), 'row')}; the missing ones are empty"
        )
    if swallowed:
        notes.append(
            f"{name}: {plurals.counted(swallowed, 'quoted cell contains', 'quoted cells contain')} "
            "whole lines; if these are rows, double each quotation mark inside a text"
        )
    return rows, notes


def _cells(first: list[str] | None, reader: Iterator[list[str]]) -> Iterator[list[str]]:
    if first is not None:
        yield first
    yield from reader


def _is_header(cells: Sequence[str]) -> bool:
    """Return whether cells are column names: one is known, or none is a number or a sentence.

    A row with a URL is never a header.
    """
    if any("://" in cell for cell in cells):
        return False
    if any(field_names.folded_name(cell) in _HEADER for cell in cells):
        return True
    return not cells[0].isdecimal() and all(len(cell.split()) < _SENTENCE for cell in cells)


def _without_header(cells: Sequence[str], name: str) -> list[str]:
    """Return the column names of a file without a header, in the order of MS MARCO's files."""
    columns = list(_WITHOUT_HEADER[len(cells)])
    has_questions = any(word in name.rpartition("/")[2].lower() for word in ("quer", "question"))
    return ["id", "question"] if has_questions and len(cells) == 2 else columns


def _columns(cells: Sequence[str]) -> list[str]:
    """Return the names of a header, each once; a first column without a name is pandas' index."""
    columns: list[str] = []
    for number, cell in enumerate(cells, start=1):
        name = cell
        if not name:
            has_id = any(field_names.folded_name(each) in field_names.IDS for each in cells)
            name = "id" if number == 1 and not has_id else f"column {number}"
        while name in columns:
            name = f"{name}.{number}"
        columns.append(name)
    return columns


def _unquote(cell: str) -> str:
    """Remove the quotation marks around a cell, and undouble those inside."""
    inner = cell[1:-1]
    if len(cell) < 2 or cell[0] != '"' or cell[-1] != '"' or '"' in inner.replace('""', ""):
        return cell
    return inner.replace('""', '"')


def _contains_rows(cell: str, delimiter: str, columns: int) -> bool:
    """Return whether a quoted cell contains a line that could be a row of its own."""
    return "\n" in cell and any(
        line.count(delimiter) == columns - 1 for line in cell.split("\n")[1:-1]
    )
