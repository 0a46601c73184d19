"""PDF files: headings of one size, columns, hyphens, and pages that are pictures."""

from pathlib import Path

import pytest

from tests.core.corpus.documents.reading import only, sections
from tests.core.corpus.files import drawn, typeset

TEXT = (11, "The mill of Orrin stands on the river Ash and was built by Finch.")


def test_headings_of_one_size_are_not_merged(tmp_path: Path) -> None:
    page = [(16, "Ports of the Ash"), (16, "Selby"), TEXT, (16, "York"), (11, "York is older.")]
    made, _ = only(tmp_path, "a.pdf", typeset(page))
    assert made.title == "Ports of the Ash"
    assert sections(made) == [("Selby",), ("York",)]
    assert made.text.startswith("The mill")


def test_a_section_and_its_first_part_of_one_size_are_two_headings(tmp_path: Path) -> None:
    page = [(24, "Ports"), (16, "1 The north"), (16, "1.1 Selby"), TEXT]
    made, _ = only(tmp_path, "a.pdf", typeset(page))
    assert made.title == "Ports"
    assert "1 The north" in made.text
    assert sections(made)[-1] == ("1.1 Selby",)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ports, mills and ferries of the river Ash", "between Selby and Hull"),
        ("A history of the", "Ash"),
    ],
)
def test_a_heading_that_had_no_room_goes_on(tmp_path: Path, first: str, second: str) -> None:
    made, _ = only(tmp_path, "a.pdf", typeset([(16, first), (16, second), TEXT]))
    assert made.title == f"{first} {second}"


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = ["The mill of Orrin stands on the river", "Ash and was built by Ada Finch in the"]
    left += ["year 1790 of oak and stone, as the log", "of the harbour tells."]
    right = ["Selby is a port of the north, and its", "harbour is old. Its quay was rebuilt"]
    right += ["by Maren Ule, who came from Hull with", "her two sons in the spring."]
    rows = [(72, 740, 18, "Mills and ports of the river Ash")]
    for number, (one, other) in enumerate(zip(left, right, strict=True)):
        rows += [(72, 700 - 14 * number, 10, one), (320, 700 - 14 * number, 10, other)]
    made, notes = only(tmp_path, "a.pdf", drawn([*rows, (72, 600, 10, "Both end here.")]))
    assert " ".join(made.text.split()) == " ".join([*left, "Both end here.", *right])
    assert notes == ["1 page in two columns read one column after the other"]


def test_a_table_of_short_cells_is_no_columns(tmp_path: Path) -> None:
    rows = [
        (x, 700 - 14 * n, 10, text)
        for n in range(6)
        for x, text in ((72, f"Mill {n}"), (320, f"18{n}0"))
    ]
    made, notes = only(tmp_path, "a.pdf", drawn(rows))
    assert made.text.startswith("Mill 0 1800 Mill 1 1810")
    assert notes == []


def test_words_that_a_line_end_divides_are_joined(tmp_path: Path) -> None:
    page = [
        (11, "It is a well-known harbour of the north that was im-"),
        (11, "proved again by Ule, and is well-"),
        (11, "known for its quay and by the Anglo-"),
        (11, "Saxon wall."),
    ]
    made, notes = only(tmp_path, "a.pdf", typeset(page))
    text = made.text.replace("\n", " ")
    assert "was improved again" in text
    assert "is well-known for" in text
    assert "Anglo-Saxon wall" in text
    assert notes == ["1 word split across lines joined"]


def test_a_word_that_a_page_end_divides_is_joined(tmp_path: Path) -> None:
    made, notes = only(tmp_path, "a.pdf", typeset([(11, "Selby is a har-")], [(11, "bour.")]))
    assert made.text == "Selby is a harbour."
    assert made.layout.pages == ((0, 1), (14, 2))
    assert notes == ["1 word split across lines joined"]


def test_a_page_that_is_a_picture_is_said(tmp_path: Path) -> None:
    made, notes = only(tmp_path, "a.pdf", drawn([(72, 700, 11, TEXT[1])], None))
    assert made.text == TEXT[1]
    assert notes == ["1 page with a picture but no text left out: run text recognition (OCR) first"]


def test_references_of_a_paper_and_their_markers_are_left_out(tmp_path: Path) -> None:
    page = [
        (20, "Mills"),
        (11, "It is old.[1] See a[1] of the log[2, 3], p. 9."),
        (16, "References"),
    ]
    made, notes = only(
        tmp_path, "a.pdf", typeset([*page, (11, "[1] Colm 1990."), (11, "[2] Log.")])
    )
    assert made.text == "It is old. See a[1] of the log, p. 9."
    assert notes == [
        "2 lines of reference lists left out by default",
        "2 reference markers such as [1] left out by default",
    ]


def test_page_numbers_are_counted(tmp_path: Path) -> None:
    pages = [[(9, "Yearbook"), (11, f"Of year {n}."), (9, f"- {n} -")] for n in (1, 2, 3)]
    assert only(tmp_path, "a.pdf", typeset(*pages))[1] == [
        "6 page numbers and running heads left out"
    ]
