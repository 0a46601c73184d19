"""Word files, as Word shows them with all tracked changes accepted."""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from zipfile import ZipFile

from docx import Document as open_docx
from docx.document import Document as Docx
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.exceptions import OpcError
from docx.oxml.ns import qn
from lxml.etree import _Element

from core.corpus.documents.packed import office_file
from core.corpus.documents.prose import one_document
from core.corpus.documents.raised import subscript, superscript
from core.corpus.documents.tables import table_text
from core.corpus.file_contents import Contents, Limits, check_rows
from core.corpus.layout import Block
from core.corpus.omissions import count

_HEADING = re.compile(r"[Hh]eading ([1-9])")
_CONTENTS = re.compile(r"toc \d", re.IGNORECASE)
_BOLD_LEVEL = 5  # below the headings that styles are used for
_BOLD_WORDS = 12
_DEEPEST = 40  # tables and text boxes inside of each other
_COMPATIBLE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MATHS = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"

# Elements that wrap text without changing it: insertions, moved text, content controls, smart tags,
# fields, links.
_AROUND = frozenset(
    map(
        qn,
        "w:ins w:moveTo w:sdt w:sdtContent w:smartTag w:customXml w:hyperlink w:fldSimple w:dir "
        "w:bdo w:rubyBase w:ruby".split(),
    )
)
_LEFT_OUT = {
    qn("w:del"): "tracked deletion{s} left out",
    qn("w:moveFrom"): "tracked deletion{s} left out",
    qn("w:altChunk"): "embedded file{s} left out",
    qn("w:footnoteReference"): "footnote{s} or endnote{s} left out",
    qn("w:endnoteReference"): "footnote{s} or endnote{s} left out",
}
_SIGNS = {
    qn("w:tab"): "\t",
    qn("w:br"): "\n",
    qn("w:cr"): "\n",
    qn("w:noBreakHyphen"): "-",
    qn("w:ptab"): "\t",
}
_P, _TABLE, _ROW, _CELL, _RUN = map(qn, ("w:p", "w:tbl", "w:tr", "w:tc", "w:r"))
_BOX = qn("w:txbxContent")
_PICTURES = (qn("a:blip"), "{urn:schemas-microsoft-com:vml}imagedata")


def read_docx(data: bytes, name: str, limits: Limits) -> Contents:
    """Read paragraphs, tables and text boxes of a Word file in order.

    Raises
    ------
    FileRejected : no .docx, broken, encrypted, or without text.
    """
    with office_file(data, name, limits, "Word", ".docx", OpcError) as archive:
        file = open_docx(BytesIO(data))
        blocks = list(_Word(file, name, limits).blocks(file.element.body, 0))
        title = file.core_properties.title
        _count_parts(archive)
    return one_document(name, "Word", blocks, title or "", limits=limits, markers=True)


def _count_parts(archive: ZipFile) -> None:
    """Count the parts of a file that are left out: page headers, page footers and comments."""
    for entry in archive.namelist():
        if re.fullmatch(r"word/(?:header|footer)\d*\.xml", entry):
            count("page header{s} or footer{s} left out", b"<w:t" in archive.read(entry))
        elif entry == "word/comments.xml":
            count("comment{s} left out", archive.read(entry).count(b"<w:comment "))


class _Word:
    """Reads one Word file: keeps its style names and counts its table cells."""

    def __init__(self, file: Docx, name: str, limits: Limits) -> None:
        self._part = file.part
        self._name = name
        self._limits = limits
        self._cells = 0
        self._styles: dict[str | None, str] = {}

    def blocks(self, body: _Element, depth: int) -> Iterator[Block]:
        """Yield paragraphs and tables; the content of a text box follows its paragraph."""
        for each in _children(body):
            if each.tag == _P:
                yield from self._paragraph(each, depth)
            elif each.tag == _TABLE:
                yield Block(self._table(each, depth))

    def _paragraph(self, paragraph: _Element, depth: int) -> Iterator[Block]:
        """Yield a paragraph with its heading level, then the blocks of its text boxes."""
        style = self._style(paragraph)
        if _CONTENTS.fullmatch(style):
            count("line{s} of a table of contents left out")
            return
        boxes: list[_Element] = []
        runs: list[tuple[_Element, str]] = []
        text = ""
        for run in _children(paragraph):
            said = _with_script_level(run, _text(run, boxes), text)
            runs.append((run, said))
            text += said
        yield Block(text, self._level(style, paragraph, text, runs))
        for box in boxes[: _DEEPEST - depth]:
            yield from self.blocks(box, depth + 1)

    def _style(self, paragraph: _Element) -> str:
        """Return the name of a paragraph's style, in English for Word's built-in styles."""
        key = paragraph.style
        if key not in self._styles:
            style = self._part.get_style(key, WD_STYLE_TYPE.PARAGRAPH)
            self._styles[key] = (style.name or "") if style is not None else ""
        return self._styles[key]

    def _level(
        self, style: str, paragraph: _Element, text: str, runs: Iterable[tuple[_Element, str]]
    ) -> int:
        """Return the level of a heading, recognised by its style or bold type; 0 if it is none."""
        if style == "Title":
            return 1
        if named := _HEADING.fullmatch(style):
            return 1 + int(named[1])
        outline = paragraph.find(f"{qn('w:pPr')}/{qn('w:outlineLvl')}")
        given = outline.get(qn("w:val"), "") if outline is not None else ""
        if given.isdecimal() and int(given) < 9:
            return 2 + int(given)
        return _BOLD_LEVEL if _is_bold_line(text.strip(), runs) else 0

    def _table(self, table: _Element, depth: int) -> str:
        """Return a table as text, without deleted rows, and count its cells against the limits."""
        if depth > _DEEPEST:
            count("table{s} left out (nested too deeply)")
            return ""
        rows = [row for row in _children(table) if row.tag == _ROW]
        cells = []
        above: dict[int, str] = {}
        for row in rows:
            if row.find(f"{qn('w:trPr')}/{qn('w:del')}") is not None:
                count("tracked deletion{s} left out")
                continue
            above = self._row(row, above, depth)
            self._cells += len(above)
            check_rows(0, self._cells, self._name, self._limits)
            cells.append(list(above.values()))
        return table_text(cells, header=True if rows and _is_header(rows[0]) else None)

    def _row(self, row: _Element, above: dict[int, str], depth: int) -> dict[int, str]:
        """Return the text of each cell of a row by column.

        A cell that spans columns is returned once, at its first column. A cell that continues one
        of the row above has the text of that cell.

        Parameters
        ----------
        above : the cells of the row above, by column.
        """
        cells: dict[int, str] = {}
        column = _number(row.find(f"{qn('w:trPr')}/{qn('w:gridBefore')}"), 0)
        for cell in (child for child in _children(row) if child.tag == _CELL):
            merge = cell.find(f"{qn('w:tcPr')}/{qn('w:vMerge')}")
            continues = merge is not None and merge.get(qn("w:val")) != "restart"
            is_repeated = continues and column in above
            cells[column] = above[column] if is_repeated else self._cell(cell, depth)
            column += _number(cell.find(f"{qn('w:tcPr')}/{qn('w:gridSpan')}"), 1) or 1
        return cells

    def _cell(self, cell: _Element, depth: int) -> str:
        return "\n".join(each.text for each in self.blocks(cell, depth + 1)).strip()


def _children(parent: _Element) -> Iterator[_Element]:
    """Yield the children of a paragraph, table or body, with tracked changes accepted.

    Wrapping elements (`_AROUND`) are replaced by their children. Of alternatives for several
    versions of Word, only the first is read.
    """
    for each in parent:
        if each.tag in _AROUND:
            yield from _children(each)
        elif each.tag == f"{_COMPATIBLE}AlternateContent":
            yield from _children(next(iter(each), each))
        elif each.tag in _LEFT_OUT:
            count(_LEFT_OUT[each.tag])
        else:
            yield each


def _text(run: _Element, boxes: list[_Element]) -> str:
    """Return the text of a run or a formula, and append its text boxes to `boxes`."""
    if run.tag.startswith(_MATHS):
        return "".join(each.text or "" for each in run.iter(f"{_MATHS}t"))
    if run.tag != _RUN:
        return ""
    hidden = run.find(f"{qn('w:rPr')}/{qn('w:vanish')}")
    if hidden is not None and hidden.get(qn("w:val")) not in ("0", "false"):
        count("hidden text{s} left out")
        return ""
    said = []
    for each in _children(run):
        if each.tag == qn("w:t"):
            said.append(each.text or "")
        elif each.tag == qn("w:sym"):
            said.append(_sign(each))
        elif each.tag in _SIGNS:
            said.append(_SIGNS[each.tag])
        else:
            boxes += _boxes(each)
            count("picture{s} left out", sum(1 for _ in each.iter(*_PICTURES)))
    return "".join(said)


def _with_script_level(run: _Element, said: str, before: str) -> str:
    """Return the text of a run, in small characters if it is a superscript or subscript."""
    place = run.find(f"{qn('w:rPr')}/{qn('w:vertAlign')}")
    kind = place.get(qn("w:val")) if place is not None and said.strip() else ""
    if kind == "superscript":
        return superscript(said, before)
    return subscript(said, before) if kind == "subscript" else said


def _boxes(drawing: _Element) -> list[_Element]:
    """Return the text boxes of a drawing, without those inside of them and older versions."""
    boxes: list[_Element] = []
    waiting = [drawing]
    while waiting:
        each = waiting.pop()
        if each.tag == _BOX:
            boxes.append(each)
        elif each.tag == f"{_COMPATIBLE}AlternateContent":
            waiting += list(each)[:1]
        else:
            waiting += reversed(list(each))
    return boxes


def _sign(symbol: _Element) -> str:
    """Return a character of a symbol font, unless it is in the font's private range."""
    code = symbol.get(qn("w:char"), "")
    number = int(code, 16) if re.fullmatch(r"[0-9A-Fa-f]{1,5}", code) else 0
    if not number or 0xE000 <= number <= 0xF8FF:
        count("character{s} in a symbol font left out")
        return ""
    return chr(number)


def _is_bold_line(text: str, runs: Iterable[tuple[_Element, str]]) -> bool:
    """Return whether a line is a heading without a style: a few words in bold, no sentence."""
    short = 0 < len(text.split()) <= _BOLD_WORDS and text[-1] not in ".,;:"
    return short and all(_is_bold(run) for run, said in runs if said.strip())


def _is_bold(run: _Element) -> bool:
    bold = run.find(f"{qn('w:rPr')}/{qn('w:b')}")
    return bold is not None and bold.get(qn("w:val")) not in ("0", "false")


def _is_header(row: _Element) -> bool:
    """Return whether a table's first row is marked as its header, or is all in bold."""
    if row.find(f"{qn('w:trPr')}/{qn('w:tblHeader')}") is not None:
        return True
    runs = [
        run
        for run in row.iter(_RUN)
        if any((each.text or "").strip() for each in run.iter(qn("w:t")))
    ]
    return bool(runs) and all(map(_is_bold, runs))


def _number(element: _Element | None, otherwise: int) -> int:
    given = element.get(qn("w:val"), "") if element is not None else ""
    return int(given) if given.isdecimal() and len(given) < 9 else otherwise
