"""Word files: all that Word shows is read, and what is not is counted."""

from io import BytesIO
from pathlib import Path

import pytest
from docx import Document as new_docx

from tests.core.corpus.documents.reading import only
from tests.core.corpus.hostile.office import docx_of

RUN = "<w:r><w:t>{}</w:t></w:r>"
BOX = "<w:r><w:pict><v:shape xmlns:v='urn:schemas-microsoft-com:vml'><v:textbox><w:txbxContent>{}"
BOX += "</w:txbxContent></v:textbox></v:shape></w:pict></w:r>"
BOTH = (
    "<w:r><mc:AlternateContent xmlns:mc="
    "'http://schemas.openxmlformats.org/markup-compatibility/2006'>"
    "<mc:Choice Requires='wps'><w:drawing><w:txbxContent>{0}</w:txbxContent></w:drawing>"
    "</mc:Choice>"
    "<mc:Fallback><w:pict><w:txbxContent>{0}</w:txbxContent></w:pict></mc:Fallback>"
    "</mc:AlternateContent></w:r>"
)


def paragraph(*runs: str) -> str:
    return f"<w:p>{''.join(runs)}</w:p>"


def run(text: str) -> str:
    return RUN.format(text)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (paragraph(run("It is "), f"<w:ins>{run('Brine')}</w:ins>", run(".")), "It is Brine."),
        (paragraph(f"<w:moveTo>{run('Moved here.')}</w:moveTo>"), "Moved here."),
        (f"<w:sdt><w:sdtContent>{paragraph(run('Rent.'))}</w:sdtContent></w:sdt>", "Rent."),
        (
            paragraph(run("By "), f"<w:sdt><w:sdtContent>{run('Teo')}</w:sdtContent></w:sdt>"),
            "By Teo",
        ),
        (paragraph(run("At "), f"<w:smartTag>{run('Selby')}</w:smartTag>"), "At Selby"),
        (paragraph(run("No. "), f"<w:fldSimple>{run('K-7')}</w:fldSimple>"), "No. K-7"),
        (paragraph(f"<w:hyperlink>{run('linked')}</w:hyperlink>"), "linked"),
        (paragraph(run("Map"), BOX.format(paragraph(run("A well.")))), "Map\n\nA well."),
        (paragraph(BOTH.format(paragraph(run("Once.")))), "Once."),
        (f"<w:ins>{paragraph(run('A new paragraph.'))}</w:ins>", "A new paragraph."),
    ],
)
def test_text_around_which_word_puts_something_is_read(
    tmp_path: Path, body: str, text: str
) -> None:
    made, notes = only(tmp_path, "a.docx", docx_of(body))
    assert (made.text, notes) == (text, [])


@pytest.mark.parametrize(
    ("body", "note"),
    [
        ("<w:del><w:r><w:delText>Oda</w:delText></w:r></w:del>", "1 tracked deletion left out"),
        (f"<w:moveFrom>{run('Oda')}</w:moveFrom>", "1 tracked deletion left out"),
        ("<w:r><w:rPr><w:vanish/></w:rPr><w:t>Oda</w:t></w:r>", "1 hidden text left out"),
        ("<w:r><w:footnoteReference/></w:r>", "1 footnote or endnote left out"),
    ],
)
def test_what_word_does_not_show_is_counted(tmp_path: Path, body: str, note: str) -> None:
    made, notes = only(tmp_path, "a.docx", docx_of(paragraph(run("Kept."), body)))
    assert (made.text, notes) == ("Kept.", [note])


def test_headers_and_comments_are_counted(tmp_path: Path) -> None:
    parts = {"word__header1.xml": "<x><w:t>Head</w:t></x>", "word__comments.xml": "<w:comment />"}
    _, notes = only(tmp_path, "a.docx", docx_of(paragraph(run("Kept.")), "", **parts))
    assert notes == ["1 page header or footer left out", "1 comment left out"]


def saved(file: object) -> bytes:
    buffer = BytesIO()
    file.save(buffer)  # type: ignore[attr-defined]
    return buffer.getvalue()


def table(rows: list[list[str]], *, bold: bool = False) -> bytes:
    file = new_docx()
    made = file.add_table(rows=len(rows), cols=len(rows[0]))
    for row, texts in zip(made.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.paragraphs[0].add_run(text).bold = bold and row is not made.rows[1]
    if bold:
        for cell in made.rows[1].cells:
            cell.paragraphs[0].runs[0].bold = False
    return saved(file)


def test_rows_of_a_table_say_what_their_cells_are(tmp_path: Path) -> None:
    rows = [["Group", "Head", "Town"], ["Millers", "Ada Finch", "Selby"]]
    made, _ = only(tmp_path, "a.docx", table(rows, bold=True))
    assert made.text == "Group: Millers; Head: Ada Finch; Town: Selby."


def test_a_first_row_that_may_be_data_is_no_header(tmp_path: Path) -> None:
    rows = [["Orrin", "Ada Finch", "Selby"], ["Gale", "Maren Ule", "Hull"]]
    made, notes = only(tmp_path, "a.docx", table(rows))
    assert made.text == "Orrin | Ada Finch | Selby\n\nGale | Maren Ule | Hull"
    assert notes == []


def test_a_first_row_over_numbers_is_a_header_which_is_said(tmp_path: Path) -> None:
    rows = [["Mill", "Owner", "Built"], ["Orrin", "Finch", "1790"], ["Gale", "Ule", "1812"]]
    made, notes = only(tmp_path, "a.docx", table(rows))
    assert made.text.split("\n\n")[1] == "Mill: Gale; Owner: Ule; Built: 1812."
    assert notes == ["1 table whose first row was read as column headers"]


def test_superscripts_and_subscripts(tmp_path: Path) -> None:
    file = new_docx()
    written = file.add_paragraph("1988")
    written.add_run("2").font.superscript = True
    written.add_run(" and 10")
    written.add_run("2").font.subscript = True
    written.add_run(" and H")
    written.add_run("2").font.subscript = True
    written.add_run("O.")
    assert only(tmp_path, "a.docx", saved(file))[0].text == "1988² and 10₂ and H2O."
