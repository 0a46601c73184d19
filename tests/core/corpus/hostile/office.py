"""PDF and Word files that are made to harm whoever reads them."""

import zlib
from functools import cache

from tests.core.corpus.files import zipped


def pdf_of_one_drawing(pages: int, size: int) -> bytes:
    """A PDF whose `pages` all show one stream of about `size` bytes, stored once and compressed."""
    once = b"BT /F1 12 Tf 72 700 Td (Words on it) Tj ET\n"
    stream = zlib.compress(once * (size // len(once)), 9)
    kids = b" ".join(b"%d 0 R" % (5 + number) for number in range(pages))
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
        b"/Resources << /Font << /F1 3 0 R >> >> /Contents 4 0 R >>"
    )
    return _pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, pages),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
        *[page] * pages,
    )


def _pdf(*objects: bytes, trailer: bytes = b"") -> bytes:
    """A PDF of `objects`, the first one its catalogue."""
    body = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, each in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    end, size = len(body), len(objects) + 1
    body += b"xref\n0 %d\n0000000000 65535 f \n" % size
    body += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    body += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF" % (size, trailer, end)
    return bytes(body)


_CATALOGUE = b"<< /Type /Catalog /Pages 2 0 R >>"
_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
_PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
    b"/Resources << /Font << /F1 4 0 R >> /XObject << /X 5 0 R >> >> /Contents 5 0 R >>"
)
_WORDS = b"BT /F1 12 Tf 72 700 Td (A city) Tj ET\n"


def _stream(content: bytes, words: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), words, content)


def _one_page(stream: bytes, page: bytes = _PAGE, font: bytes = _FONT, *more: bytes) -> bytes:
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return _pdf(_CATALOGUE, pages, page, font, stream, *more)


@cache  # a second to make
def pdfs() -> dict[str, bytes]:
    layered = zlib.compress(_WORDS * 100_000, 9)
    for _ in range(3):
        layered = zlib.compress(layered, 9)
    tree = [
        b"<< /Type /Pages /Kids [%s] /Count 10 >>" % (b"%d 0 R " % (number + 1) * 10)
        for number in range(2, 12)
    ]
    ranges = b"begincmap\n1 beginbfrange\n<0000> <FFFFFFFF> <0041>\nendbfrange\nendcmap"
    mapped = _FONT[:-2] + b"/ToUnicode 6 0 R >>"
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X 5 0 R >> >>"
    return {
        "one-drawing.pdf": pdf_of_one_drawing(pages=5000, size=2_000_000),
        "small-drawings.pdf": pdf_of_one_drawing(pages=5000, size=1600),
        "pages.pdf": pdf_of_one_drawing(pages=20_000, size=50),
        "loop.pdf": _pdf(_CATALOGUE, b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"),
        "parent-loop.pdf": _pdf(
            _CATALOGUE,
            b"<< /Type /Pages /Parent 3 0 R /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1 >>",
        ),
        "tree.pdf": _pdf(_CATALOGUE, *tree, _PAGE, _FONT, _stream(_WORDS)),
        "count.pdf": _pdf(_CATALOGUE, b"<< /Type /Pages /Kids [] /Count 999999999 >>"),
        "no-kids.pdf": _pdf(_CATALOGUE, b"<< /Type /Pages /Count 3 >>"),
        "catalogue-loop.pdf": _pdf(b"1 0 R"),
        "previous.pdf": _one_page(_stream(_WORDS)).replace(b"/Root 1 0 R", b"/Root 1 0 R /Prev 9"),
        "bomb.pdf": _one_page(
            _stream(zlib.compress(b" " * 150_000_000, 9), b"/Filter /FlateDecode")
        ),
        "filters.pdf": _one_page(_stream(layered, b"/Filter [%s]" % (b"/FlateDecode " * 4))),
        "hex-filters.pdf": _one_page(_stream(b"41" * 5000, b"/Filter [%s]" % (b"/AHx " * 500))),
        "lzw.pdf": _one_page(_stream(b"\x80\x0b\x60\x50" * 50_000, b"/Filter /LZWDecode")),
        "run-length.pdf": _one_page(_stream(b"\x81A" * 500_000, b"/Filter /RunLengthDecode")),
        "parts.pdf": _one_page(
            _stream(_WORDS * 100), _PAGE.replace(b"5 0 R >>", b"[%s] >>" % (b"5 0 R " * 20_000))
        ),
        "form-loop.pdf": _one_page(_stream(b"/X Do\n" + _WORDS, form)),
        "form-tree.pdf": _one_page(_stream(b"/X Do /X Do /X Do\n" + _WORDS, form)),
        "to-unicode.pdf": _one_page(_stream(_WORDS), _PAGE, mapped, _stream(ranges)),
        "length.pdf": _one_page(_stream(_WORDS).replace(b"/Length 38", b"/Length -5")),
        "long-length.pdf": _one_page(_stream(_WORDS).replace(b"/Length 38", b"/Length 99999999")),
        "arrays.pdf": _one_page(_stream(b"[" * 100_000 + _WORDS)),
        "texts.pdf": _one_page(_stream(b"(" * 100_000 + _WORDS)),
        "dictionaries.pdf": _one_page(_stream(b"<<" * 50_000 + _WORDS)),
        "saves.pdf": _one_page(_stream(b"q " * 300_000 + _WORDS)),
        "box.pdf": _one_page(_stream(_WORDS), _PAGE.replace(b"612", b"9" * 400)),
        "number.pdf": _one_page(_stream(b"BT " + b"9" * 5000 + b" 0 Td (A) Tj ET")),
        "title.pdf": _pdf(
            _CATALOGUE,
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            _PAGE,
            _FONT,
            _stream(_WORDS),
            b"<< /Title <FEFFD800> >>",
            trailer=b"/Info 6 0 R",
        ),
        "no-font.pdf": _one_page(_stream(_WORDS), _PAGE, b"null"),
        "no-table.pdf": _one_page(_stream(_WORDS)).replace(b"xref", b"xxxx"),
        "encrypted.pdf": _one_page(_stream(_WORDS)).replace(
            b"/Root 1 0 R", b"/Root 1 0 R /Encrypt << /Filter /Standard /V 9 /R 9 >>"
        ),
    }


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_PARAGRAPH = "<w:p><w:r><w:t>A city</w:t></w:r></w:p>"
_CELL = f"<w:tc>{{}}{_PARAGRAPH}</w:tc>"


def docx_of(body: str, before: str = "", **parts: str) -> bytes:
    """A Word file with this body."""
    document = f'<?xml version="1.0"?>{before}<w:document {_W}><w:body>{body}</w:body></w:document>'
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    files = {
        "[Content_Types].xml": f'<Types xmlns="{types}"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{relations}"><Relationship Id="r1" '
        f'Type="{office}" Target="word/document.xml"/></Relationships>',
        "word/document.xml": document,
    }
    files |= {name.replace("__", "/"): text for name, text in parts.items()}
    return zipped({name: text for name, text in files.items() if text})


def _table(cell: str, rows: int = 1, cells: int = 1, row: str = "") -> str:
    return "<w:tbl>" + f"<w:tr>{row}{cell * cells}</w:tr>" * rows + "</w:tbl>"


@cache
def docx() -> dict[str, bytes]:
    span = "<w:tcPr><w:gridSpan w:val='{}'/></w:tcPr>".format
    merged = _CELL.format("<w:tcPr><w:vMerge/></w:tcPr>")
    first = _CELL.format("<w:tcPr><w:vMerge w:val='restart'/></w:tcPr>")
    laughs = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    entity = _PARAGRAPH.replace("A city", "A &a11;")
    return {
        "span.docx": docx_of(_table(_CELL.format(span(200_000_000)))),
        "spans.docx": docx_of(_table(_CELL.format(span(100_000)), rows=50, cells=20)),
        "negative-span.docx": docx_of(_table(_CELL.format(span(-5)))),
        "zero-span.docx": docx_of(_table(_CELL.format(span(0)), cells=3)),
        "no-span.docx": docx_of(_table(_CELL.format(span("x")))),
        "grid-before.docx": docx_of(
            _table(_CELL.format(""), row="<w:trPr><w:gridBefore w:val='999999999'/></w:trPr>")
        ),
        "merged.docx": docx_of(_table(first) + _table(merged, rows=3000)),
        "merged-down.docx": docx_of(
            _table(first).replace("</w:tbl>", _table(merged, rows=3000)[7:])
        ),
        "long-merge.docx": docx_of(
            _table(first.replace("A city", "A city " * 20_000)).replace(
                "</w:tbl>", _table(merged, rows=10_000)[7:]
            )
        ),
        "cells.docx": docx_of(_table(_CELL.format(""), rows=100, cells=1000)),
        "tables.docx": docx_of(
            "<w:tbl><w:tr><w:tc>" * 200 + _PARAGRAPH + "</w:tc></w:tr></w:tbl>" * 200
        ),
        "deep.docx": docx_of("<w:p>" * 5000 + "</w:p>" * 5000),
        "paragraphs.docx": docx_of(_PARAGRAPH * 100_000),
        "laughs.docx": docx_of(entity, f'<!DOCTYPE x [<!ENTITY a0 "ha">{laughs}]>'),
        "file-entity.docx": docx_of(
            entity, '<!DOCTYPE x [<!ENTITY a11 SYSTEM "file:///etc/passwd">]>'
        ),
        "no-document.docx": docx_of(_PARAGRAPH, **{"word__document.xml": ""}),
        "no-types.docx": docx_of(_PARAGRAPH, **{"[Content_Types].xml": ""}),
        "no-relations.docx": docx_of(_PARAGRAPH, **{"_rels__.rels": ""}),
        "broken-xml.docx": docx_of("<w:p><w:r>"),
        "empty.docx": docx_of(""),
        "attribute.docx": docx_of(f"<w:p w:x='{'A' * 9_000_000}'/>" + _PARAGRAPH),
    }
