"""Bytes to text: Unicode first, then the likeliest of the older encodings."""

import codecs
import re

from charset_normalizer import from_bytes

from core.errors import FileRejected

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SIGNATURES = (
    (b"%PDF-", "a PDF", ".pdf"),
    (b"PK\x03\x04", "a zip archive or an Office file", ".zip or .docx"),
    (b"\x1f\x8b", "gzip-compressed", ".gz"),
    (b"PAR1", "Parquet", ".parquet"),
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")
_MOST_CONTROL = 0.01
_SAMPLE = 50_000
# Western languages use few letters beyond ASCII; a text with more of them is in another script.
_WESTERN = 0.12


def decode(data: bytes, name: str, declared: str | None = None) -> str:
    """The text of a file.

    UTF-8 or a byte order mark decides, then the encoding that the file declares; else it is
    cp1252 when few bytes are beyond ASCII, and what charset-normalizer finds when many are.

    Raises
    ------
    FileRejected : the bytes are no text.
    """
    for signature, kind, ending in _SIGNATURES:
        if data.startswith(signature):
            raise FileRejected(name, f"it is {kind}, not text; end its name in {ending}")
    text = _decoded(data, name, declared)
    if len(_CONTROL.findall(text[:_SAMPLE])) > _MOST_CONTROL * min(len(text), _SAMPLE):
        raise _not_text(name)
    return text


def _decoded(data: bytes, name: str, declared: str | None) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError as error:
                raise FileRejected(
                    name, f"broken {encoding} text at byte {error.start}; save it as UTF-8"
                ) from error
    if b"\0" in data:
        raise _not_text(name)
    for encoding in filter(None, ("utf-8", declared)):
        try:
            return data.decode(encoding)
        except (UnicodeError, LookupError):  # other bytes, or no name of an encoding
            continue
    return data.decode(_guess(data), errors="replace")


def _guess(data: bytes) -> str:
    sample = data[:_SAMPLE]
    beyond = sum(byte > 127 for byte in sample)
    if beyond > _WESTERN * len(sample):
        best = from_bytes(sample[: sample.rfind(b"\n") + 1] or sample).best()
        if best is not None and best.encoding != "ascii":
            return best.encoding
    return "cp1252"


def _not_text(name: str) -> FileRejected:
    return FileRejected(name, "its content is not text; save it as UTF-8 text and try again")
