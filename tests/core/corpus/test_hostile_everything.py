"""Files of every format that are made to harm: each is read or refused by its name, in time."""

import time
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.corpus.file_contents import LIMITS
from tests.core.corpus.files import read_apart
from tests.core.corpus.hostile import markup, office, packed, texts

QUICK = replace(LIMITS, seconds=1, seconds_a_mb=1, rows=20_000, cells=100_000)
# What the others of its kind show too, and takes longer.
LARGE = {"bomb.jsonl.gz", "lists-bomb.json.gz", "many.zip", "words-bomb.zip"}
LARGE |= {"folded.eml", "addresses.eml", "table.rst", "many-rows.xlsx", "tall.odt", "spans.html"}
LARGE |= {"ticks.rst", "directives.rst", "definitions.md", "lists.md", "uris.html", "words.vtt"}
LARGE |= {"null-rows.parquet", "repeated.parquet", "short-rows.parquet", "columns.parquet"}


@pytest.mark.parametrize("made", [packed.archives, packed.gzipped, packed.parquet, office.docx])
def test_each_file_is_read_or_refused_by_its_name(tmp_path: Path, made) -> None:
    all_read(tmp_path, {name: file for name, file in made().items() if name not in LARGE})


@pytest.mark.parametrize(
    "made",
    [
        *(markup.odt, markup.epub, markup.xlsx, markup.mails, markup.restructured),
        *(markup.markdown, markup.pages, markup.subtitles),
    ],
)
def test_each_file_of_markup_is_read_or_refused_by_its_name(tmp_path: Path, made) -> None:
    all_read(tmp_path, {name: file for name, file in made().items() if name not in LARGE})


@pytest.mark.parametrize("files", [markup.odt, markup.epub, markup.xlsx, markup.restructured])
def test_no_file_of_this_machine_is_read(tmp_path: Path, files) -> None:
    named = ("entity", "include", "outside", "url")
    wanted = {name: file for name, file in files().items() if name.startswith(named)}
    corpus = read_apart(tmp_path, wanted)
    assert not [made for made in corpus.documents if "root:" in made.text]


def test_text_in_no_encoding(tmp_path: Path) -> None:
    all_read(tmp_path, texts.encodings())


def test_whole_and_broken_files_of_each_ending(tmp_path: Path) -> None:
    all_read(tmp_path, texts.of_any_kind({}))


@pytest.mark.parametrize(
    "name",
    ["one-drawing.pdf", "loop.pdf", "tree.pdf", "form-tree.pdf", "to-unicode.pdf", "box.pdf"],
)
def test_a_pdf_is_read_or_refused_by_its_name(tmp_path: Path, name: str) -> None:
    all_read(tmp_path, {name: office.pdfs()[name]})


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("span.docx", ""),
        ("date.parquet", "a date or number that is out of range"),
        ("time.parquet", "a date or number that is out of range"),
        ("lzma.zip", "damaged in the archive"),
        ("no-name.zip", "its name is missing"),
        ("hidden.zip", "the archive contains no files other than hidden ones"),
        ("one-drawing.pdf", "its pages contain far more"),
        ("commas.csv", "its records contain more than"),
        ("rows.csv", "records; split it"),
    ],
)
def test_what_did_harm_is_named(tmp_path: Path, name: str, reason: str) -> None:
    makers = {".docx": office.docx, ".zip": packed.archives, ".parquet": packed.parquet}
    makers |= {".pdf": office.pdfs, ".csv": texts.csv_files}
    files = makers[Path(name).suffix]()
    began = time.monotonic()
    corpus = read_apart(tmp_path, {name: files[name]})
    assert time.monotonic() - began < 60
    assert [each for each in corpus.rejected if reason in each.reason] or not reason
    assert reason or corpus.documents


def all_read(folder: Path, files: dict[str, bytes]) -> None:
    """Each of `files`, and one that is good behind them all."""
    corpus = read_apart(folder, {**files, "zz.txt": "Good."}, limits=QUICK)
    known = {each.name for each in (*corpus.files, *corpus.rejected)}
    lost = [name for name in files if not any(each.startswith(name) for each in known)]
    assert lost == []
    assert corpus.files[-1].name == "zz.txt"


def test_many_columns_cost_what_their_values_cost(tmp_path: Path) -> None:
    rows = 150
    table = pa.table({f"c{n}": ["A."] * rows for n in range(3000)} | {"text": ["A."] * rows})
    limits = replace(LIMITS, seconds=3, seconds_a_mb=0)
    with BytesIO() as made:
        pq.write_table(table, made)
        corpus = read_apart(tmp_path, {"wide.parquet": made.getvalue()}, limits=limits)
    assert not corpus.rejected
    assert [len(each.metadata) for each in corpus.documents] == [3000]
