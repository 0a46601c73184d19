"""Files that are one document: plain text, Markdown and HTML."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from lxml import etree

from core.corpus.contents import Contents, document
from core.corpus.decode import decode
from core.errors import FileRejected
from core.text.clean import clean

_HEADING = re.compile(r"^#{1,6}[ \t]+(\S[^\n]*)$", re.MULTILINE)
_DECLARED = re.compile(rb"(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?([\w.:-]{2,40})")
_NO_CONTENT = frozenset(("script", "style", "nav", "template", "noscript", "iframe", "svg", "head"))
_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "caption", "dd", "details", "div", "dl"),
        *("dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4"),
        *("h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tr"),
        "ul",
    )
)


def one_document(name: str, kind: str, text: str, title: str = "") -> Contents:
    """A file that is one document: its id is the file's name, its title its own or the name's.

    Raises
    ------
    FileRejected : there is no word in it.
    """
    made = document(title.strip() or PurePosixPath(name).stem, text, name, given=name)
    if not made.text:
        raise FileRejected(name, "no text in it")
    return Contents(kind, (made,))


def read_text(data: bytes, name: str) -> Contents:
    """A plain text file."""
    return one_document(name, "Text", decode(data, name))


def read_markdown(data: bytes, name: str) -> Contents:
    """A Markdown file, its text as it stands; the first heading is the title."""
    text = decode(data, name)
    heading = _HEADING.search(text.replace("\r", ""))
    return one_document(name, "Markdown", text, heading[1].strip("# \t") if heading else "")


def read_html(data: bytes, name: str) -> Contents:
    """What an HTML page shows: blocks as paragraphs, no scripts, styles or navigation.

    Raises
    ------
    FileRejected : no text that is shown, or elements nested thousands deep.
    """
    declared = _DECLARED.search(data[:4096])
    markup = clean(decode(data, name, declared[1].decode("ascii", "ignore") if declared else None))
    parser = etree.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True
    )
    page = etree.fromstring(markup.encode(), parser) if markup.strip() else None
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise FileRejected(name, "its elements are nested too deeply; save the page as text")
    if page is None:
        raise FileRejected(name, "no text in it")
    heading = next(page.iter("title", "h1"), None)
    title = "" if heading is None else "".join(heading.itertext())
    lines = (line.strip() for line in "".join(_shown(page)).split("\n"))
    return one_document(name, "HTML", re.sub(r"\n{3,}", "\n\n", "\n".join(lines)), title)


def _shown(page: etree._Element) -> Iterator[str]:
    """The text in pieces: one walk over the page, linear however deep it is nested."""
    walk = etree.iterwalk(page, events=("start", "end"))
    pre = 0
    for event, tag in walk:
        pre += (tag.tag == "pre") * (1 if event == "start" else -1)
        text = tag.text if event == "start" else tag.tail
        if event == "start" and tag.tag in _NO_CONTENT:
            walk.skip_subtree()
            continue
        if tag.tag in _BLOCKS:
            yield "\n\n"
        elif event == "end" and tag.tag in ("td", "th"):
            yield " "
        elif event == "end" and tag.tag == "br":
            yield "\n"
        if text:
            yield text if pre else re.sub(r"\s+", " ", text)
