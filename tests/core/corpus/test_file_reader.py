"""Files that are documents: what is read of each kind, and how files go together."""

from io import BytesIO
from pathlib import Path

import pytest
from docx import Document as new_docx

from core.corpus import read_files
from core.corpus.file_contents import LIMITS
from core.corpus.file_reader import read_pieces
from tests.core.corpus.files import lines, pdf, read, read_apart, written, zipped


def only(tmp_path: Path, name: str, content: bytes | str) -> tuple[str, str, str]:
    corpus = read(tmp_path, {name: content})
    assert not corpus.rejected
    (made,) = corpus.documents
    return made.title, made.text, corpus.files[0].format


def test_plain_text_is_called_by_its_file(tmp_path: Path) -> None:
    assert only(tmp_path, "rome.txt", "A city.\r\n") == ("rome", "A city.", "Text")
    (made,) = read(tmp_path, {"rome.txt": "A city."}).documents
    assert (made.id, made.source) == ("rome.txt", "rome.txt")


def test_the_first_heading_of_markdown_is_the_title_and_the_rest_stays_as_it_is(
    tmp_path: Path,
) -> None:
    text = "Intro &amp;\n\n## The city of *Rome* ##\n\n<b>Old</b>."
    assert only(tmp_path, "a.md", text) == (
        "The city of Rome",
        "Intro &amp;\n\n<b>Old</b>.",
        "Markdown",
    )


def test_html_gives_what_is_shown(tmp_path: Path) -> None:
    page = """<html><head><title>Rome &amp; more</title><style>p {}</style></head><body>
      <nav>Home</nav><h1>Rome</h1><p>A <b>city</b>
      of Italy.</p><script>alert(1)</script><!-- hidden -->
      <p>Old<style>p {}</style>&lt;script&gt;.<br>Very.</p>
      <table><tr><td>a</td><td>b</td></tr></table></body></html>"""
    title, text, kind = only(tmp_path, "a.html", page)
    assert (title, kind) == ("Rome & more", "HTML")
    assert text == "A city of Italy.\n\nOld<script>.\nVery.\n\na | b"


def test_html_without_a_title_has_its_heading(tmp_path: Path) -> None:
    assert only(tmp_path, "a.htm", "<h1>Big <i>Rome</i></h1>Text.")[0] == "Big Rome"
    assert only(tmp_path, "b.htm", "just-words.txt")[:2] == ("b", "just-words.txt")


def test_html_says_its_own_encoding(tmp_path: Path) -> None:
    page = '<meta charset="iso-8859-7"><p>Ρώμη</p>'.encode("iso-8859-7")
    assert only(tmp_path, "a.html", page)[1] == "Ρώμη"


def test_xhtml_is_read_without_a_warning(tmp_path: Path) -> None:
    page = '<?xml version="1.0" encoding="utf-8"?><html><body><p>Rome</p></body></html>'
    assert only(tmp_path, "a.html", page)[1] == "Rome"


def test_pages_of_a_pdf_are_divided(tmp_path: Path) -> None:
    assert only(tmp_path, "a.pdf", pdf("Rome is old.", "", "Paris too.")) == (
        "a",
        "Rome is old.\n\nParis too.",
        "PDF",
    )


def test_word_gives_paragraphs_and_tables_in_order(tmp_path: Path) -> None:
    file = new_docx()
    file.core_properties.title = "Of Rome"
    file.add_paragraph("Before.")
    table = file.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "a", "b"
    file.add_paragraph("After.")
    buffer = BytesIO()
    file.save(buffer)
    assert only(tmp_path, "a.docx", buffer.getvalue()) == (
        "Of Rome",
        "Before.\n\na | b\n\nAfter.",
        "Word",
    )


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "Zürich – 東京"),
        ("utf-8-sig", "Zürich – 東京"),
        ("utf-16", "Zürich – 東京"),
        ("cp1252", "Der Bürgermeister von Köln sagte “Ja”."),
        ("cp1251", "Это обычный русский текст, написанный в старой кодировке."),
        ("shift_jis", "これは日本語の文章です。文字コードの判定を試しています。"),
    ],
)
def test_text_is_read_in_its_encoding(tmp_path: Path, encoding: str, text: str) -> None:
    assert only(tmp_path, "a.txt", text.encode(encoding))[1] == text


def test_a_folder_is_walked_without_hidden_files(tmp_path: Path) -> None:
    read(
        tmp_path / "set", {"b.txt": "B.", "sub/a.txt": "A.", ".hidden/c.txt": "C.", ".d.txt": "D."}
    )
    corpus = read_files([tmp_path / "set"])
    assert [made.id for made in corpus.documents] == ["set/b.txt", "set/sub/a.txt"]


def test_an_archive_is_read_as_its_files(tmp_path: Path) -> None:
    inside: dict[str, bytes | str] = {
        "sub/a.txt": "A.",
        "__MACOSX/._a.txt": "x",
        ".DS_Store": b"\0",
        "b.jsonl": lines({"id": 1, "text": "B."}),
    }
    corpus = read(tmp_path, {"set.zip": zipped(inside)})
    assert [made.id for made in corpus.documents] == ["set.zip/sub/a.txt", "1"]
    assert [made.source for made in corpus.documents] == ["set.zip/sub/a.txt", "set.zip/b.jsonl"]
    assert not corpus.rejected


def test_an_archive_in_an_archive_is_read_and_one_in_that_is_named(tmp_path: Path) -> None:
    inner = zipped({"m.txt": "A mill.", "deep.zip": zipped({"d.txt": "Deep."})})
    outer = zipped({"in.zip": inner, "t.tar.gz": b"x", "w.txt": "A weir."})
    corpus = read(tmp_path, {"out.zip": outer})
    assert [made.id for made in corpus.documents] == ["out.zip/in.zip/m.txt", "out.zip/w.txt"]
    assert [each.name for each in corpus.rejected] == [
        "out.zip/in.zip/deep.zip",
        "out.zip/t.tar.gz",
    ]
    assert {each.reason for each in corpus.rejected} == {
        "it is an archive inside an archive; unpack it first"
    }
    path = written(tmp_path, {"out.zip": outer})["out.zip"]
    rest = read_pieces(path, "out.zip", LIMITS, lambda *_: None, skip=3)
    assert [name for name, _ in rest] == ["out.zip/w.txt"]


def test_two_files_of_one_name_are_two_documents(tmp_path: Path) -> None:
    read(tmp_path, {"x/a.txt": "One.", "y/a.txt": "Two.", "z/a.txt": "One."})
    corpus = read_files([tmp_path / folder / "a.txt" for folder in "xyz"])
    assert [made.text for made in corpus.documents] == ["One.", "Two."]
    ids = {made.text: made.id for made in corpus.documents}
    assert sorted(name.partition("~")[0] for name in ids.values()) == ["a.txt"] * 2
    assert "a.txt" in ids.values()
    back = read_files([tmp_path / folder / "a.txt" for folder in "zyx"])
    assert {made.text: made.id for made in back.documents} == ids
    assert len(corpus.duplicates) == 1


def test_progress_counts_files(tmp_path: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    files = {"a.txt": "A.", "b.txt": "B."}
    read_apart(tmp_path, files, progress=lambda *now: seen.append(now))
    assert list(dict.fromkeys(seen)) == [(0, 2, "a.txt"), (1, 2, "b.txt"), (2, 2, "")]


def test_a_file_without_a_name_before_its_ending_is_read(tmp_path: Path) -> None:
    assert only(tmp_path, ".txt", "A city.")[1] == "A city."


def test_no_file_is_an_empty_corpus() -> None:
    assert read_files([]).documents == ()
