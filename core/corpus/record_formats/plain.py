"""Plain records: a document or a question each, by the names of their fields."""

from collections.abc import Sequence

from core.corpus.file_contents import (
    Row,
    characters,
    document,
    id_of,
    label,
    query,
    scalars,
    strings,
)
from core.corpus.record_formats import field_names
from core.corpus.record_formats.base import Format, Piece, Unreadable
from core.corpus.record_formats.plain_evidence import evidence_of
from core.corpus.record_formats.retrieved_results import result_of
from core.corpus.record_formats.values import (
    CONTEXTS,
    NEVER,
    answers_of,
    as_list,
    given_id,
    given_vector,
    gold_of,
    other_fields,
    text_of,
)
from core.text.clean import one_line
from core.types import Document

_PLACED = (
    *field_names.QUESTIONS,
    *field_names.IDS,
    *field_names.ANSWERS,
    *field_names.GOLD,
    *field_names.KINDS,
    "dataset",
)
_NO = ("no", "false", "0", "0.0", "n")


def plain_format(first: Row, kind: str) -> Format | None:
    """Return the format of a file by its first record; None if no field has a text.

    Parameters
    ----------
    kind : the format of the file itself, such as 'CSV'.
    """
    if "extracted_triples" in first:
        return Format("HippoRAG extraction", _always, _extraction)
    if set(first) <= {"title", "text", "idx"} and "title" in first:
        # Of HippoRAG's two fields, title and text, any table may consist.
        name = "HippoRAG corpus" if "idx" in first else f"{kind} with title and text"
        return Format(name, _always, read_document)
    if set(first) == {"id", "contents"}:
        return Format("Pyserini", _always, _pyserini)
    if field_names.has(first, field_names.TEXTS):
        return Format(f"{kind} documents", _always, read_document)
    if field_names.has(first, field_names.QUESTIONS):
        return Format(f"{kind} questions", _always, read_question)
    return None


def _always(_: Row, __: str) -> bool:
    return True


def read_document(row: Row, file: str, skipped: frozenset[str] = frozenset()) -> Piece:
    """Convert a row to a document.

    Parameters
    ----------
    skipped : fields that repeat others and need no remark.
    """
    texts = list(field_names.filled_fields(row, field_names.TEXTS))
    titles = list(field_names.filled_fields(row, field_names.TITLES))
    ids = list(field_names.filled_fields(row, field_names.IDS))
    text = text_of(*texts[0]) if texts else ""
    given = given_id(ids[0][1]) if ids else None
    used = {key for fields in (texts, titles[:1], ids[:1]) for key, _ in fields}
    used |= {
        field_names.key_of(row, names) or ""
        for names in (field_names.IDS, field_names.TITLES, field_names.VECTORS)
    }
    made = document(
        characters(text_of(*titles[0])) if titles else "",
        text,
        file,
        given=given,
        metadata=scalars(row, used | set(field_names.TEXTS)),
        vector=given_vector(row),
    )
    if not made.text:
        return Piece()
    remarks = [
        *_left_out(row, used | skipped),
        *(
            f"'{key}' was left out, because '{texts[0][0]}' is used as the text"
            for key, value in texts[1:]
            if key not in skipped and not _repeats(made, text_of(key, value))
        ),
    ]
    return Piece((made,), remarks=(*remarks, *_made_id(row, ids)))


def _made_id(row: Row, ids: Sequence[tuple[str, object]]) -> list[str]:
    """Return a remark if an id was made up though there is a field for it.

    Parameters
    ----------
    ids : the fields with ids that are not empty.
    """
    if not ids:
        missing = field_names.has(row, field_names.IDS)
        return ["the id is missing, so one was derived from the content"] * missing
    key, value = ids[0]
    if id_of(given_id(value)):
        return []
    is_plain = isinstance(value, str | bool)
    why = f"'{key}' is '{value}'" if is_plain else f"'{key}' is neither text nor a number"
    return [f"{why}, so an id was derived from the content"]


def _left_out(row: Row, used: set[str] | frozenset[str]) -> list[str]:
    """Return remarks on the fields that are dropped."""
    nested = row.get("metadata")
    inside = nested.items() if isinstance(nested, dict) else ()
    return [
        (
            f"'{one_line(str(key))[:40]}' was left out, because metadata cannot contain lists or "
            "objects"
        )
        for key, value in (*row.items(), *inside)
        if key not in used
        and not (key == "metadata" and isinstance(value, dict))
        and isinstance(value, list | dict)
        and value
    ]


def _repeats(made: Document, other: str) -> bool:
    """Return whether `other` is the text of a document, with or without title, or a part of it."""
    line = one_line(other)
    return line in one_line(f"{made.title} {made.text}")


def _extraction(row: Row, file: str) -> Piece:
    """Convert a row of a HippoRAG extraction file, which repeats the text beside its triples."""
    return read_document(
        row, file, frozenset({"passage", "extracted_triples", "extracted_entities"})
    )


def _pyserini(row: Row, file: str) -> Piece:
    """Pyserini's `contents` begin with the title on a line of its own, where there is one."""
    first, line_end, rest = str(row["contents"] or "").strip().partition("\n")
    title = first.strip().strip('"')
    if not line_end or not rest.strip() or not _is_title(title):
        return read_document(row, file)
    return read_document({"id": row["id"], "title": title, "contents": rest}, file)


def _is_title(line: str) -> bool:
    """Return whether a line is no sentence of the text under it."""
    return 0 < len(line.split()) <= 20 and line[-1] not in ".;:,…"


def read_question(row: Row, file: str) -> Piece:
    """Convert a row to a question with its answers, gold and evidence."""
    asked = field_names.value(row, field_names.QUESTIONS)
    if asked is None:
        return Piece()
    if not isinstance(asked, str):
        raise Unreadable("its question is not text")
    gold, grades = gold_of(row)
    fields, details = other_fields(row, _PLACED)
    if contexts := field_names.value(row, (CONTEXTS,)):
        details[CONTEXTS] = strings(as_list(contexts, NEVER))
    if said := label(field_names.value(row, ("answerable",))).lower():
        details["answerable"] = ("no" if said in _NO else "yes",)
    gold_evidence = evidence_of(row, gold)
    ids = list(field_names.filled_fields(row, field_names.IDS))
    made = query(
        asked,
        given=given_id(ids[0][1]) if ids else None,
        answers=answers_of(row),
        gold=gold,
        grades=grades,
        type=label(field_names.value(row, field_names.KINDS)),
        dataset=label(row.get("dataset")),
        origin=file,
        fields=fields,
        details=details,
        evidence=gold_evidence.evidence,
    )
    remarks = (*gold_evidence.remarks, *_made_id(row, ids))
    log = result_of(row)
    retrieved = [
        document(one.title, one.text, file, given=one.id)
        for one in (log.contexts if log else ())
        if one.text
    ]
    return Piece(
        (), (made,), links=gold_evidence.links, retrieved=tuple(retrieved), remarks=remarks
    )
