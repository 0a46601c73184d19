"""Excel files: records if a sheet has a column of texts, else a document with a part a sheet."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from io import BytesIO
from itertools import islice
from typing import Any
from zipfile import ZipFile

from openpyxl import load_workbook
from openpyxl.utils import column_index_from_string
from openpyxl.utils.exceptions import InvalidFileException

from core.corpus.archives.compressed_files import too_large
from core.corpus.documents.packed import office_file
from core.corpus.documents.prose import one_document
from core.corpus.documents.tables import table_text
from core.corpus.file_contents import Contents, Limits, Row, check_rows
from core.corpus.layout import Block
from core.corpus.omissions import count
from core.corpus.record_formats.interpretation import are_records, interpret
from core.errors import FileRejected

_SPAN = re.compile(rb'<mergeCell ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"')
_MOST_SPANS = 10_000
_UNCALCULATED = (b"</f></c>", b"</f><v></v></c>", b"</f><v/></c>", b"</f><v /></c>")
Rows = list[list[str]]


def read_xlsx(data: bytes, name: str, limits: Limits) -> Contents:
    """Read the sheets of an Excel file that are shown.

    Raises
    ------
    FileRejected : no .xlsx, broken, encrypted, or empty.
    """
    with office_file(data, name, limits, "Excel", ".xlsx", InvalidFileException) as archive:
        sheets = _sheets(data, archive, name, limits)
        _count_parts(archive)
    records = {title: rows for title, rows in sheets.items() if _is_table(rows, name)}
    if records:
        left = sum(bool(rows) for rows in sheets.values()) - len(records)
        count("sheet{s} without a column of texts or questions left out", left)
        rows = [row for each in records.values() for row in _records(each)]
        return interpret(rows, name, "Excel", limits)
    blocks = [block for title, rows in sheets.items() for block in _blocks(title, rows)]
    return one_document(name, "Excel", blocks, limits=limits, headed=len(sheets) == 1)


def _sheets(data: bytes, archive: ZipFile, name: str, limits: Limits) -> dict[str, Rows]:
    """Return the rows of each sheet; an empty one for each gap between rows."""
    book = load_workbook(BytesIO(data), read_only=True, data_only=True)
    sheets: dict[str, Rows] = {}
    rows = cells = size = 0
    for sheet in book.worksheets:
        if sheet.sheet_state != "visible":
            count("hidden sheet{s} left out")
            continue
        here: Rows = []
        merged = _merged_cells(archive, sheet._worksheet_path.lstrip("/"))
        for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
            values = [_cell_text(value) for value in row]
            merged.fill(number, values)
            while values and not values[-1]:
                values.pop()
            if not values:
                if here and here[-1]:
                    here.append([])
                continue
            rows, cells = rows + 1, cells + len(values)
            size += sum(map(len, values))
            check_rows(rows, cells, name, limits)
            if size > limits.file_bytes:
                raise FileRejected(name, f"it is {too_large(limits)}")
            here.append(values)
        sheets[sheet.title] = here
    return sheets


class _Merged:
    """Cells that span several rows; their value is written into each of these rows."""

    def __init__(self, spans: Iterable[tuple[int, int, int]]) -> None:
        self._beginning: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for column, first, last in spans:
            self._beginning[first].append((column, last))
        self._open: dict[int, tuple[int, str]] = {}

    def fill(self, number: int, values: list[str]) -> None:
        """Write the values of merged cells that span row `number` into `values`."""
        for column, (last, value) in list(self._open.items()):
            if number > last:
                del self._open[column]
            elif column < len(values):
                values[column] = values[column] or value
        for column, last in self._beginning.get(number, ()):
            if column < len(values) and values[column]:
                self._open[column] = (last, values[column])


def _merged_cells(archive: ZipFile, path: str) -> _Merged:
    """Return the merged cells that span several rows, by column."""
    matches = islice(_SPAN.finditer(archive.read(path)), _MOST_SPANS)
    spans = (
        (column_index_from_string(each[1].decode()), int(each[2]), int(each[3])) for each in matches
    )
    return _Merged((column - 1, first, last) for column, first, last in spans if last > first)


def _cell_text(value: Any) -> str:
    """Format the value of a cell as a spreadsheet shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime):
        return str(value.date() if value.time() == time() else value)
    if isinstance(value, date | time | timedelta):
        return str(value)
    return str(value).strip()


def _is_table(rows: Rows, name: str) -> bool:
    return len(rows) > 1 and are_records(rows[0], name)


def _records(rows: Rows) -> list[Row]:
    header = rows[0]
    return [dict(zip(header, [*row, *[""] * len(header)], strict=False)) for row in rows[1:] if row]


def _blocks(title: str, rows: Rows) -> Iterator[Block]:
    """Yield a sheet under its name. Empty rows divide its tables."""
    if not any(rows):
        return
    yield Block(title, 2)
    part: Rows = []
    for row in [*rows, []]:
        if row:
            part.append(row)
        elif part:
            yield from _table(part)
            part = []


def _table(rows: Rows) -> Iterator[Block]:
    """Yield the lines above a table, then the table."""
    above = next((n for n, row in enumerate(rows) if sum(map(bool, row)) > 1), len(rows))
    if above:
        yield Block("\n".join(" ".join(filter(None, row)) for row in rows[:above]))
    yield Block(table_text(rows[above:], likely=True))


def _count_parts(archive: ZipFile) -> None:
    """Count the contents of a workbook other than cell values."""
    for entry in archive.namelist():
        if re.fullmatch(r"xl/worksheets/[^/]+\.xml", entry):
            content = archive.read(entry)
            formulas = sum(map(content.count, _UNCALCULATED))
            count("formula{s} without a calculated value left out", formulas)
        elif re.fullmatch(r"xl/comments[^/]*\.xml", entry):
            count("comment{s} left out", archive.read(entry).count(b"<comment "))
        elif entry.startswith("xl/charts/chart"):
            count("chart{s} left out")
        elif entry.startswith("xl/media/"):
            count("picture{s} left out")
