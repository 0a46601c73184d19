"""Question sets of other kinds: SQuAD with its paragraphs, FRAMES with its articles' addresses."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from core.corpus.file_contents import Row, characters, document, label, query, strings
from core.corpus.record_formats.base import Format, Piece, has_folded, with_text
from core.corpus.record_formats.field_names import folded_name
from core.corpus.record_formats.spans import NO_SPAN, Span, span_evidence
from core.corpus.record_formats.values import all_texts, as_list, not_empty, other_fields
from core.text.clean import one_line
from core.types import Document

_FRAMES = ("prompt", "answer", "wiki_links")


def _squad(row: Row, file: str) -> Piece:
    """Return an article of SQuAD: each paragraph is a document, and gold of its questions."""
    documents, pieces = [], []
    for paragraph in row["paragraphs"]:
        context = paragraph["context"]
        made = document(_title(row), characters(context), file)
        documents.append(made)
        pieces += [
            _squad_question(each, context, made, file) for each in paragraph.get("qas") or ()
        ]
    queries = tuple(asked for piece in pieces for asked in piece.queries)
    remarks = tuple(remark for piece in pieces for remark in piece.remarks)
    return with_text(documents, Piece(queries=queries, remarks=remarks))


def _squad_row(row: Row, file: str) -> Piece:
    """Return a question of SQuAD with its paragraph, as the Hugging Face hub has it."""
    made = document(_title(row), characters(row["context"]), file)
    return with_text([made], _squad_question(row, row["context"], made, file))


def _title(row: Row) -> str:
    return characters(row.get("title") or "").replace("_", " ")


def _squad_question(row: Row, context: str, made: Document, file: str) -> Piece:
    """Convert a SQuAD question about the document `made`, with its answer spans as evidence."""
    spans = list(_spans(row.get("answers")))
    possible = bool(spans) and not row.get("is_impossible")
    details = {
        "spans": tuple(f"{start} {text}" for start, text in spans),
        "plausible_answers": tuple(text for _, text in _spans(row.get("plausible_answers"))),
        "answerable": () if possible else ("no",),
    }
    evidence, all_found = span_evidence(context, spans if possible else (), made)
    question = query(
        row["question"],
        given=row.get("id"),
        answers=strings([text for _, text in spans]) if possible else (),
        gold=(made.id,) if possible else (),
        dataset="squad",
        origin=file,
        details=not_empty(details),
        evidence=evidence,
    )
    return Piece(queries=(question,), remarks=() if all_found else (NO_SPAN,))


def _spans(answers: Any) -> Iterator[Span]:
    """Yield the start and text of each answer, from columns or from a list of objects."""
    if isinstance(answers, dict):
        yield from zip(answers["answer_start"], answers["text"], strict=True)
        return
    for each in answers or ():
        yield each["answer_start"], each["text"]


def _is_squad(row: Row, _: str) -> bool:
    paragraphs = row.get("paragraphs")
    first = paragraphs[0] if isinstance(paragraphs, list) and paragraphs else None
    return isinstance(first, dict) and "context" in first


def _is_squad_row(row: Row, _: str) -> bool:
    """Return whether a record has the fields of SQuAD as on the Hugging Face hub."""
    return (
        isinstance(row.get("context"), str)
        and isinstance(row.get("question"), str)
        and isinstance(row.get("answers"), dict)
        and {"text", "answer_start"} <= set(row["answers"])
    )


def _frames(row: Row, file: str) -> Piece:
    """Return a question of FRAMES; its gold are articles of Wikipedia, by address and title."""
    fields = {folded_name(key): value for key, value in row.items()}
    numbered = [fields[key] for key in fields if key.startswith("wikipedia_link")]
    named = [*all_texts(as_list(fields["wiki_links"], r"[|\n]")), *all_texts(numbered)]
    links = dict.fromkeys(one_line(each) for each in named)
    numbers = [key for key in fields if key.startswith("wikipedia_link")]
    plain_fields, details = other_fields(row, (*_FRAMES, *numbers, "reasoning_types", "id"))
    question = query(
        fields["prompt"],
        given=fields.get("id"),
        answers=strings(fields["answer"]),
        gold=tuple(links),
        type=label(fields.get("reasoning_types")),
        dataset="frames",
        origin=file,
        fields=plain_fields,
        details=details,
    )
    return Piece(queries=(question,), links={each: (_title_of_address(each),) for each in links})


def _title_of_address(address: str) -> str:
    """Return the title of a Wikipedia article by its URL.

    >>> _title_of_address("https://en.wikipedia.org/wiki/Orrin_Mill#History")
    'Orrin Mill'
    """
    try:
        path = urlsplit(address).path
    except ValueError:
        return ""
    return one_line(unquote(path.rpartition("/")[2]).replace("_", " "))


FORMATS = (
    Format("SQuAD", _is_squad, _squad, merges=True),
    Format("SQuAD", _is_squad_row, _squad_row, merges=True),
    Format("FRAMES", has_folded(*_FRAMES), _frames),
)
