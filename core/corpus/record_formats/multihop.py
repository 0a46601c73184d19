"""The published formats of multi-hop data, recognised by what a record holds.

Each gives documents and questions with gold. Ids of paragraphs and articles are made from their
content, so that a corpus and questions that were read at different times agree.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
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
from core.corpus.record_formats.base import Format, Piece, has_keys, with_text
from core.corpus.record_formats.values import all_texts
from core.text.clean import one_line

Details = dict[str, tuple[str, ...]]


def _hotpot(row: Row, file: str) -> Piece:
    """A question of HotpotQA or 2WikiMultiHopQA (`evidences`) with its ten paragraphs."""
    paragraphs = [(characters(title), list(parts)) for title, parts in _pairs(row["context"])]
    documents = [document(title, characters(_joined(parts)), file) for title, parts in paragraphs]
    facts = [
        (one_line(characters(title)), number)
        for title, number in _pairs(row.get("supporting_facts", []))
    ]
    titled = defaultdict(list)
    for made, (_, parts) in zip(documents, paragraphs, strict=True):
        titled[made.title].append((made, parts))
    gold: dict[str, None] = {}
    sentences = []
    several = False
    for title, number in facts:
        there = [(made, parts) for made, parts in titled[title] if _has_sentence(parts, number)]
        several |= len({made.id for made, _ in there}) > 1
        # A title that is missing in the context may still be another question's paragraph.
        gold |= dict.fromkeys(made.id for made, _ in there or titled[title]) or {title: None}
        sentences += [one_line(characters(parts[number])) for _, parts in there]
    details: Details = {
        "supporting_facts": tuple(f"{title}, sentence {number}" for title, number in facts),
        "supporting_sentences": tuple(sentences),
        "evidences": tuple(" | ".join(all_texts(each)) for each in row.get("evidences") or ()),
    }
    asked = query(
        row["question"],
        given=row.get("_id") or row.get("id"),
        answers=strings(row.get("answer")),
        gold=tuple(gold),
        type=label(row.get("type")),
        dataset="2wiki" if "evidences" in row else "hotpotqa",
        origin=file,
        details=_filled(details),
    )
    told = "a supporting fact fits several paragraphs of one title, which are all gold"
    return with_text(documents, Piece(queries=(asked,), remarks=(told,) * several))


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


def _has_sentence(sentences: Sequence[str], number: object) -> bool:
    return isinstance(number, int) and 0 <= number < len(sentences)


def _filled(details: Details) -> Details:
    return {name: texts for name, texts in details.items() if texts}


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
    parts: list[Row] = row.get("question_decomposition") or []
    details: Details = {
        "sub_questions": _each(parts, "question"),
        "sub_answers": _each(parts, "answer"),
        # Of the pairs in MuSiQue-Full, both of which have the same id and question.
        "answerable": ("yes" if answerable else "no",) if "answerable" in row else (),
    }
    asked = query(
        row["question"],
        given=row.get("id"),
        answers=tuple(dict.fromkeys(answers)) if answerable else (),
        gold=tuple(dict.fromkeys(gold)),
        type=id_of(row.get("id")).partition("__")[0],
        dataset="musique",
        origin=file,
        details=_filled(details),
    )
    return with_text(documents, Piece(queries=(asked,)))


def _each(rows: Iterable[Row], key: str) -> tuple[str, ...]:
    """What each of `rows` has under `key`, also an empty text, so that places agree."""
    return tuple(one_line(str(each.get(key, ""))) for each in rows)


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
    return with_text([made])


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
        details=_filled({"facts": tuple(filter(None, _each(row["evidence_list"], "fact")))}),
    )
    links = {
        key: (str(item.get("url", "")), one_line(item["title"])) for key, item in evidence.items()
    }
    return Piece(queries=(asked,), links=links)


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
    Format("MuSiQue", has_keys("question", "paragraphs"), _musique, merges=True),
    Format("MultiHop-RAG questions", has_keys("query", "evidence_list"), _multihop_rag),
    Format("MultiHop-RAG articles", has_keys("title", "body", "url", "published_at"), _article),
)
