"""Word files."""

import re
from collections.abc import Iterator
from io import BytesIO
from zipfile import BadZipFile

from docx import Document as open_docx
from docx.document import Document as Docx
from docx.opc.exceptions import OpcError
from docx.table import Table, _Cell
from docx.text.paragraph import Paragraph
from lxml.etree import LxmlError

from core.corpus.archives import check_zip
from core.corpus.broken import BROKEN
from core.corpus.contents import Contents, Limits, check_rows
from core.corpus.layout import Block
from core.corpus.prose import one_document
from core.errors import FileRejected

_OLE = b"\xd0\xcf\x11\xe0"
_HEADING = re.compile(r"[Hh]eading ([1-9])")
_BOLD_LEVEL = 5  # below the headings that styles are used for
_BOLD_WORDS = 12


def read_docx(data: bytes, name: str, limits: Limits) -> Contents:
    """Paragraphs and tables of a Word file in order, a table's row as one line.

    Raises
    ------
    FileRejected : no .docx, broken, encrypted, or without text.
    """
    if data.startswith(_OLE):
        raise FileRejected(
            name, "an encrypted or an old Word file; save it as .docx without a password"
        )
    check_zip(data, name, limits, "not a .docx file, whatever its name says; save it from Word")
    try:
        file = open_docx(BytesIO(data))
        blocks = _blocks(file, name, limits)
        title = file.core_properties.title
    except (OpcError, LxmlError, SyntaxError, BadZipFile, *BROKEN) as error:
        raise FileRejected(name, "a broken .docx file; open it and save it again") from error
    return one_document(name, "Word", blocks, title or "")


def _blocks(file: Docx, name: str, limits: Limits) -> list[Block]:
    blocks: list[Block] = []
    cells = 0
    for block in file.iter_inner_content():
        if not isinstance(block, Table):
            blocks.append(Block(block.text, _level(block)))
            continue
        rows = []
        for row in _rows(block):
            cells += len(row)
            check_rows(0, cells, name, limits)
            rows.append(" | ".join(row))
        blocks.append(Block("\n".join(rows)))
    return blocks


def _level(paragraph: Paragraph) -> int:
    """Of a heading, by its style or as a line in bold, else 0."""
    style = paragraph.style
    if style is not None and style.name == "Title":
        return 1
    named = _HEADING.fullmatch(style.name or "") if style is not None else None
    if named:
        return 1 + int(named[1])
    return _BOLD_LEVEL if _is_bold_line(paragraph) else 0


def _is_bold_line(paragraph: Paragraph) -> bool:
    """Whether it is a heading that was set by hand: a few words, all in bold, and no sentence."""
    said = [run for run in paragraph.runs if run.text.strip()]
    text = paragraph.text.strip()
    short = 0 < len(text.split()) <= _BOLD_WORDS and text[-1] not in ".,;:"
    return short and bool(said) and all(run.bold for run in said)


def _rows(table: Table) -> Iterator[list[str]]:
    """The cells of each row. One that spans columns stands once, however many it claims; one that
    spans rows stands in each of them."""
    above: dict[int, str] = {}
    for row in table._tbl.tr_lst:
        place = row.grid_before
        here: dict[int, str] = {}
        for cell in row.tc_lst:
            joined = cell.vMerge == "continue" and place in above
            here[place] = above[place] if joined else _Cell(cell, table).text.strip()
            place += max(1, cell.grid_span)
        yield list(here.values())
        above = here
