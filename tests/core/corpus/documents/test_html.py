"""HTML pages: what a browser shows is read, and what is not is counted."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.corpus.file_contents import LIMITS
from tests.core.corpus.documents.reading import only, sections

WIKI = (
    "<html><head><title>Osprey (ferry) - Harbour Wiki</title></head><body><nav>Main page</nav>"
    "<h1>Osprey (ferry)</h1><p>Rebuilt by the <a href='t'>Tamsin yard</a><sup>[1]</sup> in 1988."
    "<sup>[2]</sup></p><h2>References</h2><ol><li>Colm 1990</li><li>Harbour log</li></ol>"
    "<h2>Crew<span class='mw-editsection'>[edit]</span></h2><p>Ten.</p></body></html>"
)


def test_markers_and_the_list_of_references_are_left_out_and_counted(tmp_path: Path) -> None:
    made, notes = only(tmp_path, "a.html", WIKI)
    assert made.title == "Osprey (ferry)"
    assert made.text == "Rebuilt by the Tamsin yard in 1988.\n\nTen."
    assert sections(made) == [(), ("Crew",)]
    assert notes == [
        "2 navigation blocks left out",
        "2 reference markers such as [1] left out by default",
        "2 lines of reference lists left out by default",
    ]


def test_references_are_read_when_asked_for(tmp_path: Path) -> None:
    made, notes = only(tmp_path, "a.html", WIKI, replace(LIMITS, references=True))
    assert "Tamsin yard[1] in 1988.[2]" in made.text
    assert "Harbour log" in made.text
    assert notes == ["2 navigation blocks left out"]


@pytest.mark.parametrize(
    ("part", "note"),
    [
        ("<p hidden>x</p>", "1 hidden element left out"),
        ("<div style='color:red; DISPLAY : none'>x<b>y</b></div>", "1 hidden element left out"),
        ("<span style='visibility:hidden'>x</span>", "1 hidden element left out"),
        ("<dialog>x</dialog>", "1 hidden element left out"),
        ("<select><option>DE<option>FR</select>", "1 form control left out"),
        ("<button>Send</button><textarea>x</textarea>", "2 form controls left out"),
        ("<img src='a.png' alt='x'>", "1 picture left out"),
        ("<svg><text>x</text></svg>", "1 drawing with text left out"),
        ("<div role='navigation'>x</div>", "1 navigation block left out"),
        ("<footer>x</footer>", "1 site header or footer left out"),
    ],
)
def test_what_is_no_text_of_the_page_is_counted(tmp_path: Path, part: str, note: str) -> None:
    made, notes = only(tmp_path, "a.html", f"<body><p>Kept.</p>{part}</body>")
    assert (made.text, notes) == ("Kept.", [note])


@pytest.mark.parametrize("part", ["<nav></nav>", "<p hidden></p>", "<script>x</script>"])
def test_what_says_nothing_is_not_counted(tmp_path: Path, part: str) -> None:
    assert only(tmp_path, "a.html", f"<body><p>Kept.</p>{part}</body>")[1] == []


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("3 m<sup>2</sup>", "3 m²"),
        ("10<sup>-6</sup>", "10⁻⁶"),
        ("2<sup>ab</sup>", "2ab"),
        ("e<sup>x/2</sup>", "e^(x/2)"),
        ("the 1<sup>st</sup> mill", "the 1st mill"),
        ("<b>1988</b><sup>2</sup>", "1988²"),
        ("<b>1988</b><span><sup>2</sup></span>", "1988²"),
        ("H<sub>2</sub>O, 10<sub>2</sub>", "H2O, 10₂"),
        ("H<sub>2</sub>O", "H2O"),
        ("Finch<sup><a href='#fn1'>1</a></sup>.", "Finch."),
    ],
)
def test_superscripts(tmp_path: Path, markup: str, text: str) -> None:
    assert only(tmp_path, "a.html", f"<p>{markup}</p>")[0].text == text


def test_a_cell_that_spans_rows_stands_in_each_of_them(tmp_path: Path) -> None:
    page = """<table><tr><th>Mill<th>Owner<th>Year</tr><tr><td rowspan=2>Orrin<td>Finch<td>1790
    </tr><tr><td>Ule<td>1812</tr></table>"""
    assert only(tmp_path, "a.html", page)[0].text == (
        "Mill: Orrin; Owner: Finch; Year: 1790.\n\nMill: Orrin; Owner: Ule; Year: 1812."
    )


def test_a_span_that_claims_too_much_ends_with_its_table(tmp_path: Path) -> None:
    page = "<table><tr><td rowspan=99999999 colspan=99999999>a<td>b</tr><tr><td>c</tr></table>"
    assert only(tmp_path, "a.html", page)[0].text == "a | b\n\na | c"


def test_labels_and_values_stand_in_one_line(tmp_path: Path) -> None:
    page = "<table><tr><th>Born<td>1815</tr><tr><th>Died<td>1852</tr></table>"
    assert only(tmp_path, "a.html", page)[0].text == "Born: 1815.\n\nDied: 1852."


def test_a_row_of_one_cell_is_a_caption_and_no_header(tmp_path: Path) -> None:
    page = "<table><tr><th colspan=2>Osprey</tr><tr><th>Built<td>1812</tr><tr><th>Yard<td>Ule</tr>"
    assert only(tmp_path, "a.html", page)[0].text == "Osprey\n\nBuilt: 1812.\n\nYard: Ule."


def test_a_number_in_brackets_that_is_no_marker_stays(tmp_path: Path) -> None:
    page = "<h1>A</h1><p>Take rows[1].</p><h2>References</h2><p>Colm</p>"
    assert only(tmp_path, "a.html", page)[0].text == "Take rows[1]."


def test_a_table_that_lays_out_a_page_is_read_as_paragraphs(tmp_path: Path) -> None:
    page = "<table><tr><td><h1>Ports</h1><p>Two.</p><td><table><tr><td>a<td>b</table></table>"
    made, _ = only(tmp_path, "a.html", page)
    assert (made.title, made.text) == ("Ports", "Two.\n\na | b")
