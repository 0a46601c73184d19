"""Subtitles, e-mails, EPUB, OpenDocument and reStructuredText."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.core.corpus.documents.reading import only, pack, sections

VTT = """WEBVTT

00:00:01.000 --> 00:00:03.500
The ferry Osprey was rebuilt

00:00:03.500 --> 00:00:06.000
by the Tamsin yard.
"""
SRT = """1
00:00:01,000 --> 00:00:03,000
<i>The ferry</i> Osprey
was rebuilt.

2
00:00:09,000 --> 00:00:12,000
{\\an8}It &amp; sank.
3
00:00:12,500 --> 00:00:13,000
Yes.
"""
VOICES = """WEBVTT - of a film

NOTE by Ada
and Ule

first
00:01.000 --> 00:02.000 align:start
<v Ada>Hello <00:01.500><c>there</c>

00:02.000 --> 00:03.000
<v Bob>Hi.
"""
ROLLING = """WEBVTT

00:01.000 --> 00:02.000
the mill of Orrin

00:02.000 --> 00:03.000
the mill of Orrin
stands on the Ash
"""


@pytest.mark.parametrize(
    ("name", "content", "text", "said"),
    [
        ("a.vtt", VTT, "The ferry Osprey was rebuilt by the Tamsin yard.", []),
        ("a.srt", SRT, "The ferry Osprey was rebuilt.\n\nIt & sank. Yes.", []),
        (
            "a.vtt",
            VOICES,
            "Ada: Hello there\n\nBob: Hi.",
            ["1 comment or style of subtitles left out"],
        ),
        (
            "a.vtt",
            ROLLING,
            "the mill of Orrin stands on the Ash",
            ["4 repeated words of rolling subtitles left out"],
        ),
    ],
)
def test_subtitles(tmp_path: Path, name: str, content: str, text: str, said: list[str]) -> None:
    made, notes = only(tmp_path, name, content)
    assert (made.text, notes) == (text, said)


def mail(*, html: bool) -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"] = "Lease of the mill", "Ada Finch <ada@x.example>"
    text = "<p>It ends in <b>May</b>.</p>" if html else "It ends in May.\n"
    message.set_content(text, subtype="html" if html else "plain")
    message.add_attachment(b"x", maintype="application", subtype="pdf", filename="a.pdf")
    return bytes(message)


@pytest.mark.parametrize("html", [False, True])
def test_an_e_mail(tmp_path: Path, html: bool) -> None:
    made, notes = only(tmp_path, "a.eml", mail(html=html))
    assert made.title == "Lease of the mill"
    assert made.text == "From: Ada Finch <ada@x.example>\n\nIt ends in May."
    assert made.metadata == {"from": "Ada Finch <ada@x.example>"}
    assert notes == ["1 attachment left out"]


def test_an_e_mail_whose_plain_text_is_empty_is_read_as_html(tmp_path: Path) -> None:
    message = EmailMessage()
    message["Subject"] = "Mill"
    message.set_content("\n")
    message.add_alternative("<p>It ends.</p>", subtype="html")
    assert only(tmp_path, "a.eml", bytes(message))[0].text == "It ends."


def test_an_e_mail_in_an_encoding_of_its_own(tmp_path: Path) -> None:
    text = "Subject: =?utf-8?q?M=C3=BChle?=\nContent-Type: text/plain; charset=koi8-r\n\n"
    made, _ = only(tmp_path, "a.eml", text.encode() + "Мельница".encode("koi8-r"))
    assert (made.title, made.text) == ("Mühle", "Мельница")


def book(folder: Path, **more: str) -> bytes:
    page = (
        "<html xmlns='http://www.w3.org/1999/xhtml'><body><h1>One</h1><p>Orrin is old."
        "<sup><a href='#n1'>1</a></sup></p><h2>Selby</h2><p>New.</p></body></html>"
    )
    package = (
        "<package xmlns='http://www.idpf.org/2007/opf' "
        "xmlns:dc='http://purl.org/dc/elements/1.1/'><metadata><dc:title>The Mills</dc:title>"
        "<dc:creator>Ada Finch</dc:creator></metadata><manifest>"
        "<item id='n' href='n.xhtml' media-type='application/xhtml+xml' properties='nav'/>"
        "<item id='a' href='a%20b.xhtml' media-type='application/xhtml+xml'/>"
        "<item id='i' href='i.png' media-type='image/png'/></manifest>"
        "<spine><itemref idref='n'/><itemref idref='a'/></spine></package>"
    )
    container = "<c><rootfiles><rootfile full-path='O/c.opf'/></rootfiles></c>"
    parts = {"META-INF/container.xml": container, "O/c.opf": package, "O/a b.xhtml": page}
    return pack(folder / "book", {**parts, **more})


def test_a_book(tmp_path: Path) -> None:
    made, notes = only(tmp_path, "a.epub", book(tmp_path))
    assert (made.title, made.text) == ("The Mills", "Orrin is old.\n\nNew.")
    assert made.metadata == {"creator": "Ada Finch"}
    assert sections(made) == [("One",), ("One", "Selby")]
    assert notes == [
        "1 picture left out",
        "1 table of contents left out",
        "1 reference marker such as [1] left out by default",
    ]


SPACES = " ".join(
    f"xmlns:{name}='urn:oasis:names:tc:opendocument:xmlns:{space}:1.0'"
    for name, space in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("draw", "drawing"),
        ("style", "style"),
    )
)


def odt(folder: Path, body: str, styles: str = "") -> bytes:
    content = (
        f"<office:document-content {SPACES}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body><office:text>{body}"
        "</office:text></office:body></office:document-content>"
    )
    return pack(folder / "odt", {"content.xml": content})


CELL = "<table:table-cell><text:p>{}</text:p></table:table-cell>"


@pytest.mark.parametrize(
    ("body", "text", "said"),
    [
        ("<text:p>a<text:s text:c='2'/>b<text:tab/>c</text:p>", "a  b\tc", []),
        (
            "<text:list><text:list-item><text:p>One</text:p></text:list-item></text:list>",
            "One",
            [],
        ),
        (
            "<text:p>A<draw:frame><draw:text-box><text:p>box.</text:p></draw:text-box>"
            "</draw:frame> map</text:p>",
            "A map\n\nbox.",
            [],
        ),
        (
            "<text:tracked-changes><text:changed-region><text:deletion><text:p>Oda</text:p>"
            "</text:deletion></text:changed-region></text:tracked-changes><text:p>Kept<text:note>"
            "<text:note-body><text:p>note</text:p></text:note-body></text:note>.</text:p>",
            "Kept.",
            ["1 tracked deletion left out", "1 footnote or endnote left out"],
        ),
        (
            f"<table:table><table:table-header-rows><table:table-row>{CELL.format('Mill')}"
            f"{CELL.format('Owner')}</table:table-row></table:table-header-rows><table:table-row>"
            f"{CELL.format('Orrin')}{CELL.format('Finch')}</table:table-row></table:table>",
            "Mill: Orrin; Owner: Finch.",
            [],
        ),
    ],
)
def test_opendocument(tmp_path: Path, body: str, text: str, said: list[str]) -> None:
    made, notes = only(tmp_path, "a.odt", odt(tmp_path, body))
    assert (made.text, notes) == (text, said)


def test_headings_of_opendocument(tmp_path: Path) -> None:
    heading = "<text:h text:outline-level='{}'>{}</text:h><text:p>Text.</text:p>"
    body = heading.format(1, "Ports") + heading.format(2, "Selby")
    made, _ = only(tmp_path, "a.odt", odt(tmp_path, body))
    assert (made.title, sections(made)) == ("Ports", [(), ("Selby",)])


@pytest.mark.parametrize(
    ("written", "text", "said"),
    [
        ("See :ref:`the ports <p>` and :class:`~core.Mill`.", "See the ports and Mill.", []),
        (".. versionadded:: 1.2\n   A wheel.", "1.2\nA wheel.", []),
        (".. note:: It is old.", "It is old.", []),
        (".. code-block:: python\n   :linenos:\n\n   x = [1]", "x = [1]", []),
        (".. admonition:: Mills\n\n   They turn.", "Mills\n\nThey turn.", []),
        (":Author: Ada\n\nText.", "Author: Ada\n\nText.", []),
        ("Mill\n  A house.", "Mill: A house.", []),
        ("Text.\n\n.. a comment", "Text.", ["1 comment left out"]),
        (
            "Old [1]_.\n\n.. [1] A log.",
            "Old.",
            [
                "1 reference marker such as [1] left out by default",
                "1 line of reference lists left out by default",
            ],
        ),
        ("==== =====\nMill Year\n==== =====\nAsh  1790\n==== =====", "Mill: Ash; Year: 1790.", []),
        (
            "Text.\n\n.. include:: /etc/hostname\n\n.. raw:: html\n\n   <b>x</b>",
            "Text.",
            ["2 included files or parts in another markup left out"],
        ),
        (
            "Text.\n\n.. table::\n\n   == ==\n   a b",
            "Text.\n\n.. table::\n\n   == ==\n   a b",
            ["1 part with an error in the markup read as written"],
        ),
    ],
)
def test_restructured_text(tmp_path: Path, written: str, text: str, said: list[str]) -> None:
    made, notes = only(tmp_path, "a.rst", written)
    assert (made.text.replace("\n\n\n", "\n\n"), notes) == (text, said)


def test_headings_of_restructured_text(tmp_path: Path) -> None:
    made, _ = only(tmp_path, "a.rst", "Ports\n=====\n\nTwo.\n\nSelby\n-----\n\nA port.\n")
    assert (made.title, made.text) == ("Ports", "Two.\n\nA port.")
    made, _ = only(tmp_path, "b.rst", "Ports\n=====\n\nTwo.\n\nSelby\n=====\n\nA port.\n")
    assert (made.title, sections(made)) == ("Ports", [(), ("Selby",)])


def test_superscripts_of_opendocument(tmp_path: Path) -> None:
    styles = "".join(
        f'<style:style style:name="{name}"><style:text-properties style:text-position="{place}"/>'
        "</style:style>"
        for name, place in (("T1", "super 58%"), ("T2", "sub 58%"), ("T3", "0% 100%"))
    )
    span = '<text:span text:style-name="{}">{}</text:span>'
    said = f"1988{span.format('T1', 2)}, 10{span.format('T2', 2)}{span.format('T3', 2)}"
    body = f"<text:p>{said}</text:p>"
    made, _ = only(tmp_path, "a.odt", odt(tmp_path, body, styles))
    assert made.text == "1988², 10₂2"
