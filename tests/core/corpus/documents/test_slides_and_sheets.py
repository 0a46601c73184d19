"""PowerPoint and Excel files."""

from io import BytesIO
from pathlib import Path

from openpyxl import Workbook
from pptx import Presentation
from pptx.util import Inches

from tests.core.corpus.documents.reading import notes, only, sections
from tests.core.corpus.files import read


def presentation() -> bytes:
    file = Presentation()
    first = file.slides.add_slide(file.slide_layouts[1])
    first.shapes.title.text, first.placeholders[1].text = "Mills of the Ash", "Orrin is old."
    first.notes_slide.notes_text_frame.text = "It burned once."
    second = file.slides.add_slide(file.slide_layouts[5])
    second.shapes.title.text = "Owners"
    cells = second.shapes.add_table(2, 2, 0, 0, Inches(4), Inches(2)).table
    for place, text in enumerate(("Mill", "Owner", "Orrin", "Ada Finch")):
        cells.cell(place // 2, place % 2).text = text
    box = second.shapes.add_group_shape().shapes.add_textbox(0, 0, 9, 9)
    box.text_frame.text = "In a group."
    hidden = file.slides.add_slide(file.slide_layouts[5])
    hidden.shapes.title.text = "Secret"
    hidden._element.set("show", "0")
    return saved(file)


def saved(file: object) -> bytes:
    buffer = BytesIO()
    file.save(buffer)  # type: ignore[attr-defined]
    return buffer.getvalue()


def sheets(*sheets: list[list[object]]) -> Workbook:
    file = Workbook()
    file.remove(file.active)
    for number, rows in enumerate(sheets, start=1):
        sheet = file.create_sheet(f"Part {number}")
        for row in rows:
            sheet.append(row)
    return file


def test_slides(tmp_path: Path) -> None:
    made, said = only(tmp_path, "a.pptx", presentation())
    assert made.title == "Mills of the Ash"
    assert sections(made) == [(), ("Owners",)]
    assert [number for _, number in made.layout.pages] == [1, 2]
    assert made.text == (
        "Orrin is old.\n\nIt burned once.\n\nMill: Orrin; Owner: Ada Finch.\n\nIn a group."
    )
    assert said == ["1 hidden slide left out"]


def test_a_sheet_of_any_columns_is_a_part_of_a_document(tmp_path: Path) -> None:
    mills = [["Mills in 2024"], [], ["Mill", "Owner", "Town"], ["Orrin", "Ada Finch", "Selby"]]
    file = sheets(mills, [["Born", 1815], ["Died", 1852.5]], [["x"]])
    file.worksheets[2].sheet_state = "hidden"
    file.worksheets[0]["H9"] = "=1+1"
    made, said = only(tmp_path, "a.xlsx", saved(file))
    assert made.text == (
        "Mills in 2024\n\nMill: Orrin; Owner: Ada Finch; Town: Selby.\n\n"
        "Born: 1815.\n\nDied: 1852.5."
    )
    assert sections(made) == [("Part 1",), ("Part 2",)]
    assert said == [
        "1 hidden sheet left out",
        "1 formula without a calculated value left out",
        "1 table whose first row was read as column headers",
    ]


def test_a_cell_that_spans_rows_stands_in_each_of_them(tmp_path: Path) -> None:
    rows = [["Mill", "Owner", "Built"], ["Orrin", "Finch", 1790], [None, "Ule", 1812]]
    file = sheets([*rows, ["Gale", "Brine", 1820]])
    file.worksheets[0].merge_cells("A2:A3")
    made, _ = only(tmp_path, "a.xlsx", saved(file))
    assert "Mill: Orrin; Owner: Ule; Built: 1812." in made.text
    assert "Mill: Gale; Owner: Brine; Built: 1820." in made.text


def test_a_sheet_with_a_column_of_texts_is_read_as_records(tmp_path: Path) -> None:
    rows = [["id", "title", "text"], [1, "Orrin", "A mill."], [], [2, "Selby", "A port."]]
    corpus = read(tmp_path, {"a.xlsx": saved(sheets(rows, [["Colours"], ["red"]]))})
    assert [(made.id, made.title, made.text) for made in corpus.documents] == [
        ("1", "Orrin", "A mill."),
        ("2", "Selby", "A port."),
    ]
    assert notes(corpus, "a.xlsx") == ["1 sheet without a column of texts or questions left out"]


def test_superscripts_of_slides(tmp_path: Path) -> None:
    file = Presentation()
    slide = file.slides.add_slide(file.slide_layouts[5])
    slide.shapes.title.text = "Mills"
    paragraph = slide.shapes.add_textbox(0, 0, 100, 100).text_frame.paragraphs[0]
    for text, baseline in (
        ("Built in 1988", None),
        ("2", "30000"),
        (", 10", None),
        ("2", "-25000"),
    ):
        run = paragraph.add_run()
        run.text = text
        if baseline:
            run.font._element.set("baseline", baseline)
    assert only(tmp_path, "a.pptx", saved(file))[0].text == "Built in 1988², 10₂"
