"""Names of files in archives, and files that a system left behind."""

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

from core.corpus import read_files
from tests.core.corpus.files import read, zipped


def named(name: bytes) -> bytes:
    """An archive with a file of this name, as programs write it that know no Unicode."""
    placeholder = "x" * len(name)
    return zipped({placeholder: "A mill."}).replace(placeholder.encode(), name)


@pytest.mark.parametrize(
    ("name", "encoding", "said"),
    [
        ("水車小屋.txt", "cp932", "Shift-JIS"),
        ("Mühle.txt", "cp437", "cp437"),
        ("Мельница.txt", "cp866", "cp866"),
        ("水车小屋.txt", "gb18030", "GB18030"),
        ("Mühle und 水車.txt", "utf-8", "utf-8"),
    ],
)
def test_names_in_the_encoding_of_a_language(
    tmp_path: Path, name: str, encoding: str, said: str
) -> None:
    corpus = read(tmp_path, {"a.zip": named(name.encode(encoding))})
    assert [made.title for made in corpus.documents] == [name.removesuffix(".txt")]
    assert corpus.notes == (f"a.zip: 1 file name decoded as {said} (a guess)",)


def test_a_name_that_says_that_it_is_unicode_is_no_guess(tmp_path: Path) -> None:
    corpus = read(tmp_path, {"a.zip": zipped({"Mühle.txt": "A mill."})})
    assert [made.title for made in corpus.documents] == ["Mühle"]
    assert corpus.notes == ()


SYSTEM = ("docs/Thumbs.db", "docs/~$lease.docx", "desktop.ini", "__MACOSX/._a.txt", ".DS_Store")


def test_system_files_of_an_archive_are_passed_over(tmp_path: Path) -> None:
    corpus = read(tmp_path, {"a.zip": zipped({"a.txt": "A.", **dict.fromkeys(SYSTEM, "x")})})
    assert [each.name for each in corpus.files] == ["a.zip/a.txt"]
    assert corpus.rejected == ()
    assert corpus.notes == ("a.zip: 5 hidden or system files skipped",)


def test_system_files_of_a_folder_are_passed_over(tmp_path: Path) -> None:
    read(tmp_path / "set", {"a.txt": "A.", **dict.fromkeys(SYSTEM, "x"), ".git/b.txt": "B."})
    corpus = read_files([tmp_path / "set", tmp_path / "set" / "desktop.ini"])
    assert [each.name for each in corpus.files] == ["set/a.txt"]
    assert corpus.rejected == ()
    assert corpus.notes == ("2 files: 7 hidden or system files skipped (set 6, desktop.ini 1)",)


def test_a_name_with_backslashes(tmp_path: Path) -> None:
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        entry = ZipInfo("x")
        entry.filename = "docs\\sub\\note.txt"
        archive.writestr(entry, "A note.")
    (made,) = read(tmp_path, {"a.zip": buffer.getvalue()}).documents
    assert made.id == "a.zip/docs/sub/note.txt"
