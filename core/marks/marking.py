"""Mark passages as gold by hand, and list the questions of an index with their present gold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from core.errors import InputError
from core.evidence import GoldLevel
from core.evidence.normalising import normalised
from core.marks.following import followed
from core.marks.gold import Gold, gold_of, gold_with, golds_of_queries, query_of
from core.marks.made import made_now
from core.marks.store import Mark, Marks, question_key
from core.store.index import Index
from core.text.clean import text_digest
from core.text.occurrences import best_place
from core.types import Passage, Query


def set_gold(
    index: Index,
    question: str,
    passage_id: str,
    *,
    gold: bool,
    annotator: str = "",
    words: str = "",
) -> Gold:
    """Mark a passage as gold for a question, or as not gold, and return the resulting gold.

    If the question set already agrees, no mark is stored, and one that disagrees is removed.

    Parameters
    ----------
    annotator : the name of the annotator; empty without sign-in.
    words : the words of the passage, if only those are gold.

    Raises
    ------
    InputError : there is no question, no such passage, or the passage does not contain the words.
    StoreError : the mark cannot be stored.
    """
    before = marks_on(index, question, passage_id)
    coming = _marks_for(index, question, passage_id, before, Wish(gold, annotator, words))
    Marks(index.path).replace(before, coming)
    return gold_of(index, question)


@dataclass(frozen=True, slots=True)
class Wish:
    """A requested mark: gold or not, by whom, and the words if only some are marked."""

    gold: bool
    who: str = ""
    words: str = ""


def move_mark(index: Index, mark: Mark, passage_id: str, annotator: str = "") -> Gold:
    """Mark a passage in the place of one that was marked and is not in `index`.

    Selected words stay selected if the passage holds them. Nothing is done where somebody else has
    settled that mark.

    Raises
    ------
    InputError : there is no such passage.
    StoreError : the mark cannot be kept.
    """
    if mark not in Marks(index.path).of(mark.question):
        return gold_of(index, mark.question)
    words = mark.words if holds_words(_passage(index, passage_id), mark.words) else ""
    before = [*marks_on(index, mark.question, passage_id), mark]
    wish = Wish(mark.gold, annotator, words)
    coming = _marks_for(index, mark.question, passage_id, before, wish)
    Marks(index.path).replace(before, coming)
    return gold_of(index, mark.question)


def _marks_for(
    index: Index, question: str, passage_id: str, before: Sequence[Mark], wish: Wish
) -> list[Mark]:
    """Return the mark that makes a passage what it is to be, without `before`; none if it is so."""
    if not question.strip():
        raise InputError("Gold belongs to a question. Ask one first.")
    passage = _passage(index, passage_id)
    if wish.words and not holds_words(passage, wish.words):
        raise InputError(
            "The passage does not contain these words. Copy them from its text, or leave the field "
            "empty to mark the whole passage."
        )
    others = [mark for mark in Marks(index.path).of(question) if mark not in before]
    if gold_with(index, query_of(index, question), others).has(passage_id) == wish.gold:
        return []
    return [
        Mark(
            question=question_key(question),
            passage=passage_id,
            title=passage.title,
            digest=text_digest(passage.text),
            gold=wish.gold,
            **made_now(wish.who)._asdict(),
            document=passage.document_id,
            text=passage.text,
            words=" ".join(wish.words.split()),
        )
    ]


def _passage(index: Index, passage_id: str) -> Passage:
    if passage_id not in index.number:
        raise InputError(f"The index has no passage {passage_id[:80]!r}. Reload the page.")
    return index.passage(passage_id)


def holds_words(passage: Passage, words: str) -> bool:
    """Return whether a passage contains words as they are, but for spacing, quotation marks and
    hyphens.

    They are whole words: 'bury' does not stand in 'Canterbury'.
    """
    wanted = normalised(words)
    return bool(wanted) and best_place(normalised(passage.text), wanted)[0] == 0


def marks_on(index: Index, question: str, passage_id: str) -> list[Mark]:
    """Return the marks that match this passage of `index` only.

    A mark whose text is in several passages belongs to none of them. The list is empty if only the
    question set decides.
    """
    kept = Marks(index.path).of(question)
    places = followed(index, kept)
    return [mark for mark, each in zip(kept, places, strict=True) if each.passage == passage_id]


def restore_marks(index: Index, question: str, passage_id: str, before: Iterable[Mark]) -> None:
    """Replace the marks on a passage by those of `before`, as `marks_on` returned them.

    Raises
    ------
    StoreError : the marks cannot be stored.
    """
    Marks(index.path).replace(marks_on(index, question, passage_id), before)


def forget(index: Index, question: str, name: str) -> None:
    """Delete the mark of a text that the index lacks, by its gold id."""
    store = Marks(index.path)
    store.replace([mark for mark in store.of(question) if mark.name == name], [])


def questions_of(index: Index) -> list[Query]:
    """Return every question of the index, and every other one that has marks."""
    known = {question_key(query.text) for query in index.questions}
    others = dict.fromkeys(mark.question for mark in Marks(index.path).all())
    return [*index.questions, *(_typed(text) for text in others if text not in known)]


def marked_questions(index: Index, level: GoldLevel = "evidence") -> list[tuple[Query, Gold]]:
    """`questions_of` an index, with the gold that each has now."""
    asked = questions_of(index)
    return list(zip(asked, golds_of_queries(index, asked, level), strict=True))


_TYPED = "typed-"


def is_typed(query: Query) -> bool:
    """Check whether a question came without a file and is known from its marks alone."""
    return query.id.startswith(_TYPED)


def _typed(text: str) -> Query:
    return Query(f"{_TYPED}{blake2b(text.encode(), digest_size=5).hexdigest()}", text)
