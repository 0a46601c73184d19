"""Retrieval test collections: BEIR's corpus, queries and qrels, and TREC's qrels."""

from core.corpus.file_contents import Row, characters, document, id_of, query, scalars, strings
from core.corpus.record_formats.base import Format, Piece, has_keys, with_text
from core.corpus.record_formats.values import given_vector, grade_of

QRELS_FIELDS = ("query-id", "iteration", "corpus-id", "score")


def _document(row: Row, file: str) -> Piece:
    """Convert a row of a BEIR corpus; a document with only a title uses it as its text."""
    title, text = characters(row["title"] or ""), row["text"] or ""
    made = document(
        title,
        text if text.strip() else title,
        file,
        given=row["_id"],
        metadata=scalars(row, {"_id", "title", "text"}),
        vector=given_vector(row),
    )
    alone = "there is only a title, which is also used as the text"
    return with_text([made], Piece(remarks=(alone,) * bool(made.text and not text.strip())))


def _query(row: Row, file: str) -> Piece:
    """Convert a row of BEIR queries; the answer is in its metadata, if there is one."""
    more = row.get("metadata")
    answer = more.get("answer") if isinstance(more, dict) else None
    question = query(row["text"], given=row["_id"], answers=strings(answer), origin=file)
    return Piece(queries=(question,))


def _qrel(row: Row, _: str) -> Piece:
    """Convert a row of qrels; a grade of 0 or less gives nothing."""
    grade = grade_of(row["score"])
    if grade <= 0:
        return Piece()
    return Piece(judgements=((id_of(row["query-id"]), id_of(row["corpus-id"]), grade),))


def _is_query(row: Row, file: str) -> bool:
    named = any(word in file.rpartition("/")[2].lower() for word in ("quer", "question"))
    return named and "_id" in row and "text" in row and not row.get("title")


FORMATS = (
    Format("BEIR queries", _is_query, _query),
    Format("BEIR corpus", has_keys("_id", "title", "text"), _document),
    Format("TREC qrels", has_keys(*QRELS_FIELDS), _qrel, judges=True),
    Format("BEIR qrels", has_keys("query-id", "corpus-id", "score"), _qrel, judges=True),
)
