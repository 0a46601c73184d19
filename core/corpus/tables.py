"""Records of any origin to documents or questions, by the names of their fields."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from core.corpus.contents import (
    Contents,
    Limits,
    Row,
    characters,
    check_rows,
    document,
    label,
    query,
    scalars,
    strings,
)
from core.corpus.datasets import FORMATS, QRELS, Format, Piece
from core.errors import FileRejected

_IDS = ("id", "_id", "doc_id", "docid", "document_id", "passage_id", "pid", "qid")
_TITLES = ("title", "name", "headline", "heading")
_TEXTS = ("text", "body", "content", "contents", "passage", "paragraph", "paragraph_text")
_QUESTIONS = ("question", "query")
_GOLD = ("gold", "gold_ids", "supporting", "relevant")
_KINDS = ("type", "question_type")
_BROKEN_RECORD = (LookupError, TypeError, ValueError, AttributeError, OverflowError)
_NAMED_COLUMNS = 12
_SHORT, _SAID = 80, 20  # characters of a value by which questions may be told apart, and values
_NAMED_LETTERS = 40


def contents_of(rows: Sequence[Row], file: str, kind: str, limits: Limits) -> Contents:
    """What the records of one file bring; `kind` is the file's own format, such as 'CSV'.

    Raises
    ------
    FileRejected : no field holds texts or questions, a record breaks the file's format, or there
        is more in them than `limits` allow.
    """
    chosen = _format(rows, file, kind)
    pieces = []
    made = values = 0
    for number, row in enumerate(rows, start=1):
        pieces.append(_piece(chosen, row, file, number))
        made += len(pieces[-1].documents)
        values += sum(len(each.metadata) for each in pieces[-1].documents)
        check_rows(max(number, made), values, file, limits)
    empty = sum(piece == Piece() for piece in pieces)
    if empty == len(rows):
        raise FileRejected(file, "every text in it is empty")
    documents = [made for piece in pieces for made in piece.documents]
    if chosen.merges:
        # A paragraph of many questions' contexts is one document from here on.
        documents = list({made.id: made for made in documents}.values())
    note = f"{file}: {empty:,} of {len(rows):,} records have no text and were left out"
    return Contents(
        chosen.name,
        documents,
        [asked for piece in pieces for asked in piece.queries if asked.text],
        [pair for piece in pieces for pair in piece.judgements],
        {name: others for piece in pieces for name, others in piece.links.items()},
        chosen.merges,
        [note] * bool(empty and chosen.name != QRELS),
    )


def _format(rows: Sequence[Row], file: str, kind: str) -> Format:
    first = rows[0]
    for known in FORMATS:
        if known.fits(first, file):
            return known
    if "extracted_triples" in first:
        return Format("HippoRAG extraction", _always, _document)
    if set(first) <= {"title", "text", "idx"} and "title" in first:
        return Format("HippoRAG corpus", _always, _document)
    if _key(first, _TEXTS):
        return Format(f"{kind} documents", _always, _document)
    if _key(first, _QUESTIONS):
        return Format(f"{kind} questions", _always, _question)
    found = ", ".join(str(key)[:_NAMED_LETTERS] for key in list(first)[:_NAMED_COLUMNS])
    raise FileRejected(file, f"no field for the text; found: {found}. Name one of them text")


def _always(_: Row, __: str) -> bool:
    return True


def _piece(chosen: Format, row: Row, file: str, number: int) -> Piece:
    try:
        return chosen.read(row, file)
    except _BROKEN_RECORD as error:
        raise FileRejected(
            file, f"looks like {chosen.name}, but record {number} is not in that format"
        ) from error


def _document(row: Row, file: str) -> Piece:
    used = {_key(row, names) or "" for names in (_IDS, _TITLES, _TEXTS)}
    text = _value(row, _TEXTS)
    title = _value(row, _TITLES)
    made = document(
        characters(title) if isinstance(title, str) else "",
        " ".join(text) if isinstance(text, list) else str(text or ""),
        file,
        given=_value(row, _IDS),
        # HippoRAG's extraction files repeat the text beside their triples.
        metadata=scalars(row, used | set(_TEXTS)),
    )
    return Piece((made,)) if made.text else Piece()


def _question(row: Row, file: str) -> Piece:
    text = _value(row, _QUESTIONS)
    if not isinstance(text, str) or not text.strip():
        return Piece()
    made = query(
        text,
        given=_value(row, _IDS),
        answers=strings(_value(row, ("answer",))) or _list(_value(row, ("answers",)), r"\|"),
        gold=_list(_value(row, _GOLD), r"[|;]"),
        type=label(_value(row, _KINDS)),
        dataset=label(row.get("dataset")),
        origin=file,
        fields=_said_besides(row),
    )
    return Piece(queries=(made,))


def _said_besides(row: Row) -> dict[str, str]:
    """What the record of a question says in few words that has no place of its own."""
    known = {*_QUESTIONS, *_IDS, "answer", "answers", *_GOLD, *_KINDS, "dataset"}
    told = {name: str(value) for name, value in scalars(row, known).items()}
    short = {name: value for name, value in told.items() if 0 < len(value) <= _SHORT}
    return dict(islice(short.items(), _SAID))


def _list(value: object, separator: str) -> tuple[str, ...]:
    """A list as it is, or one text (a cell of a CSV file) cut at its separators."""
    return strings(re.split(separator, value) if isinstance(value, str) else value)


def _key(row: Row, names: Sequence[str]) -> str | None:
    """The field of `row` that has the first of `names`, whatever its case."""
    keys = _folded(tuple(row))
    return next((keys[name] for name in names if name in keys), None)


@lru_cache(maxsize=4)  # the rows of a file have the same fields, and there may be thousands
def _folded(keys: tuple[str, ...]) -> dict[str, str]:
    return {str(key).strip().lower(): key for key in reversed(keys)}


def _value(row: Row, names: Sequence[str]) -> object:
    key = _key(row, names)
    return None if key is None else row[key]


def are_records(fields: Sequence[str], file: str) -> bool:
    """Whether rows with these fields are documents or questions."""
    try:
        _format([dict.fromkeys(fields, "")], file, "")
    except FileRejected:
        return False
    return True
