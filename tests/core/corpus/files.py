"""Small files of every kind, made by the tests themselves."""

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from core.corpus import Corpus, read_files
from core.corpus.file_contents import LIMITS, Limits
from core.corpus.file_reader import read_pieces
from core.corpus.files import files_in, gather


def read(folder: Path, files: Mapping[str, bytes | str], limits: Limits = LIMITS) -> Corpus:
    """The corpus of `files` by name, each given as if it was uploaded, and read in this process."""
    names = {path: name for name, path in written(folder, files).items()}
    found = files_in(list(names), names)
    return gather(
        [
            piece
            for name, path in found
            if isinstance(path, Path)
            for piece in read_pieces(path, name, limits, lambda *_: None)
        ]
    )


def read_apart(folder: Path, files: Mapping[str, bytes | str], **options: Any) -> Corpus:
    """The same by the process that reads what users give."""
    names = {path: name for name, path in written(folder, files).items()}
    return read_files(list(names), names=names, **options)


def written(folder: Path, files: Mapping[str, bytes | str]) -> dict[str, Path]:
    """Write `files` by name; where each lies."""
    paths = {}
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        paths[name] = path
    return paths


def lines(*rows: object) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def pdf(*pages: str) -> bytes:
    """A PDF that says `pages`, an empty one being a page of no text."""
    return typeset(*([(12, text)] if text else [] for text in pages))


def typeset(*pages: Sequence[tuple[int, str]], title: str = "") -> bytes:
    """A PDF of lines, each with its size in points, below 0 for bold; `title` is its metadata's."""
    placed = [
        [(72, 700 - 30 * place, size, text) for place, (size, text) in enumerate(lines)]
        for lines in pages
    ]
    return drawn(*placed, title=title)


def drawn(*pages: Sequence[tuple[int, int, int, str]] | None, title: str = "") -> bytes:
    """A PDF of texts, each with its place and size in points; of a page of None, a picture."""
    count = len(pages)
    kids = " ".join(f"{7 + 2 * number} 0 R" for number in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>",
        f"<< /Title ({title}) >>",
        "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 "
        "/ColorSpace /DeviceGray /Length 1 >>\nstream\n0\nendstream",
    ]
    for number, texts in enumerate(pages):
        stream = "\n".join(
            f"BT /F{1 if size > 0 else 2} {abs(size)} Tf {x} {y} Td ({text}) Tj ET"
            for x, y, size, text in texts or ()
        )
        picture = "/XObject << /X 6 0 R >>" if texts is None else ""
        objects += [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << "
            f"{picture} /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents {8 + 2 * number} 0 R >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    body, offsets = "%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    body += f"xref\n0 {size}\n0000000000 65535 f \n{table}"
    end = body.index("xref")
    trailer = f"<< /Size {size} /Root 1 0 R /Info 5 0 R >>"
    return f"{body}trailer\n{trailer}\nstartxref\n{end}\n%%EOF".encode()
