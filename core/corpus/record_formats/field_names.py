"""Names under which files keep ids, titles, texts, questions, answers and gold."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from core.corpus.file_contents import Row

IDS = ("id", "_id", "doc_id", "docid", "document_id", "passage_id", "pid", "qid", "query_id")
TITLES = ("title", "name", "headline", "heading")
TEXTS = ("text", "body", "content", "contents", "passage", "paragraph", "paragraph_text")
QUESTIONS = ("question", "query", "user_input", "prompt")
ANSWERS = (
    *("answer", "answers", "answer_aliases", "aliases", "reference", "reference_answer"),
    *("ground_truth", "ground_truths", "gold_answer", "gold_answers"),
)
GOLD = (
    *("gold", "gold_ids", "gold_titles", "gold_docs", "supporting", "supporting_ids"),
    *("relevant", "relevant_ids", "relevant_docs", "reference_context_ids", "reference_contexts"),
)
EVIDENCE = ("evidence", "evidences", "facts", "supporting_facts")
VECTORS = ("vector", "embedding", "embeddings")
KINDS = ("type", "question_type", "reasoning_types")
ALL = frozenset((*IDS, *TITLES, *TEXTS, *QUESTIONS, *ANSWERS, *GOLD, *EVIDENCE, *KINDS))


def filled_fields(row: Row, names: Sequence[str]) -> Iterator[tuple[str, object]]:
    """Yield the key and value of each field of `row` named in `names` that is not empty.

    Fields come in the order of `names`; case is ignored.
    """
    keys = _folded(tuple(row))
    for name in names:
        if (key := keys.get(name)) is not None and not is_empty(row[key]):
            yield key, row[key]


def key_of(row: Row, names: Sequence[str]) -> str | None:
    """Return the field that has the first of `names` that any has, filled or not."""
    keys = _folded(tuple(row))
    return next((keys[name] for name in names if name in keys), None)


def value(row: Row, names: Sequence[str]) -> object:
    """Return the first non-empty value of the named fields, or None."""
    return next((content for _, content in filled_fields(row, names)), None)


def has(row: Row, names: Sequence[str]) -> bool:
    """Return whether `row` has a field that is called by one of `names`, filled or not."""
    return key_of(row, names) is not None


def folded_name(key: object) -> str:
    """Return a field's name in the form used for comparison: lower case, without spaces around
    it.
    """
    return str(key).strip().lower()


def is_empty(value: object) -> bool:
    """Return whether a field has no value: None, empty text, list or object, or pandas' NaN."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or value != value or (isinstance(value, list | dict) and not value)


@lru_cache(maxsize=4)  # the rows of a file have the same fields, and there may be thousands
def _folded(keys: tuple[str, ...]) -> dict[str, str]:
    return {folded_name(key): key for key in reversed(keys)}
