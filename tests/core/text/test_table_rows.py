"""Rows of tables as lines: what readers write is recognised again, and sentences are not."""

import pytest

from core.corpus.documents.tables import table_text
from core.text.entities.passage_names import names
from core.text.table_rows import cells_of
from core.types import Passage


@pytest.mark.parametrize(
    "rows",
    [
        [["Mill", "Owner", "Built"], ["Orrin", "Ada Finch; Teo", "1790"]],
        [["Born", "1815"], ["Died", "1852"]],
        [["Orrin", "Ada Finch", "Selby"], ["Kesten", "Teo Vassen", "Orrin"]],
        [["", "2019", "2020"], ["Selby Port", "5", "7"]],
    ],
)
def test_the_cells_of_each_line_of_a_table_are_found_where_they_stand(
    rows: list[list[str]],
) -> None:
    for line in table_text(rows, header=rows[0][0] in ("Mill", "")).split("\n\n"):
        cells = cells_of(line)
        assert [cell.text for cell in cells] in [list(map(str, row)) for row in rows]
        assert all(line[cell.start : cell.end] == cell.text for cell in cells)


@pytest.mark.parametrize(
    "text",
    [
        "Orrin was built in 1790.",
        "He had one rule: never sail at night.",
        "The mill has three owners: Ada; Teo; Maren.",
        "It opened at 9:30; it closed at 17:00.",
    ],
)
def test_a_sentence_has_no_cells(text: str) -> None:
    assert cells_of(text) == []


def test_a_passage_that_begins_with_a_row_is_called_by_its_first_cell() -> None:
    assert names([Passage("p", "p", 0, "", "Group: Millers; Head: Ada Finch.")]) == ("Millers",)
