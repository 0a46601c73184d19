"""The published formats of multi-hop data, recognised by what a record holds.

Each gives documents and questions with gold. Ids of paragraphs and articles are made from their
content, so that a corpus and questions that were read at different times agree.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from core.corpus.contents import (
    Row,
    characters,
    document,
    id_of,
    label,
    made_id,
    query,
    scalars,
    strings,
)
from core.text.clean import one_line
from core.types import Document, Query

QRELS = "BEIR qrels"


@dataclass(frozen=True, slots=True)
class Piece:
    """What one record brings; see `Contents` for the fields."""

    documents: tuple[Document, ...] = ()
    queries: tuple[Query, ...] = ()
    judgements: tuple[tuple[str, str], ...] = ()
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name, whether the first record of a file fits, and how to read one record.

    `read(row, file)` may raise LookupError, TypeError, ValueError, AttributeError or OverflowError
    for a record that is not in the format.
    """

    name: str
    fits: Callable[[Row, str], bool]
    read: Callable[[Row, str], Piece]
    merges: bool = False


def _hotpot(row: Row, file: str) -> Piece:
    """A question of HotpotQA or 2WikiMultiHopQA (`evidences`) with its ten paragraphs."""
    documents = [
        document(characters(title), characters(_joined(parts)), file)
        for title, parts in _pairs(row["context"])
    ]
    wanted = dict.fromkeys(
        one_line(characters(title)) for title, _ in _pairs(row.get("supporting_facts", []))
    )
    ids = {made.title: made.id for made in documents}
    asked = query(
        row["question"],
        given=row.get("_id") or row.get("id"),
        answers=strings(row.get("answer")),
        # A title that is missing in the context may still be another question's paragraph.
        gold=tuple(ids.get(title, title) for title in wanted),
        type=label(row.get("type")),
        dataset="2wiki" if "evidences" in row else "hotpotqa",
        origin=file,
    )
    return Piece(_filled(documents), (asked,))


def _pairs(value: object) -> Iterator[tuple[str, Any]]:
    """`[[title, x], ...]`, or the same as columns `{title: [...], sentences: [...]}` (Parquet)."""
    if isinstance(value, dict):
        titles, rest, *_ = value.values()
        return zip(titles, rest, strict=True)
    if not isinstance(value, list):
        raise TypeError("neither pairs nor columns")
    return ((title, rest) for title, rest in value)


def _joined(sentences: list[str]) -> str:
    """HotpotQA's sentences bring the space before them, 2WikiMultiHopQA's do not."""
    spaced = any(sentence[:1].isspace() for sentence in sentences[1:])
    return ("" if spaced else " ").join(sentences)


def _filled(documents: list[Document]) -> tuple[Document, ...]:
    return tuple(made for made in documents if made.text)


def _musique(row: Row, file: str) -> Piece:
    """A question of MuSiQue with its twenty paragraphs; without gold if it is unanswerable."""
    answerable = row.get("answerable", True) is not False
    documents, gold = [], []
    for paragraph in row["paragraphs"]:
        made = document(characters(paragraph["title"]), paragraph["paragraph_text"], file)
        documents.append(made)
        if paragraph.get("is_supporting") and answerable:
            gold.append(made.id)
    answers = strings(row.get("answer")) + strings(row.get("answer_aliases") or [])
    asked = query(
        row["question"],
        given=row.get("id"),
        answers=tuple(dict.fromkeys(answers)) if answerable else (),
        gold=tuple(dict.fromkeys(gold)),
        type=id_of(row.get("id")).partition("__")[0],
        dataset="musique",
        origin=file,
    )
    return Piece(_filled(documents), (asked,))


def _article(row: Row, file: str) -> Piece:
    """An article of MultiHop-RAG; its id comes from its address, which questions name too."""
    metadata = scalars(row, {"title", "body"})
    if "published_at" in metadata:
        metadata["date"] = metadata.pop("published_at")
    made = document(
        characters(row["title"] or ""),
        row["body"] or "",
        file,
        given=_article_id(row),
        metadata=metadata,
    )
    return Piece(_filled([made]))


def _article_id(row: Row) -> str:
    return made_id(row["title"] or "", row.get("url") or row["title"])


def _multihop_rag(row: Row, file: str) -> Piece:
    """A question of MultiHop-RAG; its evidence names articles by address and title."""
    evidence = {_article_id(item): item for item in row["evidence_list"]}
    asked = query(
        row["query"],
        answers=strings(row.get("answer")),
        gold=tuple(evidence),
        type=label(row.get("question_type")).removesuffix("_query"),
        dataset="multihop-rag",
        origin=file,
    )
    links = {
        key: (str(item.get("url", "")), one_line(item["title"])) for key, item in evidence.items()
    }
    return Piece(queries=(asked,), links=links)


def _beir_document(row: Row, file: str) -> Piece:
    made = document(
        characters(row["title"] or ""),
        row["text"] or "",
        file,
        given=row["_id"],
        metadata=scalars(row, {"_id", "title", "text"}),
    )
    return Piece(_filled([made]))


def _beir_query(row: Row, file: str) -> Piece:
    more = row.get("metadata")
    answer = more.get("answer") if isinstance(more, dict) else None
    asked = query(row["text"], given=row["_id"], answers=strings(answer), origin=file)
    return Piece(queries=(asked,))


def _qrel(row: Row, _: str) -> Piece:
    score = float(row["score"])
    if not isfinite(score):
        raise ValueError(f"{score} is no score")
    if score <= 0:
        return Piece()
    return Piece(judgements=((id_of(row["query-id"]), id_of(row["corpus-id"])),))


def _has(*keys: str) -> Callable[[Row, str], bool]:
    return lambda row, _: all(key in row for key in keys)


def _is_beir_query(row: Row, file: str) -> bool:
    named = any(word in file.rpartition("/")[2].lower() for word in ("quer", "question"))
    return named and "_id" in row and "text" in row and not row.get("title")


def _is_hotpot(row: Row, _: str) -> bool:
    context = row.get("context")
    if isinstance(context, list):
        return "question" in row and all(isinstance(pair, list) for pair in context)
    return "question" in row and isinstance(context, dict)


def _is_two_wiki(row: Row, file: str) -> bool:
    return _is_hotpot(row, file) and "evidences" in row


FORMATS = (
    Format("2WikiMultiHopQA", _is_two_wiki, _hotpot, merges=True),
    Format("HotpotQA", _is_hotpot, _hotpot, merges=True),
    Format("MuSiQue", _has("question", "paragraphs"), _musique, merges=True),
    Format("MultiHop-RAG questions", _has("query", "evidence_list"), _multihop_rag),
    Format("MultiHop-RAG articles", _has("title", "body", "url", "published_at"), _article),
    Format("BEIR queries", _is_beir_query, _beir_query),
    Format("BEIR corpus", _has("_id", "title", "text"), _beir_document),
    Format(QRELS, _has("query-id", "corpus-id", "score"), _qrel),
)
"""In the order they are tried; the first that fits a file's first record reads the file."""
