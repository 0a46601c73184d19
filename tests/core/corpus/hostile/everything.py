"""All hostile files by name."""

import gzip
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq

from tests.core.corpus.files import pdf, zipped
from tests.core.corpus.hostile import markup, office, packed, texts


def everything() -> dict[str, bytes]:
    """Some 300 files; the names tell them apart, and their endings are true."""
    return (
        texts.of_any_kind(_good())
        | texts.encodings()
        | texts.long_lines()
        | texts.html()
        | texts.json_files()
        | texts.csv_files()
        | packed.archives()
        | packed.gzipped()
        | packed.parquet()
        | packed.large()
        | office.pdfs()
        | office.docx()
        | markup.everything()
    )


def _good() -> dict[str, bytes]:
    row = b'{"id": "a", "text": "A city of many words."}\n'
    table = BytesIO()
    pq.write_table(pa.table({"text": ["A city of many words."] * 20}), table)
    return {
        ".txt": b"A city of many words.",
        ".md": b"# A city\n\nOf many words.",
        ".html": b"<title>A city</title><p>Of many words.</p>",
        ".htm": b"<title>A city</title><p>Of many words.</p>",
        ".csv": b"id,text\n1,A city of many words.\n",
        ".tsv": b"id\ttext\n1\tA city of many words.\n",
        ".pdf": pdf("A city of many words."),
        ".docx": office.docx()["paragraphs.docx"],
        ".zip": zipped({"a.txt": "A city.", "b.txt": "Of many words."}),
        ".jsonl.gz": gzip.compress(row),
        ".json.gz": gzip.compress(b"[" + row + b"]"),
        ".parquet": table.getvalue(),
    }
