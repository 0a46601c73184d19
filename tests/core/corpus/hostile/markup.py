"""Files of markup, mail and office formats that are made to harm whoever reads them."""

from functools import cache

from tests.core.corpus.files import zipped

_LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]>"
)
_FILE = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY i SYSTEM "file:///etc/passwd">]>'
_ODT = (
    "<office:document-content xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' "
    "xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0' "
    "xmlns:table='urn:oasis:names:tc:opendocument:xmlns:table:1.0'><office:body><office:text>{}"
    "</office:text></office:body></office:document-content>"
)
_ODT_CELL = "<table:table-cell {}><text:p>A cell</text:p></table:table-cell>"


def _odt(body: str, before: str = "", **parts: str) -> bytes:
    return zipped({"content.xml": before + _ODT.format(body), **parts})


def odt() -> dict[str, bytes]:
    cells = _ODT_CELL.format("table:number-columns-repeated='999999999'") * 200
    tall = _ODT_CELL.format("table:number-rows-spanned='99999999'") * 300
    row = "<table:table-row>{}</table:table-row>"
    return {
        "laughs.odt": _odt("<text:p>A &i;</text:p>", _LAUGHS),
        "entity.odt": _odt("<text:p>A &i;</text:p>", _FILE),
        "deep.odt": _odt("<text:list>" * 5000 + "<text:p>A</text:p>" + "</text:list>" * 5000),
        "nested.odt": _odt("<text:list>" * 100 + "<text:p>A</text:p>" + "</text:list>" * 100),
        "repeated.odt": _odt(f"<table:table>{row.format(cells)}</table:table>"),
        "tall.odt": _odt(f"<table:table>{row.format(tall)}{row.format('') * 2000}</table:table>"),
        "spaces.odt": _odt("<text:p>A" + "<text:s text:c='99999999'/>" * 3000 + "B</text:p>"),
        "encrypted.odt": _odt("", **{"META-INF/manifest.xml": "<m:encryption-data/>"}),
        "meta.odt": _odt("<text:p>A</text:p>", **{"meta.xml": "<broken"}),
    }


def _epub(page: str, spine: str = "<itemref idref='a'/>", path: str = "c.opf") -> bytes:
    package = (
        "<package xmlns='http://www.idpf.org/2007/opf'><manifest><item id='a' href='a.xhtml' "
        f"media-type='application/xhtml+xml'/></manifest><spine>{spine}</spine></package>"
    )
    return zipped(
        {
            "META-INF/container.xml": f"<c><rootfile full-path='{path}'/></c>",
            "c.opf": package,
            "a.xhtml": page,
        }
    )


def epub() -> dict[str, bytes]:
    page = "<html><body><p>A city.</p></body></html>"
    return {
        "entity.epub": _epub(f"{_FILE}<html><body><p>A &i;</p></body></html>"),
        "laughs.epub": _epub(f"{_LAUGHS}<html><body><p>A &i;</p></body></html>"),
        "spine.epub": _epub(page, "<itemref idref='a'/>" * 100_000),
        "outside.epub": _epub(page, path="../../etc/passwd"),
        "none.epub": _epub(page, "<itemref idref='b'/>"),
        "deep.epub": _epub(f"<html><body>{'<div>' * 5000}A</body></html>"),
        "empty.epub": zipped({"mimetype": "application/epub+zip"}),
    }


_SHEET = (
    "<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'>{}</worksheet>"
)
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def _xlsx(rows: str, strings: str = "", before: str = "", **parts: str) -> bytes:
    shared = f"<sst xmlns='{_MAIN}'>{strings}</sst>"
    return zipped(
        {
            "[Content_Types].xml": f"<Types xmlns='{_PACKAGE}/content-types'>"
            "<Default Extension='rels' ContentType="
            "'application/vnd.openxmlformats-package.relationships+xml'/>"
            f"<Override PartName='/xl/workbook.xml' ContentType='{_KIND}.sheet.main+xml'/>"
            f"<Override PartName='/xl/s.xml' ContentType='{_KIND}.worksheet+xml'/>"
            f"<Override PartName='/xl/t.xml' ContentType='{_KIND}.sharedStrings+xml'/></Types>",
            "_rels/.rels": f"<Relationships xmlns='{_PACKAGE}/relationships'><Relationship Id='r1' "
            f"Type='{_OFFICE}/officeDocument' Target='xl/workbook.xml'/></Relationships>",
            "xl/workbook.xml": f"<workbook xmlns='{_MAIN}' xmlns:r='{_OFFICE}'><sheets>"
            "<sheet name='A' sheetId='1' r:id='r1'/></sheets></workbook>",
            "xl/_rels/workbook.xml.rels": f"<Relationships xmlns='{_PACKAGE}/relationships'>"
            f"<Relationship Id='r1' Type='{_OFFICE}/worksheet' Target='s.xml'/>"
            f"<Relationship Id='r2' Type='{_OFFICE}/sharedStrings' Target='t.xml'/>"
            "</Relationships>",
            "xl/s.xml": before + _SHEET.format(f"<sheetData>{rows}</sheetData>"),
            "xl/t.xml": shared,
            **parts,
        }
    )


@cache
def xlsx() -> dict[str, bytes]:
    text = "<c t='inlineStr' r='{}'><is><t>A city</t></is></c>"
    far = f"<row r='1'>{text.format('A1')}</row><row r='1048576'>{text.format('XFD1048576')}</row>"
    wide = "".join(f"<row r='{n}'>{text.format(f'XFD{n}')}</row>" for n in range(1, 3000))
    long = f"<si><t>{'A city ' * 150_000}</t></si>"
    again = "".join(f"<row r='{n}'><c t='s' r='A{n}'><v>0</v></c></row>" for n in range(1, 2000))
    number = "<row r='1'><c r='A1'><v>{}</v></c></row>"
    return {
        "far.xlsx": _xlsx(far),
        "wide.xlsx": _xlsx(wide),
        "repeated.xlsx": _xlsx(again, long),
        "entity.xlsx": _xlsx("<row><c t='inlineStr'><is><t>A &i;</t></is></c></row>", "", _FILE),
        "laughs.xlsx": _xlsx("<row><c t='inlineStr'><is><t>A &i;</t></is></c></row>", "", _LAUGHS),
        "number.xlsx": _xlsx(number.format("9" * 5000)),
        "date.xlsx": _xlsx("<row r='1'><c r='A1' t='d'><v>9999-99-99</v></c></row>"),
        "macro.xlsx": _xlsx(f"<row r='1'>{text.format('A1')}</row>", **{"xl/vbaProject.bin": "x"}),
        "no-sheet.xlsx": _xlsx("").replace(b"s.xml", b"q.xml"),
        "deep.xlsx": _xlsx("<row>" * 50_000),
        "many-rows.xlsx": _xlsx(f"<row>{text.format('')}</row>" * 60_000),
    }


def mails() -> dict[str, bytes]:
    part = "Content-Type: multipart/mixed; boundary=b{}\n\n--b{}\n"
    return {
        "nested.eml": ("Subject: A\n" + "".join(part.format(n, n) for n in range(3000))).encode(),
        "headers.eml": b"Subject: A\n" + b"X-A: b\n" * 100_000 + b"\nA city.",
        "long.eml": b"Subject: " + b"A" * 2_000_000 + b"\n\nA city.",
        "folded.eml": b"Subject: A\n" + b" folded line\n" * 50_000 + b"\nA city.",
        "addresses.eml": b"To: " + b"a@b.example, " * 30_000 + b"\nSubject: A\n\nA city.",
        "comments.eml": b"To: " + b"(" * 20_000 + b"\nSubject: A\n\nA city.",
        "encoded.eml": b"Subject: " + b"=?utf-8?q?A?= " * 20_000 + b"\n\nA city.",
        "charset.eml": b"Subject: A\nContent-Type: text/plain; charset=none\n\nA city.",
        "base64.eml": b"Subject: A\nContent-Transfer-Encoding: base64\n\nA!!!",
        "parameters.eml": b"Subject: A\nContent-Type: text/plain" + b"; a=b" * 50_000 + b"\n\nA.",
        "attached.eml": b"Subject: A\nContent-Type: message/rfc822\n\n" * 500 + b"Subject: B\n\nA.",
    }


def restructured() -> dict[str, bytes]:
    return {
        "include.rst": b"A.\n\n.. include:: /etc/passwd\n\n.. csv-table::\n   :file: /etc/passwd\n",
        "url.rst": b"A.\n\n.. csv-table::\n   :url: http://127.0.0.1:9/x\n",
        "stars.rst": b"*" * 100_000,
        "ticks.rst": b"`a " * 30_000,
        "quotes.rst": b"".join(b" " * n + b"A\n\n" for n in range(600)),
        "lists.rst": b"".join(b" " * (2 * n) + b"- A\n\n" for n in range(400)),
        "replace.rst": b"|a|\n\n.. |a| replace:: |b|\n.. |b| replace:: |a|\n",
        "laughs.rst": b"|a9|\n\n.. |a0| replace:: A\n"
        + b"".join(
            b".. |a%d| replace:: %s\n" % (n, b"|a%d| " % (n - 1) * 10) for n in range(1, 10)
        ),
        "table.rst": b"=== ===\n" + b"a   b\n" * 30_000 + b"=== ===\n",
        "directives.rst": b"".join(b".. d%d::\n\n" % n for n in range(20_000)) + b"A.",
        "roles.rst": b" ".join(b":r%d:`a`" % n for n in range(10_000)),
        "titles.rst": b"".join(b"A\n%c\n\n" % sign * 2 for sign in b"=-`:.'\"~^_*+#<>" * 100),
    }


def markdown() -> dict[str, bytes]:
    return {
        "percents.md": b"%%" * 300_001 + b" A",
        "comments.md": b"<!--" * 200_000 + b"--> A",
        "brackets.md": b"[[" * 200_000 + b"A",
        "images.md": b"![" * 100_000 + b"A",
        "link.md": b"[A](" * 50_000,
        "fences.md": b"```\nA\n" * 30_001,
        "ticks.md": b"`A " * 100_000,
        "quotes.md": b">" * 50_000 + b" A",
        "lists.md": b"".join(b" " * (2 * n) + b"- A\n" for n in range(1000)),
        "table.md": b"|a" * 5000 + b"|\n" + b"|-" * 5000 + b"|\n" + b"|a|\n" * 2000,
        "matter.md": b"---\na: " + b"[" * 15_000 + b"\n---\nA",
        "aliases.md": b"---\na: &a [x]\n"
        + b"".join(b"%c: &%c [%s]\n" % (n, n, b"*%c," % (n - 1) * 9) for n in range(98, 120))
        + b"---\nA",
        "definitions.md": b"".join(b"[a%d]: b\n" % n for n in range(50_000)) + b"[x][a1]",
    }


def pages() -> dict[str, bytes]:
    spans = b"<td rowspan=1000 colspan=1000>A"
    return {
        "spans.html": b"<table>" + (b"<tr>" + spans * 100) * 1000,
        "tables.html": b"<table><tr><td>" * 900 + b"A",
        "raised.html": b"<p>A" + b"<sup>" * 2000 + b"1",
        "powers.html": b"<p>" + b"a<sup>1</sup>" * 50_000,
        "hidden.html": b"<div style='" + b";" * 500_000 + b"'>A</div>",
        "data.html": b"<p>A data:image/png;base64," + b"iVBOR" * 400_000,
        "uris.html": b"data:image/png;base64," * 100_000 + b"<p>A",
        "hyphens.html": "<p>A\u00ad\u200b".encode() * 300_000,
    }


def subtitles() -> dict[str, bytes]:
    cue = b"00:00:01.000 --> 00:00:02.000\n"
    return {
        "times.vtt": b"WEBVTT\n\n" + cue * 50_000,
        "words.vtt": b"WEBVTT\n\n" + (cue + b"A b c d " * 2000 + b"\n\n") * 100,
        "tags.vtt": b"WEBVTT\n\n" + cue + b"<v " * 200_000 + b"A",
        "numbers.srt": b"1\n99:99:99,999 --> 00:00:00,000\nA\n\n" * 20_000,
    }


def everything() -> dict[str, bytes]:
    """All of them."""
    made = (odt, epub, xlsx, mails, restructured, markdown, pages, subtitles)
    return {name: content for files in made for name, content in files().items()}
