"""OpenDocument texts (LibreOffice), as they are shown: without deletions, comments and notes."""

from collections.abc import Iterator, Mapping

from lxml import etree

from core.corpus.archives.compressed_files import check_zip
from core.corpus.documents.packed import content, xml
from core.corpus.documents.prose import one_document
from core.corpus.documents.raised import subscript, superscript
from core.corpus.documents.tables import Cell, expand_spans, table_text
from core.corpus.file_contents import Contents, Limits, check_rows
from core.corpus.layout import Block
from core.corpus.omissions import count
from core.errors import FileRejected

_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_LEFT_OUT = {
    f"{_TEXT}table-of-content": "table{s} of contents left out",
    f"{_TEXT}alphabetical-index": "list{s} of index entries left out",
    f"{_TEXT}note": "footnote{s} or endnote{s} left out",
    f"{_TEXT}hidden-text": "hidden text{s} left out",
    f"{_TEXT}hidden-paragraph": "hidden text{s} left out",
    f"{_OFFICE}annotation": "comment{s} left out",
    f"{_DRAW}image": "picture{s} left out",
    f"{_DRAW}object": "embedded object{s} left out",
    f"{_TABLE}covered-table-cell": "",
    f"{_TEXT}sequence-decls": "",
    f"{_TEXT}variable-decls": "",
}
_PARAGRAPHS = (f"{_TEXT}p", f"{_TEXT}h")
_DEEPEST = 240  # the parser refuses more
_MOST_REPEATED = 1_000


def read_odt(data: bytes, name: str, limits: Limits) -> Contents:
    """Read headings, paragraphs, lists, tables and text boxes in order.

    Raises
    ------
    FileRejected : no .odt, broken, encrypted, or without text.
    """
    reason = "not an .odt file despite its file name; save it again from LibreOffice"
    with check_zip(data, name, limits, reason) as archive:
        parts = archive.namelist()
        manifest = "META-INF/manifest.xml"
        if manifest in parts and b"encryption-data" in content(archive, manifest, name):
            raise FileRejected(name, "it is encrypted; save it without a password")
        root = xml(archive, "content.xml", name)
        about = xml(archive, "meta.xml", name) if "meta.xml" in parts else None
    body = next(root.iter(f"{_OFFICE}text"), None)
    if body is None:
        raise FileRejected(name, "not an OpenDocument text; save it as .odt")
    blocks = list(_Document(name, limits, _positions(root)).blocks(body, 0))
    titled = about.find(".//{http://purl.org/dc/elements/1.1/}title") if about is not None else None
    title = (titled.text or "") if titled is not None else ""
    return one_document(name, "OpenDocument", blocks, title, limits=limits, markers=True)


class _Document:
    """Reads one document and counts its table cells."""

    def __init__(self, name: str, limits: Limits, positions: Mapping[str, str]) -> None:
        self._name = name
        self._limits = limits
        self._positions = positions
        self._cells = 0

    def blocks(self, parent: etree._Element, depth: int) -> Iterator[Block]:
        """Yield the blocks of an element; text boxes follow their paragraph."""
        if depth > _DEEPEST:
            count("part{s} left out (nested too deeply)")
            return
        for each in parent:
            if each.tag in _LEFT_OUT:
                count(_LEFT_OUT[each.tag], bool(_LEFT_OUT[each.tag]))
            elif each.tag == f"{_TEXT}tracked-changes":
                count("tracked deletion{s} left out", sum(1 for _ in each.iter(f"{_TEXT}deletion")))
            elif each.tag in _PARAGRAPHS:
                boxes: list[etree._Element] = []
                text = _inline(each, boxes, self._positions)
                level = each.get(f"{_TEXT}outline-level", "1") if each.tag.endswith("h") else "0"
                yield Block(text, min(int(level), 9) if level.isdecimal() else 1)
                for box in boxes:
                    yield from self.blocks(box, depth + 1)
            elif each.tag == f"{_TABLE}table":
                yield Block(self._table(each, depth))
            else:  # a list, a section, a frame
                yield from self.blocks(each, depth + 1)

    def _table(self, table: etree._Element, depth: int) -> str:
        """Return a table as text, and count its cells against the limits."""
        rows = [row for row in table.iter(f"{_TABLE}table-row") if _enclosing_table(row) is table]
        heads = table.find(f"{_TABLE}table-header-rows") is not None
        table_rows = []
        for row in expand_spans(self._row(row, depth) for row in rows):
            self._cells += len(row)
            check_rows(0, self._cells, self._name, self._limits)
            table_rows.append(row)
        return table_text(table_rows, header=True if heads else None)

    def _row(self, row: etree._Element, depth: int) -> list[Cell]:
        """Return the cells of a row with the columns and rows that each spans; empty ones once."""
        cells: list[Cell] = []
        for cell in row.iter(f"{_TABLE}table-cell"):
            if cell.getparent() is row:
                text = "\n".join(each.text for each in self.blocks(cell, depth + 1))
                wide = _number(cell, "number-columns-spanned")
                tall = _number(cell, "number-rows-spanned")
                many = _number(cell, "number-columns-repeated") if text else 1
                cells += [(text, wide, tall)] * many
        return cells


def _enclosing_table(row: etree._Element) -> etree._Element | None:
    return next(row.iterancestors(f"{_TABLE}table"), None)


def _positions(root: etree._Element) -> dict[str, str]:
    """Return the text position of each style, such as 'super 58%' or '-33% 58%'."""
    positions = {}
    for style in root.iter(f"{_STYLE}style"):
        properties = style.find(f"{_STYLE}text-properties")
        if properties is not None and (place := properties.get(f"{_STYLE}text-position")):
            positions[style.get(f"{_STYLE}name", "")] = place
    return positions


def _with_small_script(text: str, before: str, place: str) -> str:
    if place.startswith(("sub", "-")):
        return subscript(text, before)
    return text if place.startswith("0") else superscript(text, before)


def _inline(
    paragraph: etree._Element, boxes: list[etree._Element], positions: Mapping[str, str]
) -> str:
    """Return the text of a paragraph, and append its text boxes to `boxes`."""
    said: list[str] = []
    walk = etree.iterwalk(paragraph, events=("start", "end"))
    for event, each in walk:
        if event == "end":
            if each is not paragraph:
                said.append(each.tail or "")
            continue
        if each.tag in _LEFT_OUT or each.tag == f"{_DRAW}text-box":
            if each.tag in _LEFT_OUT:
                count(_LEFT_OUT[each.tag], bool(_LEFT_OUT[each.tag]))
            else:
                boxes.append(each)
            walk.skip_subtree()
            continue
        if each.tag == f"{_TEXT}span" and not len(each):
            place = positions.get(each.get(f"{_TEXT}style-name", ""))
            if place and each.text:
                said.append(_with_small_script(each.text, "".join(said[-2:]), place))
                continue
        if each.tag == f"{_TEXT}s":
            said.append(" " * min(_number(each, "c", _TEXT), 100))
        elif each.tag == f"{_TEXT}tab":
            said.append("\t")
        elif each.tag == f"{_TEXT}line-break":
            said.append("\n")
        said.append(each.text or "")
    return "".join(said)


def _number(element: etree._Element, attribute: str, space: str = _TABLE) -> int:
    given = element.get(f"{space}{attribute}", "1")
    return min(int(given), _MOST_REPEATED) if given.isdecimal() and len(given) < 9 else 1
