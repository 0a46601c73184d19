"""What is left out or changed is counted, file by file, and said once for all of them."""

from pathlib import Path

import pytest

from core.corpus.omissions import count, sentences, tallying
from tests.core.corpus.documents.reading import only
from tests.core.corpus.files import lines, read, read_apart, zipped

IMAGE = f"data:image/png;base64,{'iVBORw0KGgoAAAANSUhEUg' * 400}=="
HIDDEN = "<p>A mill.</p><p hidden>x</p>"


def test_one_sentence_for_each_kind_of_change() -> None:
    kind = "picture{s} left out"
    assert sentences([("a", {kind: 1}), ("b", {})]) == ["a: 1 picture left out"]
    tallies = [(name, {kind: number}) for number, name in enumerate("abcde", start=1)]
    assert sentences(tallies) == ["5 files: 15 pictures left out (e 5, d 4, c 3, and 2 more)"]


def test_nothing_is_counted_outside_of_a_file() -> None:
    count("picture{s} left out")
    with tallying() as tally:
        count("picture{s} left out", 0)
    assert not tally


def test_notes_come_out_of_the_process_that_reads(tmp_path: Path) -> None:
    files = {"a.html": HIDDEN, "b.zip": zipped({"c.html": HIDDEN, "d.html": "<p>B.</p>"})}
    notes = read_apart(tmp_path, files).notes
    assert notes == ("2 files: 2 hidden elements left out (a.html 1, b.zip/c.html 1)",)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"Before ![a logo]({IMAGE}) after.", "Before a logo after."),
        (f'Before <img alt="x" src="{IMAGE}"> after.', "Before  after."),
        (f"Before {IMAGE} after.", "Before  after."),
        (f"Before {IMAGE[22:]} after.", "Before  after."),
    ],
)
def test_inline_images_are_left_out(tmp_path: Path, text: str, kept: str) -> None:
    corpus = read(tmp_path, {"a.jsonl": lines({"id": "a", "text": text})})
    assert [made.text for made in corpus.documents] == [kept]
    assert corpus.notes == ("a.jsonl: 1 inline image or other data in base64 left out",)


@pytest.mark.parametrize(
    "text", ["x" * 5000, "ACGT" * 500, "東京" * 500, "data:image/png;base64,short", "a/b/c1D " * 99]
)
def test_long_words_are_no_images(tmp_path: Path, text: str) -> None:
    made, notes = only(tmp_path, "a.txt", text)
    assert (made.text, notes) == (text.strip(), [])


def test_invisible_characters_and_ligatures_are_counted(tmp_path: Path) -> None:
    more = " It is old." * 20
    text = f"The wind\u00admill\u200bs of\x02 the \ufb02ood.{more}\r\n"
    made, notes = only(tmp_path, "a.txt", text)
    assert made.text == f"The windmills of the flood.{more}"
    assert notes == [
        "1 control character removed",
        "2 invisible characters removed (soft hyphens, zero-width spaces)",
        "1 ligature written as letters",
    ]
