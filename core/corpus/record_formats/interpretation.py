"""Convert records to documents or questions, by their format or the names of their fields."""

from collections import Counter
from collections.abc import Sequence

from core.corpus.file_contents import Contents, Limits, Row, check_rows
from core.corpus.record_formats import FORMATS, Format, Piece, Unreadable, plain_format
from core.corpus.vectors.given_vectors import BadVector, SameShape
from core.errors import FileRejected
from core.text.display import plurals

_BROKEN_RECORD = (LookupError, TypeError, ValueError, AttributeError, OverflowError)
_TRIED = 1_000  # records that may show the format
_NAMED_COLUMNS = 12
_NAMED_LETTERS = 40
_REMARKS = 12


def interpret(
    rows: Sequence[Row], file: str, kind: str, limits: Limits, notes: Sequence[str] = ()
) -> Contents:
    """Recognise the format of the records of a file, and convert them to documents and questions.

    Parameters
    ----------
    kind : the format of the file itself, such as 'CSV'.
    notes : earlier notes about the file.

    Raises
    ------
    FileRejected : no field holds texts or questions, a record breaks the format, or `limits` are
        exceeded.
    """
    chosen = _format(rows, file, kind)
    pieces = []
    shape = SameShape(file)
    made = values = 0
    for number, row in enumerate(rows, start=1):
        pieces.append(_piece(chosen, row, file, number))
        shape.check(number, pieces[-1].documents)
        made += len(pieces[-1].documents) + len(pieces[-1].queries)
        values += sum(len(each.metadata) for each in pieces[-1].documents)
        check_rows(max(number, made), values, file, limits)
    if all(piece.is_empty for piece in pieces) and not chosen.judges:
        raise FileRejected(file, "all its texts are empty")
    documents = [made for piece in pieces for made in piece.documents]
    if chosen.merges:
        # A paragraph of many questions' contexts is one document from here on.
        documents = list({made.id: made for made in documents}.values())
    return Contents(
        chosen.name,
        documents,
        [asked for piece in pieces for asked in piece.queries if asked.text],
        [each for piece in pieces for each in piece.judgements],
        {name: others for piece in pieces for name, others in piece.links.items()},
        chosen.merges,
        [made for piece in pieces for made in piece.retrieved],
        [*notes, *_notes(pieces, file, chosen)],
    )


def _notes(pieces: Sequence[Piece], file: str, chosen: Format) -> list[str]:
    """Return sentences on what of a file was left out or changed, each with a count."""
    notes = []
    records = f"of {plurals.number(len(pieces), 'record')}"
    empty = sum(piece.is_empty for piece in pieces)
    if empty and not chosen.judges:
        notes.append(f"{file}: {empty:,} {records} left out: no text")
    if paragraphs := sum(piece.without_text for piece in pieces if not piece.is_empty):
        notes.append(f"{file}: {plurals.number(paragraphs, 'paragraph')} without text left out")
    if unasked := sum(not asked.text for piece in pieces for asked in piece.queries):
        notes.append(f"{file}: {plurals.number(unasked, 'question')} without text left out")
    remarks = Counter(remark for piece in pieces for remark in dict.fromkeys(piece.remarks))
    frequent = remarks.most_common(_REMARKS)
    notes += [f"{file}: in {count:,} {records} {remark}" for remark, count in frequent]
    if len(remarks) > _REMARKS:
        notes.append(f"{file}: {len(remarks) - _REMARKS:,} more notes like these")
    return notes


def _format(rows: Sequence[Row], file: str, kind: str) -> Format:
    """Return the format of the first record that any format fits; single records may be odd."""
    for row in rows[:_TRIED]:
        for known in FORMATS:
            if known.fits(row, file):
                return known
        if plain := plain_format(row, kind):
            return plain
    columns = ", ".join(str(key)[:_NAMED_LETTERS] for key in list(rows[0])[:_NAMED_COLUMNS])
    raise FileRejected(
        file,
        f"no field with the text; found: {columns}. Rename one of them to text, or to question "
        "in a question file",
    )


def _piece(chosen: Format, row: Row, file: str, number: int) -> Piece:
    """Convert one record; raise FileRejected, with its number, if it breaks the format."""
    try:
        return chosen.read(row, file)
    except BadVector as error:
        raise FileRejected(
            file, f"record {number:,}: {error}; remove the record, or embed it again"
        ) from error
    except _BROKEN_RECORD as error:
        why = f": {error}" if isinstance(error, Unreadable) else ""
        raise FileRejected(
            file, f"it looks like {chosen.name}, but record {number} is not in that format{why}"
        ) from error


def are_records(fields: Sequence[str], file: str) -> bool:
    """Return whether rows with these fields are documents or questions."""
    try:
        _format([dict.fromkeys(fields, "")], file, "")
    except FileRejected:
        return False
    return True
