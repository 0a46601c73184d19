"""Files that need a parser of their own: PDF and Word."""

import struct
import zlib
from io import BytesIO
from zipfile import BadZipFile

from docx import Document as open_docx
from docx.document import Document as Docx
from docx.opc.exceptions import OpcError
from docx.table import Table
from lxml.etree import LxmlError
from pypdf import PdfReader
from pypdf.errors import DependencyError, PyPdfError

from core.corpus.archives import check_zip
from core.corpus.contents import Contents, Limits
from core.corpus.prose import one_document
from core.errors import FileRejected

# What the parsers let through when a file is broken in a way they did not foresee.
_BROKEN = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RuntimeError,
    OSError,
    EOFError,
    struct.error,
    zlib.error,
)
_ENCRYPTED = "the PDF is encrypted; save it without a password"
_OLE = b"\xd0\xcf\x11\xe0"


def read_pdf(data: bytes, name: str, limits: Limits) -> Contents:
    """The text of a PDF, a blank line between pages.

    Raises
    ------
    FileRejected : no PDF, broken, encrypted, or pictures of pages only.
    """
    if b"%PDF-" not in data[:1024]:
        raise FileRejected(name, "not a PDF, whatever its name says; open it and save it as PDF")
    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise FileRejected(name, _ENCRYPTED)
        pages, size = [], 0
        for page in reader.pages:
            pages.append(page.extract_text())
            size += len(pages[-1])
            if size > limits.file_bytes:
                raise FileRejected(name, "the PDF's text is too large; split it")
        title = reader.metadata.title if reader.metadata else None
    except DependencyError as error:  # a cipher that pypdf has no library for
        raise FileRejected(name, _ENCRYPTED) from error
    except (PyPdfError, *_BROKEN) as error:
        raise FileRejected(name, "a broken PDF; open it and save it again") from error
    text = "\n\n".join(page.strip() for page in pages)
    if not text.strip():
        raise FileRejected(
            name, "no text in the PDF, it may be a scan; run text recognition (OCR) on it first"
        )
    return one_document(name, "PDF", text, title if isinstance(title, str) else "")


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
        text = "\n\n".join(_blocks(file))
        title = file.core_properties.title
    except (OpcError, LxmlError, SyntaxError, BadZipFile, *_BROKEN) as error:
        raise FileRejected(name, "a broken .docx file; open it and save it again") from error
    return one_document(name, "Word", text, title or "")


def _blocks(file: Docx) -> list[str]:
    blocks = []
    for block in file.iter_inner_content():
        if isinstance(block, Table):
            rows = (" | ".join(cell.text.strip() for cell in row.cells) for row in block.rows)
            blocks.append("\n".join(rows))
        elif block.text.strip():
            blocks.append(block.text.strip())
    return blocks
