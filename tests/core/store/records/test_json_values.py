"""Stored JSON is read as strictly as it was written."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.errors import StoreError
from core.marks.store import Marks
from core.store.records.json_values import moment, stored, strict_json


@dataclass(frozen=True)
class Row:
    number: int
    share: float = 1.0


def test_what_was_written_is_read() -> None:
    assert stored(Row, '{"number": 9223372036854775807, "share": 0.25}') == Row(2**63 - 1, 0.25)


@pytest.mark.parametrize(
    "text",
    [
        '{"number": 9223372036854775808}',
        '{"number": -9223372036854775808}',
        '{"number": 1.0}',
        '{"number": "1"}',
        '{"number": true}',
        '{"number": 1, "share": 1e999}',
        '{"number": 1, "share": -1e999}',
        '{"number": 1, "share": NaN}',
        '{"number": 1, "share": Infinity}',
        "{}",
        "[" * 100_000,
    ],
)
def test_another_kind_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        stored(Row, text)


def test_a_moment_has_a_time_zone() -> None:
    assert moment("2026-11-26T12:00:00+01:00").utcoffset() is not None
    for text in ("2026-11-26T12:00:00", "never"):
        with pytest.raises(ValueError):
            moment(text)
    assert strict_json("[1, 2.5]") == [1, 2.5]


def test_a_file_of_a_newer_version_is_neither_read_nor_written(tmp_path: Path) -> None:
    marks = Marks(tmp_path)
    marks.replace([], [])
    with closing(sqlite3.connect(tmp_path / "marks.sqlite")) as opened:
        opened.execute("PRAGMA user_version = 2")
    with pytest.raises(StoreError, match="newer HopRAG Explorer"):
        marks.all()
    with pytest.raises(StoreError, match="newer HopRAG Explorer"):
        marks.replace([], [])
