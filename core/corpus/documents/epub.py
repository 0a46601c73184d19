"""EPUB books: their pages in reading order, each read as HTML."""

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote
from zipfile import ZipFile

from lxml import etree

from core.corpus.archives.compressed_files import check_zip
from core.corpus.documents.html import html_blocks
from core.corpus.documents.packed import content, xml
from core.corpus.documents.prose import one_document
from core.corpus.file_contents import Contents, Limits
from core.corpus.layout import Block
from core.corpus.omissions import count
from core.errors import FileRejected
from core.text.clean import one_line
from core.types import Metadata

_DC = "{http://purl.org/dc/elements/1.1/}"
_OPF = "{http://www.idpf.org/2007/opf}"
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
_METADATA_KEYS = ("creator", "date", "publisher", "language")


def read_epub(data: bytes, name: str, limits: Limits) -> Contents:
    """Read the text of a book.

    Raises
    ------
    FileRejected : no EPUB, broken, protected, or without text.
    """
    reason = "not an EPUB despite its file name; save it again"
    with check_zip(data, name, limits, reason) as archive:
        container = xml(archive, "META-INF/container.xml", name)
        root = next(container.iter("{*}rootfile"), None)
        path = root.get("full-path", "") if root is not None else ""
        package = xml(archive, path, name)
        blocks = list(_blocks(archive, path, package, name, limits))
    titled = next(package.iter(f"{_DC}title"), None)
    title = "".join(titled.itertext()) if titled is not None else ""
    return one_document(name, "EPUB", blocks, title, limits=limits, metadata=_metadata(package))


def _metadata(package: etree._Element) -> Metadata:
    """Return the creator, date, publisher and language of a book, those that it names."""
    fields = {
        key: [one_line("".join(each.itertext())) for each in package.iter(f"{_DC}{key}")]
        for key in _METADATA_KEYS
    }
    return {key: ", ".join(filter(None, values)) for key, values in fields.items() if any(values)}


def _blocks(
    archive: ZipFile, path: str, package: etree._Element, name: str, limits: Limits
) -> Iterator[Block]:
    """Yield the blocks of the book's pages in reading order, each page once."""
    folder = posixpath.dirname(path)
    items = {each.get("id"): each for each in package.iter(f"{_OPF}item")}
    protected = _protected(archive, name)
    pictures = sum((each.get("media-type") or "").startswith("image/") for each in items.values())
    count("picture{s} left out", pictures)
    read: set[str] = set()
    for reference in package.iter(f"{_OPF}itemref"):
        item = items.get(reference.get("idref"))
        if item is None or item.get("media-type") not in _PAGES:
            count("part{s} of a book without text left out")
            continue
        page = posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
        if page in protected:
            raise FileRejected(name, "the book is protected (DRM); use a copy without protection")
        if "nav" in (item.get("properties") or "").split():
            count("table{s} of contents left out")
        elif page not in read:
            read.add(page)
            yield from html_blocks(content(archive, page, name), name, limits)[0]


def _protected(archive: ZipFile, name: str) -> set[str]:
    """Return the parts of a book that are encrypted."""
    if "META-INF/encryption.xml" not in archive.namelist():
        return set()
    encryption = xml(archive, "META-INF/encryption.xml", name)
    return {unquote(each.get("URI", "")) for each in encryption.iter("{*}CipherReference")}
