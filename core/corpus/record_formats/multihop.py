"""MuSiQue, and MultiHop-RAG with its articles, recognised by the fields of a record.

Each gives documents or questions with gold and evidence. Ids of paragraphs and articles are made
from their content, so that a corpus and questions that were read at different times agree.
"""

from collections.abc import Iterable, Iterator, Mapping

from core.corpus.file_contents import (
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
from core.corpus.gold.given_evidence import without_repeats
from core.corpus.record_formats.base import Format, Piece, has_keys, with_text
from core.corpus.record_formats.values import not_empty
from core.text.clean import one_line
from core.types import Document, Evidence

_NULL = "null_query"
_NO_SUPPORT = "a sub-question has no supporting paragraph, so it has no evidence"
_NO_FACT = "a piece of evidence contains no fact, so the whole article is evidence"


def _musique(row: Row, file: str) -> Piece:
    """Return a question of MuSiQue with its twenty paragraphs.

    Without gold if it is unanswerable.
    """
    answerable = row.get("answerable", True) is not False
    documents, supporting = [], {}
    for place, paragraph in enumerate(row["paragraphs"]):
        made = document(characters(paragraph["title"]), paragraph["paragraph_text"], file)
        documents.append(made)
        if paragraph.get("is_supporting") and answerable:
            supporting[paragraph.get("idx", place)] = made
    answers = strings(row.get("answer")) + strings(row.get("answer_aliases") or [])
    parts: list[Row] = row.get("question_decomposition") or []
    named = [each.get("paragraph_support_idx") for each in parts]
    details = {
        # Of the pairs in MuSiQue-Full, both of which have the same id and question.
        "answerable": ("yes" if answerable else "no",) if "answerable" in row else (),
    }
    asked = query(
        row["question"],
        given=row.get("id"),
        answers=tuple(dict.fromkeys(answers)) if answerable else (),
        gold=tuple(dict.fromkeys(each.id for each in supporting.values())),
        type=id_of(row.get("id")).partition("__")[0],
        dataset="musique",
        origin=file,
        details=not_empty(details),
        evidence=without_repeats(_chain(parts, supporting)),
    )
    lost = answerable and any(place is not None and place not in supporting for place in named)
    return with_text(documents, Piece(queries=(asked,), remarks=(_NO_SUPPORT,) * lost))


def _chain(parts: Iterable[Row], supporting: Mapping[object, Document]) -> Iterator[Evidence]:
    """Yield the paragraph of each sub-question, in order, then those that no sub-question names."""
    left = dict(supporting)
    for hop, part in enumerate(parts, start=1):
        place = part.get("paragraph_support_idx")
        if made := supporting.get(place):
            left.pop(place, None)
            asks, answer = (one_line(str(part.get(key, ""))) for key in ("question", "answer"))
            yield Evidence(one_line(made.text), "paragraph", made.id, hop, asks, answer)
    for made in left.values():
        yield Evidence(one_line(made.text), "paragraph", made.id)


def _article(row: Row, file: str) -> Piece:
    """Convert an article of MultiHop-RAG; its id is its URL, which questions refer to."""
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
    return with_text([made])


def _article_id(row: Row) -> str:
    return made_id(row["title"] or "", row.get("url") or row["title"])


def _multihop_rag(row: Row, file: str) -> Piece:
    """Return a question of MultiHop-RAG; its facts name articles by address and title.

    A `null_query` has an answer that no article holds, so that it has neither gold nor evidence.
    """
    kind = label(row.get("question_type"))
    items: list[Row] = [] if kind == _NULL else row["evidence_list"]
    articles = {_article_id(item): item for item in items}
    facts = [(_article_id(item), one_line(str(item.get("fact") or ""))) for item in items]
    details = {"answerable": ("no",) * (kind == _NULL)}
    asked = query(
        row["query"],
        answers=strings(row.get("answer")),
        gold=tuple(articles),
        type=kind.removesuffix("_query"),
        dataset="multihop-rag",
        origin=file,
        details=not_empty(details),
        evidence=without_repeats(
            Evidence(fact, "fact" if fact else "paragraph", article) for article, fact in facts
        ),
    )
    links = {
        key: (str(item.get("url", "")), one_line(item["title"])) for key, item in articles.items()
    }
    lost = any(not fact for _, fact in facts)
    return Piece(queries=(asked,), links=links, remarks=(_NO_FACT,) * lost)


FORMATS = (
    Format("MuSiQue", has_keys("question", "paragraphs"), _musique, merges=True),
    Format("MultiHop-RAG questions", has_keys("query", "evidence_list"), _multihop_rag),
    Format("MultiHop-RAG articles", has_keys("title", "body", "url", "published_at"), _article),
)
