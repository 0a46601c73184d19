"""Files that are one document: plain text, Markdown and HTML."""

import re
import warnings
from pathlib import PurePosixPath

from bs4 import (
    BeautifulSoup,
    MarkupResemblesLocatorWarning,
    Tag,
    XMLParsedAsHTMLWarning,
)
from bs4.dammit import EncodingDetector
from bs4.element import NavigableString

from core.corpus.contents import Contents, document
from core.corpus.decode import decode
from core.errors import FileRejected

_HEADING = re.compile(r"^#{1,6}[ \t]+(\S[^\n]*)$", re.MULTILINE)
_NO_CONTENT = ["script", "style", "nav", "template", "noscript", "iframe", "svg", "head"]
_BLOCKS = (
    *("address", "article", "aside", "blockquote", "caption", "dd", "details", "div", "dl", "dt"),
    *("fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6"),
    *("header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tr", "ul"),
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
    """What an HTML page shows: blocks as paragraphs, no scripts, styles or navigation."""
    markup = decode(data, name, EncodingDetector.find_declared_encoding(data, is_html=True))
    with warnings.catch_warnings():
        # An XHTML page, and a page of one line that could be a file's name, are read all the same.
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        soup = BeautifulSoup(markup, "lxml")
    title = soup.title or soup.h1
    heading = title.get_text(" ") if title else ""
    for tag in soup.find_all(_NO_CONTENT):
        tag.decompose()
    return one_document(name, "HTML", _shown(soup), heading)


def _shown(soup: Tag) -> str:
    as_written = {id(node) for pre in soup.find_all("pre") for node in pre.find_all(string=True)}
    for node in soup.find_all(string=True):
        # Comments and the like are subclasses, and never shown.
        if type(node) is NavigableString and id(node) not in as_written:
            node.replace_with(re.sub(r"\s+", " ", node))
    for tag in soup.find_all("br"):
        tag.replace_with("\n")
    for tag in soup.find_all(["td", "th"]):
        tag.append(" ")
    for tag in soup.find_all(_BLOCKS):
        tag.insert_before("\n\n")
        tag.insert_after("\n\n")
    lines = (line.strip() for line in soup.get_text().split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
