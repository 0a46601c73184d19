"""Marking a passage as gold by hand, and the questions of an index with their gold as it is now."""

from collections.abc import Iterable
from hashlib import blake2b

from core.errors import InputError
from core.marks.gold import Gold, GoldLevel, gold_of, golds_of_queries, marked_as, query_of
from core.marks.made import made_now
from core.marks.store import Mark, Marks, question_key
from core.store.index import Index
from core.text.clean import text_digest
from core.types import Passage, Query


def set_gold(index: Index, question: str, passage_id: str, *, gold: bool, who: str = "") -> Gold:
    """Mark a passage as gold for a question, or as none; the gold as it is then.

    What the question set says already needs no mark: the one that says otherwise is taken away.

    Parameters
    ----------
    who : the name of who marks it, where people are told apart.

    Raises
    ------
    InputError : there is no question, or no such passage.
    StoreError : the mark cannot be kept.
    """
    if not question.strip():
        raise InputError("Gold belongs to a question: ask one first.")
    if passage_id not in index.number:
        raise InputError(f"The index has no passage {passage_id[:80]!r}. Reload the page.")
    passage = index.passage(passage_id)
    query = query_of(index, question)
    given = query is not None and _is_given(query, passage)
    mark = Mark(
        question=question_key(question),
        passage=passage_id,
        title=passage.title,
        digest=text_digest(passage.text),
        gold=gold,
        **made_now(who)._asdict(),
    )
    put_back(index, question, passage_id, [] if gold == given else [mark])
    return gold_of(index, question)


def _is_given(query: Query, passage: Passage) -> bool:
    """Whether a question set says that a passage is gold."""
    if query.evidence:
        return any(passage.id in part for each in query.evidence for part in each.parts)
    return not {passage.id, passage.document_id}.isdisjoint(query.gold)


def marks_on(index: Index, question: str, passage_id: str) -> list[Mark]:
    """What is kept of a passage of `index` for a question; nothing where the question set says
    all."""
    kept = Marks(index.path).of(question)
    return [mark for mark in kept if marked_as(mark, index) == passage_id]


def put_back(index: Index, question: str, passage_id: str, before: Iterable[Mark]) -> None:
    """Leave of a passage what was kept `before`, by whom and when it was, as `marks_on` had it.

    Raises
    ------
    StoreError : the marks cannot be kept.
    """
    Marks(index.path).replace(marks_on(index, question, passage_id), before)


def forget(index: Index, question: str, name: str) -> None:
    """Take away the mark of what the index does not hold, by its name among the gold."""
    store = Marks(index.path)
    store.replace([mark for mark in store.of(question) if mark.name == name], [])


def questions_of(index: Index) -> list[Query]:
    """Every question of the index, and every other one that has marks."""
    known = {question_key(query.text) for query in index.questions}
    others = dict.fromkeys(mark.question for mark in Marks(index.path).all())
    return [*index.questions, *(_typed(text) for text in others if text not in known)]


def marked_questions(index: Index, level: GoldLevel = "evidence") -> list[tuple[Query, Gold]]:
    """`questions_of` an index, with the gold that each has now."""
    asked = questions_of(index)
    return list(zip(asked, golds_of_queries(index, asked, level), strict=True))


_TYPED = "typed-"


def is_typed(query: Query) -> bool:
    """Whether a question came with no file: it is known by its marks alone."""
    return query.id.startswith(_TYPED)


def _typed(text: str) -> Query:
    return Query(f"{_TYPED}{blake2b(text.encode(), digest_size=5).hexdigest()}", text)
