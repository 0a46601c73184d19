"""Vectors that come with texts: read, checked row by row, and paired with documents."""

import json
from io import BytesIO
from pathlib import Path

import lancedb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.corpus.files import read_files
from core.corpus.vectors.given_vectors import MOST_DIMENSIONS
from tests.core.corpus.files import read

TEXTS = ("Selby is a port.", "Ada built the mill.", "Maren lies on a lake.")
VECTORS = np.array([[3, 4, 0], [0, 0, 2], [1, 0, 0]], np.float32)
UNIT = np.array([[0.6, 0.8, 0], [0, 0, 1], [1, 0, 0]], np.float32)


def jsonl(vectors: object = None) -> str:
    rows = [{"id": f"p{n}", "text": text} for n, text in enumerate(TEXTS)]
    if vectors is not None:
        rows = [{**row, "vector": one} for row, one in zip(rows, vectors, strict=True)]
    return "\n".join(map(json.dumps, rows))


def parquet(vectors: list[object]) -> bytes:
    out = BytesIO()
    column = pa.array(vectors, pa.list_(pa.float64()))
    pq.write_table(pa.table({"text": TEXTS, "embedding": column}), out)
    return out.getvalue()


def npy(array: np.ndarray) -> bytes:
    out = BytesIO()
    np.save(out, array, allow_pickle=True)
    return out.getvalue()


def vectors_of(corpus) -> np.ndarray:
    return np.stack([np.frombuffer(made.vector, "<f4") for made in corpus.documents])


@pytest.mark.parametrize(
    "files",
    [
        {"a.jsonl": jsonl(VECTORS.tolist())},
        {"a.parquet": parquet(VECTORS.tolist())},
        {"a.jsonl": jsonl(), "a.npy": npy(VECTORS)},
        {"a.jsonl": jsonl(), "embeddings.npy": npy(VECTORS.astype(np.float16))},
        {"a.jsonl": jsonl(), "a.npy": npy(np.asfortranarray(VECTORS.astype(np.float64)))},
        {"b.txt": "Another text.", "a.csv": 'text,vector\none,"[3, 4, 0]"\n'},
    ],
)
def test_vectors_are_read_at_unit_length(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    corpus = read(tmp_path, files)
    assert not corpus.rejected
    given = [np.frombuffer(made.vector, "<f4") for made in corpus.documents if made.vector]
    np.testing.assert_allclose(given, UNIT[: len(given)], atol=1e-3)
    assert given


def test_a_lancedb_table_is_one_file(tmp_path: Path) -> None:
    rows = [
        {"id": f"p{n}", "text": text, "vector": one.tolist()}
        for n, (text, one) in enumerate(zip(TEXTS, VECTORS, strict=True))
    ]
    lancedb.connect(tmp_path / "db").create_table("mine", rows)
    for path, name in (
        (tmp_path / "db", "db/mine.lance"),
        (tmp_path / "db/mine.lance", "mine.lance"),
    ):
        corpus = read_files([path])
        assert [each.name for each in corpus.files] == [name]
        assert [made.id for made in corpus.documents] == ["p0", "p1", "p2"]
        np.testing.assert_allclose(vectors_of(corpus), UNIT, atol=1e-6)


def test_a_table_that_is_a_link_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.lance").mkdir()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.lance").symlink_to(tmp_path / "elsewhere.lance")
    (refused,) = read_files([tmp_path / "in"]).rejected
    assert "link" in refused.reason


def test_a_folder_that_is_no_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.lance").mkdir()
    (refused,) = read_files([tmp_path / "a.lance"]).rejected
    assert refused.reason == "it is not a readable LanceDB table; export it again"


def changed(row: int, value: object) -> list[object]:
    rows: list[object] = VECTORS.tolist()
    rows[row] = value
    return rows


@pytest.mark.parametrize(
    ("vectors", "reason"),
    [
        (changed(1, [0, float("nan"), 1]), "record 2: its vector contains NaN, infinity or null"),
        (changed(2, [0, 0, 0]), "record 3: its vector is zero"),
        (changed(1, [1, 2]), "record 2 has a vector of 2 dimensions, and record 1 has a vector"),
        (changed(1, None), "record 2 has no vector, and record 1 has a vector of 3 dimensions"),
        (changed(0, None), "record 2 has a vector of 3 dimensions, and record 1 has no vector"),
    ],
)
@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_bad_vector_names_its_row(
    tmp_path: Path, vectors: list[object], reason: str, ending: str
) -> None:
    content = parquet(vectors) if ending == "parquet" else jsonl(vectors)
    (refused,) = read(tmp_path, {f"a.{ending}": content}).rejected
    assert refused.reason.startswith(reason)


@pytest.mark.parametrize(
    ("vector", "reason"),
    [
        (["0.1", 2, 3], "is not a list of numbers"),
        ([True, 2, 3], "is not a list of numbers"),
        ([[1, 2, 3]], "is not a list of numbers"),
        ({"a": 1}, "is not a list of numbers"),
        ([10**400, 1, 1], "out of range"),
        ([1] * (MOST_DIMENSIONS + 1), "16,385 dimensions"),
    ],
)
def test_what_is_no_vector(tmp_path: Path, vector: object, reason: str) -> None:
    (refused,) = read(tmp_path, {"a.jsonl": jsonl([vector, vector, vector])}).rejected
    assert refused.reason.startswith("record 1: ")
    assert reason in refused.reason


def test_large_numbers_keep_their_direction(tmp_path: Path) -> None:
    corpus = read(tmp_path, {"a.jsonl": jsonl((VECTORS * 1e30).astype(np.float64).tolist())})
    np.testing.assert_allclose(vectors_of(corpus), UNIT, atol=1e-6)


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (
            VECTORS[:2],
            "record 3 of a.jsonl ('p2') has no vector: there are 2 vectors and 3 records",
        ),
        (np.vstack([VECTORS, VECTORS]), "row 4 of a.npy has no text: a.jsonl has 3 records"),
        (np.where(VECTORS == 4, np.nan, VECTORS), "row 1: its vector contains NaN"),
        (VECTORS * [[1], [0], [1]], "row 2: its vector is zero"),
        (VECTORS[0], "it is an array of float32 with shape (3,)"),
        (np.array([{"a": 1}]), "it is an array of object"),
        (VECTORS.astype(int), "it is an array of int64"),
        (np.zeros((3, 0), np.float32), "it contains no vectors"),
    ],
)
def test_an_array_that_does_not_fit_refuses_the_texts_too(
    tmp_path: Path, array: np.ndarray, reason: str
) -> None:
    corpus = read(tmp_path, {"a.jsonl": jsonl(), "a.npy": npy(array), "b.txt": "Other."})
    reasons = {each.name: each.reason for each in corpus.rejected}
    assert reasons["a.npy"].startswith(reason)
    assert (
        reasons["a.jsonl"] == "its vectors in a.npy cannot be used; fix them, or remove that file"
    )
    assert [made.id for made in corpus.documents] == ["b.txt"]


def test_a_header_that_promises_more_than_the_file_holds(tmp_path: Path) -> None:
    good = npy(VECTORS)
    for shape in (b"(9, 3)", b"(3, 9999999999999999999999999)", b"(-3, -3)"):
        data = good.replace(b"(3, 3)", shape, 1)
        (refused, *_) = read(tmp_path, {"a.npy": data}).rejected
        told = ("NumPy file", "truncated", "more")
        assert any(one in refused.reason for one in told)


def test_vectors_twice(tmp_path: Path) -> None:
    files = {"a.jsonl": jsonl(VECTORS.tolist()), "a.npy": npy(VECTORS)}
    assert "already" in read(tmp_path, files).rejected[-1].reason


def test_vectors_without_texts(tmp_path: Path) -> None:
    (refused,) = read(tmp_path, {"a.npy": npy(VECTORS)}).rejected
    assert refused.reason == "no text file has the same name; add a.jsonl with one record per row"
