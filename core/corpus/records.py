"""Bytes to records: JSON, JSON lines and CSV, each as a list of rows."""

import csv
import json
import sys
from io import StringIO
from typing import Any, Literal

from core.corpus.contents import Limits, Row, check_rows
from core.corpus.decode import decode
from core.errors import FileRejected

_DELIMITERS = ",\t;|"
_LISTS = ("docs", "documents", "passages", "corpus", "articles", "data", "rows", "questions")


def json_records(data: bytes, name: str) -> list[Row]:
    """The records of a JSON file: an array, an object that holds one, or an object a line.

    `{title: [sentence, ...]}` (HippoRAG's HotpotQA corpus) gives a record a title.
    """
    value = _json(decode(data, name), name)
    if isinstance(value, dict):
        value = _unfolded(value)
    if not value:
        raise FileRejected(name, "no record in it; it needs a list of objects")
    if all(isinstance(row, str) for row in value):
        return [{"text": row} for row in value]
    for number, row in enumerate(value, start=1):
        if not isinstance(row, dict):
            raise FileRejected(name, f"record {number} is no object like {{id, title, text}}")
    return list(value)


def _json(text: str, name: str) -> Any:
    try:
        return _lines_or_all(text, name)
    except json.JSONDecodeError as error:
        raise FileRejected(name, f"broken JSON in line {error.lineno}: {error.msg}") from error
    except RecursionError as error:
        raise FileRejected(name, "JSON nested too deeply to be a corpus") from error
    except ValueError as error:
        raise FileRejected(name, "broken JSON: a number with thousands of digits") from error


def _lines_or_all(text: str, name: str) -> Any:
    try:
        value = _loads(text)
    except json.JSONDecodeError as error:
        # A second value behind the first whole one: an object a line.
        if error.msg != "Extra data" or "\n" not in text.strip():
            raise
        return [
            _line(line, number, name)
            for number, line in enumerate(text.split("\n"), start=1)
            if line.strip()
        ]
    return value if isinstance(value, dict | list) else [value]


def _line(line: str, number: int, name: str) -> Any:
    try:
        return _loads(line)
    except json.JSONDecodeError as error:
        raise FileRejected(name, f"broken JSON in line {number}: {error.msg}") from error


def _loads(text: str) -> Any:
    # NaN and Infinity are no JSON, yet pandas writes them for missing values.
    return json.loads(text, parse_constant=lambda _: None)


def _unfolded(value: dict[str, Any]) -> list[Any]:
    for key in _LISTS:
        if isinstance(value.get(key), list):
            return list(value[key])
    if value and all(_is_sentences(item) for item in value.values()):
        return [{"title": title, "text": item} for title, item in value.items()]
    return [value]


def _is_sentences(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def csv_records(data: bytes, name: str, limits: Limits) -> list[Row]:
    """The rows of a CSV or TSV file by its header, whatever stands between the columns."""
    text = decode(data, name).strip("\ufeff\r\n")
    csv.field_size_limit(sys.maxsize)  # the default refuses a text of more than 128 KB
    header = text.split("\n", 1)[0]
    # Counting columns of the header is safer than csv.Sniffer, which reads commas of prose too.
    delimiter = max(_DELIMITERS, key=header.count)
    try:
        rows = _csv_rows(text, name, delimiter, csv.QUOTE_MINIMAL, limits)
    except csv.Error as error:
        if delimiter != "\t":
            mend = "close every double quote and write one inside a text twice"
            raise FileRejected(name, f"broken CSV, {error}; {mend}") from error
        # Many TSV files quote nothing, and a text may begin with a quotation mark.
        rows = _csv_rows(text, name, delimiter, csv.QUOTE_NONE, limits)
    if not rows:
        raise FileRejected(name, "no row under a header line; it needs a column named text")
    return rows


def _csv_rows(
    text: str, name: str, delimiter: str, quoting: Literal[0, 3], limits: Limits
) -> list[Row]:
    lines = StringIO(text, newline="")
    # Strict, or a quote that is never closed swallows the rest of the file without a word.
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    columns = [column.strip() for column in next(reader, [])]
    rows: list[Row] = []
    for cells in reader:
        if len(cells) > len(columns):
            raise FileRejected(
                name,
                f"line {reader.line_num} has {len(cells)} cells for {len(columns)} columns; "
                "put a text that holds the separator in double quotes",
            )
        if any(cell.strip() for cell in cells):
            rows.append(dict(zip(columns, cells, strict=False)))
            check_rows(len(rows), len(rows) * len(columns), name, limits)
    return rows
