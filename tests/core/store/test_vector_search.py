"""The measured share of the nearest rows that an index of vectors misses."""

from pathlib import Path

import lancedb
import numpy as np
import pyarrow as pa
import pytest

from core.store import vector_search as module
from core.store.schema import vector_column
from core.store.vector_search import missed_share, nearest
from core.vectors import Vectors

COUNT = 20


def unit(rows: int, seed: int) -> Vectors:
    found = np.random.default_rng(seed).normal(size=(rows, 8)).astype(np.float32)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)


def table(folder: Path, name: str, vectors: Vectors) -> lancedb.table.Table:
    numbers = pa.array(range(len(vectors)), pa.int32())
    rows = pa.table({"number": numbers, "vector": vector_column(vectors)})
    return lancedb.connect(folder).create_table(name, rows)


def test_the_nearest_come_first_with_their_cosines(tmp_path: Path) -> None:
    vectors, (asked,) = unit(200, 1), unit(1, 2)
    numbers, cosines = nearest(table(tmp_path, "rows", vectors), asked, 7)
    expected = np.argsort(-(vectors @ asked), kind="stable")[:7]
    assert numbers.tolist() == expected.tolist()
    np.testing.assert_allclose(cosines, (vectors @ asked)[expected], atol=1e-6)


@pytest.mark.parametrize("lost", [0, 1, 5, 20])
def test_the_share_is_that_of_the_first_twenty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: int
) -> None:
    """`lost` of the 20 nearest are replaced by the ones that follow them."""
    rows = table(tmp_path, "rows", unit(200, 3))
    questions = table(tmp_path, "questions", unit(30, 4))

    def losing(rows: lancedb.table.Table, vector: Vectors, count: int) -> module.Found:
        numbers, cosines = nearest(rows, vector, count + lost)
        return numbers[lost:], cosines[lost:]

    monkeypatch.setattr(module, "nearest", losing)
    assert missed_share(rows, questions) == pytest.approx(lost / COUNT)


def test_of_equal_rows_either_is_right(tmp_path: Path) -> None:
    rows = table(tmp_path, "rows", np.repeat(unit(3, 5), 40, axis=0))
    assert missed_share(rows, table(tmp_path, "questions", unit(10, 6))) == 0


def test_without_any_question_it_is_measured_with_the_rows(tmp_path: Path) -> None:
    rows = table(tmp_path, "rows", unit(60, 7))
    assert missed_share(rows, table(tmp_path, "questions", unit(1, 8)[:0])) == 0


def test_the_sample_is_spread_over_all_questions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, asked = table(tmp_path, "rows", unit(60, 9)), []

    def remembering(rows: lancedb.table.Table, vector: Vectors, count: int) -> module.Found:
        asked.append(vector)
        return nearest(rows, vector, count)

    monkeypatch.setattr(module, "nearest", remembering)
    for number, (questions, expected) in enumerate([(30, range(30)), (250, range(0, 200, 2))]):
        asked.clear()
        vectors = unit(questions, 10)
        assert missed_share(rows, table(tmp_path, f"questions-{number}", vectors)) == 0
        np.testing.assert_array_equal(asked, vectors[list(expected)])


def test_the_twentieth_nearest_is_found_in_whatever_parts_the_rows_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors, sample = unit(500, 11), unit(40, 12)
    rows = table(tmp_path, "rows", vectors)
    expected = np.sort(sample @ vectors.T, axis=1)[:, -COUNT]
    for size in (7, 90, 500):
        monkeypatch.setattr(module, "_ROWS", size)
        np.testing.assert_allclose(module._cosine_of_20th(rows, sample), expected, atol=1e-6)
