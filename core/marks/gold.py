"""The gold of a question: what the question set gives, and what people marked by hand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from core.compare import distinct_gold
from core.hop_graph.suggested import suggested
from core.marks.made import Made
from core.marks.store import Mark, Marks, question_key
from core.store.index import Index
from core.text.clean import text_digest
from core.types import Passage, Query

Sayer = Literal["given", "rules", "hand"]
"""Who says that something is gold: the question set, the rules that made the question, or a person
on the screen."""


@dataclass(frozen=True, slots=True)
class Gold:
    """What is gold for a question, by ids of passages, or of documents as a whole.

    Parameters
    ----------
    given : ids that the question set names.
    added : ids of passages that it does not name and that were marked by hand.
    removed : ids of passages that it names and whose mark was taken away by hand.
    absent : those of `ids` that the index does not hold: nothing that asks it can find them.
    passages : the passages that an id of `ids` stands for, where they are at hand.
    titles : what a passage was called that is marked by hand and absent.
    made : by whom and when each of `added` and `removed` was, where that is known.
    by_rules : whether rules made the question, and so what is given.
    """

    given: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    passages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    made: Mapping[str, Made] = field(default_factory=dict)
    by_rules: bool = False

    def __bool__(self) -> bool:
        return bool(self.ids)

    @property
    def ids(self) -> tuple[str, ...]:
        """All that is gold now, each thing once: those given first, then those marked by hand."""
        gone = self.taken_away
        return (*(name for name in self.given if name not in gone), *self.added)

    @property
    def taken_away(self) -> tuple[str, ...]:
        """What of `given` is no gold any more: every passage of it that is there was removed."""
        gone = set(self.removed)
        return tuple(
            name
            for name in self.given
            if name in gone or (name in self.passages and not self.passages[name])
        )

    @property
    def held(self) -> tuple[str, ...]:
        """Those of `ids` that the index holds."""
        return tuple(name for name in self.ids if name not in self.absent)

    def by(self, name: str) -> Sayer:
        """Who says that `name`, an id of `ids` or of a gold passage, is gold."""
        if name in self.added:
            return "hand"
        return "rules" if self.by_rules else "given"

    def has(self, passage_id: str) -> bool:
        """Whether a passage is gold."""
        return passage_id in self.passage_ids

    @property
    def passage_ids(self) -> frozenset[str]:
        """Ids of all gold passages that are at hand."""
        return frozenset(one for name in self.ids for one in self.passages.get(name, ()))

    @property
    def said(self) -> dict[str, Sayer | Literal[""]]:
        """By id who says that it is gold; empty for a passage whose mark was taken away."""
        found: dict[str, Sayer | Literal[""]] = {name: self.by(name) for name in self.ids}
        return {**found, **dict.fromkeys(self.removed, "")}

    @property
    def told(self) -> dict[str, str]:
        """By id, of what a person marked or unmarked, who did it and when, in words."""
        return {name: str(made) for name, made in self.made.items()}


NO_GOLD = Gold()


def gold_of(index: Index, question: str) -> Gold:
    """The gold of a question, whoever asks it: of the index's question of that text, with marks.

    Raises
    ------
    StoreError : the file of the marks cannot be read.
    """
    return _gold(index, question, Marks(index.path).of(question))


def golds_of_queries(index: Index, queries: Iterable[Query]) -> Iterator[Gold]:
    """Yield the gold of each question, in order; the marks are read once.

    Two questions of the index may have the same text, and each its own gold.
    """
    marks = _marks_by_question(index)
    own = {query.id: query for query in index.questions}
    for query in queries:
        here = own.get(query.id)
        given = here if here and here.text == query.text else None
        yield _gold(index, query.text, marks.get(question_key(query.text), []), given)


def kept_gold(
    passages: Mapping[str, Passage],
    gold: Sequence[str],
    *,
    by_hand: Sequence[str] = (),
    removed: Sequence[str] = (),
    absent: Sequence[str] = (),
    made: Mapping[str, Made] = MappingProxyType({}),
) -> Gold:
    """The gold that a trace says it had, of the passages that it holds.

    Parameters
    ----------
    gold : all ids; of them, `by_hand` were marked by hand and `absent` not in its index.
    removed : ids of passages whose mark was taken away by hand.
    made : by whom and when they were, of those of which that is known.
    """
    given = tuple(name for name in gold if name not in set(by_hand))
    documents: dict[str, list[str]] = {}
    for passage in passages.values():
        documents.setdefault(passage.document_id, []).append(passage.id)

    def found(name: str) -> tuple[str, ...]:
        return (name,) if name in passages else tuple(documents.get(name, ()))

    gone = set(removed)
    at_hand = {
        name: tuple(one for one in stands if one not in gone)
        for name in gold
        if (stands := found(name))
    }
    return Gold(given, tuple(by_hand), tuple(removed), tuple(absent), at_hand, made=made)


def remarked(
    passages: Mapping[str, Passage], gold: Gold, passage_id: str, made: Made, *, on: bool
) -> Gold:
    """`gold` of a trace that holds `passages`, after one was marked, or its mark taken away."""
    ids = tuple(name for name in gold.ids if name != passage_id)
    added = tuple(name for name in gold.added if name != passage_id)
    removed = tuple(name for name in gold.removed if name != passage_id)
    if on:
        documents = {passages[passage_id].document_id} & set(ids)
        ids = ids if documents else (*ids, passage_id)
        added = added if passage_id in gold.removed else (*added, passage_id)
    elif passage_id not in gold.added:
        removed = (*removed, passage_id)
    by = {**gold.made, passage_id: made}
    return kept_gold(
        passages,
        ids,
        by_hand=added,
        removed=removed,
        absent=gold.absent,
        made={name: by[name] for name in (*added, *removed) if name in by},
    )


def marked_as(mark: Mark, index: Index) -> str | None:
    """The id of the passage of `index` that was marked, None where its text is not there."""
    number = index.number.get(mark.passage)
    if number is not None and text_digest(index.passages[number].text) == mark.digest:
        return mark.passage
    return index.passage_of_text(mark.digest)


def passages_of(index: Index, name: str) -> tuple[str, ...]:
    """The passages that an id stands for: itself, or those of a document."""
    return (name,) if name in index.number else index.document_passages.get(name, ())


def query_of(index: Index, question: str) -> Query | None:
    """The question of that text: of the index, or, where it has none, of those that rules made."""
    if index.meta.counts.questions:
        return index.question(question)
    return next((query for query in suggested(index) if query.text == question), None)


def _marks_by_question(index: Index) -> dict[str, list[Mark]]:
    marks: dict[str, list[Mark]] = {}
    for mark in Marks(index.path).all():
        marks.setdefault(mark.question, []).append(mark)
    return marks


def _gold(index: Index, question: str, marks: Sequence[Mark], query: Query | None = None) -> Gold:
    query = query or query_of(index, question)
    given = query.gold if query else ()
    covered = {one for name in given for one in passages_of(index, name)}
    added: dict[str, str] = {}  # name and title
    removed: list[str] = []
    made: dict[str, Made] = {}
    for mark in marks:
        here = marked_as(mark, index)
        if not mark.gold:
            removed += [here] if here in covered else []
        elif here is None:
            added[mark.name] = mark.title
        elif here not in covered:
            added[here] = ""
        made[here or mark.name] = Made(mark.who, mark.at)
    at_hand = _at_hand(index, (*given, *added), set(removed))
    taken_away = {name for name, stands in at_hand.items() if not stands}
    wanted = distinct_gold(given, at_hand)
    return Gold(
        given=wanted,
        added=tuple(added),
        removed=tuple(dict.fromkeys(removed)),
        absent=tuple(n for n in (*wanted, *added) if n not in at_hand and n not in taken_away),
        passages=at_hand,
        titles={name: title for name, title in added.items() if title},
        made={name: made[name] for name in (*added, *removed)},
        by_rules=bool(given) and not index.meta.counts.questions,
    )


def _at_hand(
    index: Index, names: Sequence[str], removed: AbstractSet[str]
) -> dict[str, tuple[str, ...]]:
    found = {name: passages_of(index, name) for name in names}
    return {
        name: tuple(one for one in stands if one not in removed)
        for name, stands in found.items()
        if stands
    }
