"""Titles and headings of files: what is told beside the text, and what is text."""

from io import BytesIO
from pathlib import Path

import pytest
from docx import Document as new_docx

from core.corpus import Chunking, chunk
from core.corpus.documents.prose import title_line
from core.corpus.layout import is_generated_title, layout_from_json, layout_to_json
from core.types import Document, Layout, Section
from tests.core.corpus.files import read, typeset

MARKDOWN = """# Ports of the Ash

Two towns have one.

## Selby

Selby is a port.

```
# no heading
```

York
----

York is older."""
HTML = """<title>Ports of the Ash | My site</title><h1>Ports of the <i>Ash</i></h1><p>Two towns have
one.</p><h2>Selby</h2><p>Selby is a port.</p><section><h2>York</h2>York is older.</section>"""
PDF = typeset(
    [(24, "Ports of the Ash"), (11, "Two towns have one."), (16, "Selby"), (11, "Selby is a")],
    [(11, "port."), (16, "York"), (11, "York is older."), (11, "2")],
    title="Microsoft Word - doc1.docx",
)
SECTIONS = {
    "Ports of the Ash": "Two towns have one.",
    "Ports of the Ash: Selby": "Selby is a port.",
    "Ports of the Ash: York": "York is older.",
}


def word() -> bytes:
    file = new_docx()
    file.core_properties.title = "doc1"
    file.add_heading("Ports of the Ash", 0)
    file.add_paragraph("Two towns have one.")
    file.add_heading("Selby", 1)
    file.add_paragraph("Selby is a port.")
    file.add_heading("York", 1)
    file.add_paragraph("York is older.")
    buffer = BytesIO()
    file.save(buffer)
    return buffer.getvalue()


def only(folder: Path, name: str, content: bytes | str) -> Document:
    corpus = read(folder, {name: content})
    assert not corpus.rejected
    (made,) = corpus.documents
    return made


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.md", MARKDOWN), ("a.html", HTML), ("a.pdf", PDF), ("a.docx", word())],
)
def test_a_heading_is_told_in_titles_and_is_no_text(
    tmp_path: Path, name: str, content: bytes | str
) -> None:
    made = only(tmp_path, name, content)
    assert made.title == "Ports of the Ash"
    found = {}
    for passage in chunk([made], Chunking()):
        title = passage.title.partition(" (page")[0]
        found[title] = passage.text.replace("\n", " ").partition("  ```")[0]
    assert found == SECTIONS


def test_headings_nest_and_those_with_nothing_below_are_text(tmp_path: Path) -> None:
    made = only(tmp_path, "a.md", "# Ports\n## Selby\n### Quay\nLong.\n## York\n## Hull\n")
    assert made.layout.sections == (
        Section(0, ("Selby", "Quay")),
        Section(7, ("York",)),
        Section(13, ("Hull",)),
    )
    assert made.text == "Long.\n\nYork\n\nHull"
    assert only(tmp_path, "b.md", "# Ports").text == "Ports"


def test_a_whole_document_says_where_its_sections_begin(tmp_path: Path) -> None:
    made = only(tmp_path, "a.md", "# Ports\n\nTwo.\n\n## Selby\n\nA port.")
    (passage,) = chunk([made], Chunking.parse("as-is"))
    assert (passage.title, passage.text) == ("Ports", "Two.\n\nSelby\n\nA port.")


def test_front_matter_has_the_title(tmp_path: Path) -> None:
    made = only(tmp_path, "a.md", '---\ntitle: "Ports"\ntags: x\n---\nTwo.\n\n## Selby\n\nA port.')
    assert (made.title, made.text) == ("Ports", "Two.\n\nA port.")


def test_chapters_of_a_plain_text_are_headings(tmp_path: Path) -> None:
    text = "By A. N.\n\nCHAPTER I. The quay\n\nIt is long.\n\nchapter 2 of it is\nread.\n\n"
    text += "Chapter 2\n\nEnd."
    made = only(tmp_path, "port.txt", text)
    assert made.title == "port"
    assert [each.path for each in made.layout.sections] == [
        (),
        ("CHAPTER I. The quay",),
        ("Chapter 2",),
    ]
    assert "chapter 2 of it is\nread." in made.text


@pytest.mark.parametrize(
    "title",
    [
        "",
        "untitled",
        "Microsoft Word - doc1.docx",
        "doc1.docx",
        "Document3",
        "C:\\Users\\me\\a",
        "/home/me/report",
        "file:///a",
        "about:blank",
        "Normal.dotm",
        "PowerPoint Presentation",
        "(anonymous)",
        "a",
    ],
)
def test_a_title_that_a_program_made_up_gives_way_to_the_heading(
    tmp_path: Path, title: str
) -> None:
    assert is_generated_title(title, "a.pdf")
    lines = [(24, "Ports of the Ash"), (11, "Two towns have one, and it is old.")]
    made = only(tmp_path, "a.pdf", typeset(lines, title=title.replace("\\", "\\\\")))
    assert made.title == "Ports of the Ash"


def test_a_title_that_somebody_wrote_stays(tmp_path: Path) -> None:
    lines = [(24, "Summary"), (11, "Two towns have one, and it is old.")]
    made = only(tmp_path, "a.pdf", typeset(lines, title="Ports of the Ash"))
    assert made.title == "Ports of the Ash"
    assert [each.title for each in chunk([made], Chunking())] == ["Ports of the Ash: Summary"]


@pytest.mark.parametrize("title", ["Tides: a history | My site", "Tides: a history, 2009 – A"])
def test_a_heading_that_the_title_holds_is_told_once(tmp_path: Path, title: str) -> None:
    page = (
        f"<title>{title}</title><body><header>Log in</header><h1>Tides: a history</h1>"
        "<p>It rose.</p><footer>All rights reserved</footer>"
    )
    made = only(tmp_path, "a.html", page)
    assert (made.title, made.text) == ("Tides: a history", "It rose.")


@pytest.mark.parametrize(
    ("text", "title", "kept"),
    [
        ("Ports of the Ash\n\nIt is old.", "Ports of the Ash", "It is old."),
        ("Dear Ada,\n\nIt is old.", "two ports", "Dear Ada,\n\nIt is old."),
        ("Memo\n\nIt is old.", "two ports", "Memo\n\nIt is old."),
        ("Two lines of\na verse\n\nIt is.", "two ports", "Two lines of\na verse\n\nIt is."),
    ],
)
def test_a_text_that_begins_with_a_line_of_its_own_is_called_by_it(
    tmp_path: Path, text: str, title: str, kept: str
) -> None:
    made = only(tmp_path, "two_ports.txt", text)
    assert (made.title, made.text) == (title, kept)


def test_a_line_that_the_page_broke_goes_on(tmp_path: Path) -> None:
    page = [(11, "The harbour of the north lies"), (11, "behind a wall."), (11, "1 ton"), (11, "2")]
    made = only(tmp_path, "a.pdf", typeset([*page, (11, "It is old.")]))
    assert made.text == "The harbour of the north lies behind a wall.\n1 ton\n2\nIt is old."


def test_a_paragraph_in_bold_is_a_heading_of_a_word_file(tmp_path: Path) -> None:
    file = new_docx()
    for text in ("Talk with Ada", "All of this is bold."):
        file.add_paragraph().add_run(text).bold = True
    buffer = BytesIO()
    file.save(buffer)
    made = only(tmp_path, "a.docx", buffer.getvalue())
    assert (made.title, made.text) == ("Talk with Ada", "All of this is bold.")


def test_pages_of_a_pdf_are_told_and_furniture_is_not(tmp_path: Path) -> None:
    pages = [
        [(9, f"Yearbook, page {n}"), (11, f"Of year {n}."), (11, "Long ago."), (9, f"- {n} -")]
        for n in (1, 2, 3)
    ]
    made = only(tmp_path, "years.pdf", typeset(*pages))
    assert made.text == "\n\n".join(f"Of year {n}.\nLong ago." for n in (1, 2, 3))
    assert [number for _, number in made.layout.pages] == [1, 2, 3]
    titles = [each.title for each in chunk([made], Chunking.parse("paragraph"))]
    assert titles == ["years (page 1)"]
    titles = [each.title for each in chunk([made], Chunking.parse("sentence"))]
    assert titles[::2] == [f"years (page {n})" for n in (1, 2, 3)]


def test_a_sentence_runs_over_to_the_next_page(tmp_path: Path) -> None:
    made = only(tmp_path, "a.pdf", typeset([(11, "Selby is a")], [(11, "port.")]))
    assert made.text == "Selby is a\nport."


def test_a_line_in_bold_is_a_heading_and_a_bold_sentence_is_none(tmp_path: Path) -> None:
    page = [(-11, "Selby"), (11, "Selby is a port of the north."), (-11, "It is old.")]
    made = only(tmp_path, "a.pdf", typeset(page))
    assert (made.title, made.text) == ("Selby", "Selby is a port of the north.\nIt is old.")


def test_a_layout_is_written_as_it_is_read() -> None:
    layout = Layout((Section(0, ()), Section(7, ("A", "B"))), ((0, 1), (9, 3)))
    assert layout_from_json(layout_to_json(layout)) == layout
    assert layout_to_json(Layout()) == {}


def test_a_passage_is_called_by_the_heading_that_its_text_speaks_of(tmp_path: Path) -> None:
    text = "# Ash\n\n## 2.1 Selby\n\nSelby is a port.\n\n## History\n\nThe river is old.\n"
    passages = chunk([only(tmp_path, "a.md", text)], Chunking())
    assert [each.name for each in passages] == ["Selby", "Ash"]
    assert [each.title for each in passages] == ["Ash: 2.1 Selby", "Ash: History"]


@pytest.mark.parametrize(
    "line", ["Eddering", "Saint-Aubé", "Eddering: a village", "Eddering, 1900–50"]
)
def test_a_first_line_that_is_plainly_a_title_is_the_title(tmp_path: Path, line: str) -> None:
    made = only(tmp_path, "eddering.txt", f"{line}\n\nFrom {line} one sees the coast.\n")
    assert (made.title, made.text) == (line, f"From {line} one sees the coast.")


@pytest.mark.parametrize(
    "text",
    [
        "Eddering lies on the coast.\n\nEddering has a port.",  # a sentence
        "Of Eddering we know this:\n\nIt has a port.",  # what leads to what follows
        "Eddering\nEddering has a port.",  # no blank line
        "Eddering",  # of nothing
        "Introduction\n\nEddering has a port.",  # no name of what follows
        "port\n\nIt is a port.",
        "1931\n\nIn 1931 it was a port.",
        "Port\n\nPortland is no port.",
        f"{'so ' * 30}on\n\nIt has a port.",  # long
    ],
)
def test_what_is_not_plainly_a_title_leaves_it_to_the_name_of_the_file(
    tmp_path: Path, text: str
) -> None:
    made = only(tmp_path, "a_village.txt", text)
    assert (made.title, made.text) == ("a village", text)


def test_a_title_line_has_no_signs_of_markdown(tmp_path: Path) -> None:
    assert only(tmp_path, "notes.txt", "# Piet Larkin\n\nA captain.").title == "Piet Larkin"


def test_a_first_line_that_a_program_made_up_is_no_title(tmp_path: Path) -> None:
    assert only(tmp_path, "a_village.txt", "New document\n\nA port.").title == "a village"


@pytest.mark.parametrize("text", ["", "\n\n", "Eddering", "\n\nEddering\n\n"])
def test_nothing_and_a_line_alone_have_no_title_line(text: str) -> None:
    assert title_line(text) is None
