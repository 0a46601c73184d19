"""The contents of one file, before they are merged with other files, and generated ids."""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import blake2b
from html import unescape
from typing import Any

from core.corpus.layout import layout_to_json
from core.corpus.text_cleaning import readable
from core.errors import FileRejected
from core.text.clean import clean, one_line
from core.types import PLAIN, Document, Layout, Metadata, Query

Row = Mapping[str, Any]
"""One record of a JSON, CSV or Parquet file."""
Judgement = tuple[str, str, float]
"""The grade of a document for a question: question id, document id, and a grade above 0."""

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,30});")

_MISSING = frozenset(("nan", "none", "null", "<na>", "nat"))
"""What pandas and others write for a missing value."""

Begin = Callable[[str, int], None]
"""Called before a file, or a file in an archive, is read: with its name and its size in bytes."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read of a file, and how much before it counts as too large or as made to harm.

    `ratio` is how many times its size an archive may unpack to; `pages` are a PDF's, `rows` the
    records, documents and questions of a file, `cells` its table cells and values of metadata.
    `memory` is what the process that reads may hold, in bytes. `seconds` of processor time are
    for any file, and `seconds_a_mb` more for each MB of it; `seconds_in_all` by the clock for one
    file with all that is packed in it. `references` says whether reference lists and markers such
    as [1] are read as text.
    """

    file_bytes: int = 200 * 2**20
    archive_bytes: int = 1024 * 2**20
    archive_files: int = 20_000
    ratio: int = 200
    pages: int = 10_000
    rows: int = 500_000
    cells: int = 2_000_000
    memory: int = 1280 * 2**20
    seconds: int = 8
    seconds_a_mb: int = 20
    seconds_in_all: int = 1800
    references: bool = False

    def seconds_for(self, size: int) -> int:
        """Return the CPU seconds allowed for a file of `size` bytes; reading takes linear time."""
        return min(self.seconds + self.seconds_a_mb * size // 2**20, self.seconds_in_all)


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of one file.

    `queries` carry gold as references that are looked up when all files are read; `links` gives
    further names (an URL, a title) of such a reference. `judgements` are qrels, as query id,
    document id and grade. `merges` says that a paragraph given with several questions is
    meant to be one document, so that its repetition is no duplicate to report. `retrieved` are the
    texts that another pipeline retrieved for its questions: the corpus where no file has documents.
    `vectors` are those of the documents of another file (`core.corpus.vectors.given_vectors`).
    `tally` counts what was left out or changed, see `core.corpus.omissions`.
    """

    format: str
    documents: Sequence[Document] = ()
    queries: Sequence[Query] = ()
    judgements: Sequence[Judgement] = ()
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    merges: bool = False
    retrieved: Sequence[Document] = ()
    notes: Sequence[str] = ()
    tally: Mapping[str, int] = field(default_factory=dict)
    vectors: Sequence[bytes] = ()


def too_much_memory(limits: Limits) -> str:
    """Return the reason to refuse a file that needs more memory than `limits` allow."""
    return (
        f"it needs more than {limits.memory / 2**20:,.0f} MB of memory to read; split it "
        "into smaller files"
    )


def check_rows(rows: int, cells: int, name: str, limits: Limits) -> None:
    """Raise FileRejected if there are more records or cells than `limits` allow."""
    if rows > limits.rows:
        raise FileRejected(name, f"it contains more than {limits.rows:,} records; split it")
    if cells > limits.cells:
        raise FileRejected(
            name,
            f"its records contain more than {limits.cells:,} values; remove columns, or split it",
        )


def fingerprint(*parts: str) -> str:
    """Hash `parts` to 16 hexadecimal digits; white space between words makes no difference."""
    joined = "\0".join(one_line(part) for part in parts)
    return blake2b(joined.encode(), digest_size=8).hexdigest()


def content_hash(document: Document) -> str:
    """Hash of title, text, metadata, layout and vector; equal for equal documents."""
    parts = [document.title, document.text, dict(document.metadata)]
    if document.layout != PLAIN:
        parts.append(layout_to_json(document.layout))
    if document.vector:
        parts.append(blake2b(document.vector, digest_size=8).hexdigest())
    content = json.dumps(parts, sort_keys=True)
    whole = blake2b(content.encode(), digest_size=8).hexdigest()
    return f"{fingerprint(document.title, document.text)}-{whole}"


def fingerprint_in(content_hash: str) -> str:
    """`fingerprint(title, text)` of the document that has this `content_hash`."""
    return content_hash.partition("-")[0]


def made_id(name: str, *parts: str) -> str:
    """Return a readable id that depends on nothing but `name` and `parts`.

    >>> made_id("Rome (city)", "Rome (city)", "Capital of Italy.")
    'rome-city-8787fd57ab'
    """
    slug = re.sub(r"\W+", "-", one_line(name).casefold()).strip("-")[:40].strip("-")
    return f"{slug or 'text'}-{fingerprint(*parts)[:10]}"


def characters(text: str) -> str:
    """Replace HTML entities in `text` by their characters.

    >>> characters("Simon &amp; Garfunkel, AT&T, &#233;")
    'Simon & Garfunkel, AT&T, é'
    """
    # Not without the semicolon, as browsers take it too: '&copy' may be anything.
    return _ENTITY.sub(lambda entity: unescape(entity[0]), text) if "&" in text else text


def document(
    title: str,
    text: str,
    source: str,
    *,
    given: object = None,
    metadata: Metadata | None = None,
    layout: Layout = PLAIN,
    vector: bytes = b"",
) -> Document:
    """Make a document of cleaned text; without a given id, one is made from title and text.

    `layout` refers to the cleaned text.
    """
    title, text = one_line(title), readable(text).strip()
    return Document(
        id=id_of(given) or made_id(title, title, text),
        title=title,
        text=text,
        source=source,
        metadata=metadata or {},
        layout=layout,
        vector=vector,
    )


def query(text: str, *, given: object = None, **rest: Any) -> Query:
    """Make a question of cleaned text; without a given id, one is made from the text."""
    text = one_line(text)
    return Query(id=id_of(given) or made_id(text, text), text=text, **rest)


def id_of(given: object) -> str:
    """Return a given id as text, or an empty string if it is missing.

    >>> id_of(7), id_of(True), id_of("NaN")
    ('7', '', '')
    """
    if isinstance(given, bool) or (isinstance(given, float) and not math.isfinite(given)):
        return ""
    name = one_line(str(given)) if isinstance(given, str | int | float) else ""
    return "" if name.casefold() in _MISSING else name


def strings(value: object) -> tuple[str, ...]:
    """Return a text or a list of texts as a tuple of cleaned, non-empty texts, each once.

    >>> strings(["Rome", 1790, False, " "])
    ('Rome', '1790', 'no')
    """
    values = value if isinstance(value, list | tuple) else [value]
    texts = (one_line(_value_text(item)) for item in values if isinstance(item, str | int | float))
    return tuple(dict.fromkeys(item for item in texts if item))


def _value_text(value: str | int | float) -> str:
    """Return a value as text; a truth value is written as the answer to a question."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value != value else str(value)


def label(value: object) -> str:
    """Return a type, a data set's name: one short text, or nothing."""
    return next(iter(strings(value)), "")


def scalars(row: Row, without: set[str] | frozenset[str]) -> dict[str, Any]:
    """Return the plain values of `row` as metadata.

    Those of a nested `metadata` object join them.
    """
    nested = row.get("metadata")
    items = [*row.items(), *(nested.items() if isinstance(nested, Mapping) else ())]
    return {
        one_line(key): _plain(value)
        for key, value in items
        if key and key not in without and isinstance(value, str | int | float | date)
    }


def _plain(value: str | int | float | date) -> str | int | float | None:
    """Return a value that JSON can hold: dates in ISO format, None for NaN and infinity."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, date):
        return value.isoformat()
    # A whole number may be too long for `isfinite`, which makes it a float.
    return value if isinstance(value, int) or math.isfinite(value) else None
