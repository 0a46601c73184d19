"""Read PDF files page by page, with headings recognised by their font size."""

from io import BytesIO
from typing import Any

from pypdf import PageObject, PdfReader
from pypdf.errors import DependencyError, PyPdfError
from pypdf.generic import ArrayObject, IndirectObject, StreamObject

from core.corpus.documents.prose import one_document
from core.corpus.documents.typeset import Line, blocks_of, lines_of, without_running_heads
from core.corpus.file_contents import Contents, Limits
from core.corpus.omissions import count
from core.corpus.parser_errors import BROKEN
from core.errors import FileRejected
from core.text.clean import one_line

_ENCRYPTED = "the PDF is encrypted; save it without a password"
# Bytes of what is drawn on all pages together, and how many times the file's size they may be.
_DRAWN_FROM = 8 * 2**20
_DRAWN = 20
_SCANNED = 30  # letters of a page with a picture that says nothing more


def read_pdf(data: bytes, name: str, limits: Limits) -> Contents:
    """Return the text of a PDF with its headings and pages.

    Page numbers and running heads are no text.

    Raises
    ------
    FileRejected : no PDF, broken, encrypted, or pictures of pages only.
    """
    if b"%PDF-" not in data[:1024]:
        raise FileRejected(name, "not a PDF despite its file name; open it and save it as PDF")
    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise FileRejected(name, _ENCRYPTED)
        pages: list[list[Line]] = []
        size = scanned = drawn = 0
        _check_pages(reader, len(data), name, limits)
        for number, page in enumerate(reader.pages, start=1):
            pages.append(lines_of(page, number))
            pictures = _pictures(page)
            letters = sum(len(line.text.strip()) for line in pages[-1])
            scanned += bool(pictures) and letters < _SCANNED
            drawn += pictures
            size += sum(len(line.text) for line in pages[-1])
            if size > limits.file_bytes:
                raise FileRejected(name, "the PDF contains too much text; split it")
        title = reader.metadata.title if reader.metadata else None
    except DependencyError as error:  # a cipher that pypdf has no library for
        raise FileRejected(name, _ENCRYPTED) from error
    except (PyPdfError, *BROKEN) as error:
        raise FileRejected(name, "the PDF is damaged; open it and save it again") from error
    if not any(pages):
        raise FileRejected(
            name,
            ("the PDF contains no text and may be a scan; run text recognition (OCR) on it first"),
        )
    count("page{s} with a picture but no text left out: run text recognition (OCR) first", scanned)
    count("picture{s} left out", drawn - scanned)
    blocks = blocks_of(without_running_heads(pages) or pages[0], _outline(reader))
    return one_document(
        name, "PDF", blocks, title if isinstance(title, str) else "", limits=limits, markers=True
    )


def _pictures(page: PageObject) -> int:
    """Return how many pictures a page shows; none if that is broken."""
    try:
        resources = page.get("/Resources", {}).get_object()
        drawn = resources.get("/XObject", {}).get_object()
        kinds = [each.get_object().get("/Subtype") for each in drawn.values()]
    except (PyPdfError, *BROKEN):
        return 0
    return kinds.count("/Image")


def _outline(reader: PdfReader) -> set[str]:
    """Return the headings that the outline names, in lower case; none if it is broken."""
    titles: set[str] = set()
    try:
        waiting: list[Any] = [reader.outline]
        while waiting:
            each = waiting.pop()
            if isinstance(each, list):
                waiting += each
            elif each.title:
                titles.add(one_line(str(each.title)).casefold())
    except (PyPdfError, *BROKEN):
        return set()
    return titles


def _check_pages(reader: PdfReader, size: int, name: str, limits: Limits) -> None:
    """FileRejected for too many pages, or for far more on them than the file's `size` explains.

    What pages share is stored once, so a small file may hold a drawing that is read for days.
    """
    if len(reader.pages) > limits.pages:
        raise FileRejected(name, f"it has more than {limits.pages:,} pages; split it")
    lengths: dict[object, int] = {}
    drawn = 0
    for page in reader.pages:
        contents = page.get("/Contents")
        whole = contents.get_object() if contents is not None else None
        for part in whole if isinstance(whole, ArrayObject) else [page.raw_get("/Contents")]:
            stream = part.get_object()
            if isinstance(stream, StreamObject):
                key = part.idnum if isinstance(part, IndirectObject) else id(stream)
                lengths[key] = lengths.get(key) or len(stream.get_data())
                drawn += lengths[key]
        if drawn > max(_DRAWN_FROM, _DRAWN * size):
            raise FileRejected(
                name, "its pages contain far more than its size suggests; print it to a new PDF"
            )
