"""The gold of a question: from its question set, and from marks by annotators."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from core.evidence import GoldLevel, Holders, evidence_by_id, evidence_holders, parts_of
from core.hop_graph.suggested import two_hop_questions
from core.marks.applying import (
    base_of,
    passages_of,
    remaining_evidence,
    with_marks,
    without_removed,
)
from core.marks.made import Made
from core.marks.store import Mark, Marks, question_key
from core.ranking_comparison import distinct_gold
from core.store.index import Index
from core.text.clean import one_line
from core.text.display.passage_labels import shortened
from core.types import Evidence, Passage, Query

_TITLE = 80  # characters

Sayer = Literal["given", "rules", "hand"]
"""Who says that something is gold: the question set, the rules that made the question, or a person
on the screen."""


@dataclass(frozen=True, slots=True)
class Gold:
    """The gold of a question: ids of evidence, of passages, or of whole documents.

    Parameters
    ----------
    given : ids from the question set, or those of its evidence.
    added : ids of passages marked by hand that the question set does not name.
    removed : ids of passages from the question set that were unmarked by hand.
    absent : those of `ids` that the index does not hold, so that they cannot be retrieved.
    passages : the passages of each id in the index; of evidence split across passages also which
        are
        needed (`core.evidence.Holders`).
    evidence : by id, the evidence among `ids`, and marks whose text several passages hold.
    titles : by absent id, the text of evidence, or the title of the marked passage.
    made : who added or removed each mark, and when, if known.
    by_rules : whether rules generated the question and its gold.
    marked : by id of `added`, the marked text: a passage, or words of it.
    """

    given: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    passages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    made: Mapping[str, Made] = field(default_factory=dict)
    by_rules: bool = False
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    marked: Mapping[str, Evidence] = field(default_factory=dict, compare=False)

    def __bool__(self) -> bool:
        return bool(self.ids)

    @property
    def ids(self) -> tuple[str, ...]:
        """All that is gold now, each thing once: those given first, then those marked by hand."""
        gone = self.taken_away
        return (*(name for name in self.given if name not in gone), *self.added)

    @property
    def taken_away(self) -> tuple[str, ...]:
        """Ids of `given` that are no longer gold, because each of their passages in the index was
        removed.
        """
        gone = set(self.removed)
        return tuple(
            name
            for name in self.given
            if name in gone or (name in self.passages and not self.passages[name])
        )

    @property
    def held(self) -> tuple[str, ...]:
        """The `ids` that the index contains."""
        return tuple(name for name in self.ids if name not in self.absent)

    def author_of(self, name: str) -> Sayer:
        """Return who marked `name`, a gold id or a gold passage, as gold: the question set,
        rules or a person.
        """
        if name in self.added or self._only_by_hand(name):
            return "hand"
        return "rules" if self.by_rules else "given"

    def _only_by_hand(self, passage_id: str) -> bool:
        """Return whether a passage is gold by marks alone,
        such as one whose text it has a part of.
        """
        held = [name for name in self.ids if passage_id in self.passages.get(name, ())]
        return bool(held) and set(held) <= set(self.added)

    def mark_in(self, passage_id: str) -> str | None:
        """Return the gold id of the mark by hand that a passage is gold by, or None."""
        by_hand = (name for name in self.added if passage_id in self.passages.get(name, ()))
        return next(by_hand, None)

    def evidence_in(self, passage_id: str) -> tuple[Evidence, ...]:
        """Return the evidence that a passage contains, whole or in part."""
        return tuple(
            each
            for name, each in self.evidence.items()
            if passage_id in self.passages.get(name, ())
        )

    def has(self, passage_id: str) -> bool:
        """Return whether a passage is gold."""
        return passage_id in self.passage_ids

    @property
    def passage_ids(self) -> frozenset[str]:
        """Ids of all gold passages that are at hand."""
        return frozenset(one for name in self.ids for one in self.passages.get(name, ()))

    def authors(self, ranking: Sequence[str] = ()) -> dict[str, Sayer | Literal[""]]:
        """Return, for each gold passage or document, who marked it as gold; empty for removed
        marks.

        Evidence that several passages hold is shown at one of them.

        Parameters
        ----------
        ranking : passage ids, best first: evidence is shown at the first passage that holds it.
        """
        ranks = {passage: rank for rank, passage in enumerate(ranking)}
        sayers: dict[str, Sayer | Literal[""]] = {}
        for name in self.ids:
            sayers |= dict.fromkeys(self._shown_at(name, ranks), self.author_of(name))
        return {**sayers, **dict.fromkeys(self.removed, "")}

    def pieces(self, ranking: Sequence[str] = ()) -> Counter[str]:
        """Return how many pieces of gold each passage or document of `said` represents."""
        ranks = {passage: rank for rank, passage in enumerate(ranking)}
        return Counter(one for name in self.ids for one in self._shown_at(name, ranks))

    def _shown_at(self, name: str, ranks: Mapping[str, int]) -> list[str]:
        """Return the best ranked passage of each part of evidence, or any other gold id itself."""
        if name not in self.evidence or name not in self.passages:
            return [name]
        parts = parts_of(name, self.passages)
        return [min(part, key=lambda one: ranks.get(one, len(ranks))) for part in parts]

    def held_by(self, passages_by_gold: Holders) -> "Gold":
        """Return the same gold, with other texts than the passages of the index as its holders."""
        evidence = {
            name: replace(each, parts=parts_of(name, passages_by_gold))
            if passages_by_gold.get(name)
            else each
            for name, each in self.evidence.items()
        }
        absent = tuple(name for name in self.absent if not passages_by_gold.get(name))
        return replace(self, passages=passages_by_gold, evidence=evidence, absent=absent)

    @property
    def told(self) -> dict[str, str]:
        """Describe who added or removed each mark, and when, by id."""
        return {name: str(made) for name, made in self.made.items()}


NO_GOLD = Gold()


def gold_of(index: Index, question: str, level: GoldLevel = "evidence") -> Gold:
    """Return the gold of a question, whoever asks it: of the index's question of that text, with
    marks.

    Raises
    ------
    StoreError : the file of the marks cannot be read.
    """
    query = query_of(index, question)
    return gold_with(index, query, Marks(index.path).of(question), level)


def golds_of_queries(
    index: Index, queries: Iterable[Query], level: GoldLevel = "evidence"
) -> Iterator[Gold]:
    """Yield the gold of each question, in order; the marks are read once.

    Two questions of the index may have the same text, and each its own gold.
    """
    marks = _marks_by_question(index)
    own = {query.id: query for query in index.questions}
    for query in queries:
        here = own.get(query.id)
        if not here or here.text != query.text:
            here = query_of(index, query.text)
        yield gold_with(index, here, marks.get(question_key(query.text), []), level)


def asked_gold(query: Query, now: Gold = NO_GOLD) -> Gold:
    """Return the gold that a question was asked with, of its evidence and of passages.

    Parameters
    ----------
    now : its gold of today, which has the passages of marks that several passages stand for. The
        question itself has the texts of marks that are no gold any more.
    """
    by_hand = {name: each for name, each in now.evidence.items() if name in now.added}
    marked = {name: each for name, each in query.marked.items() if each.parts != ((name,),)}
    known = {**evidence_by_id(query), **marked, **by_hand}
    evidence = {name: known[name] for name in query.gold if name in known}
    return Gold(query.gold, passages=evidence_holders(evidence), evidence=evidence)


def asked_text(query: Query, gold_id: str) -> Evidence | None:
    """Return the evidence or the mark that a gold id named when the question was asked."""
    return evidence_by_id(query).get(gold_id) or query.marked.get(gold_id)


def stored_gold(
    passages: Mapping[str, Passage],
    gold: Sequence[str],
    *,
    by_hand: Sequence[str] = (),
    removed: Sequence[str] = (),
    absent: Sequence[str] = (),
    made: Mapping[str, Made] = MappingProxyType({}),
    evidence: Mapping[str, Evidence] = MappingProxyType({}),
) -> Gold:
    """Return the gold stored in a trace, located in the trace's own passages.

    Parameters
    ----------
    gold : all ids; of them, `by_hand` were marked by hand and `absent` are not in the index.
    removed : ids of passages that were unmarked by hand.
    made : who added or removed marks, and when, if known.
    evidence : by id, the evidence among `gold`.
    """
    given = tuple(name for name in gold if name not in set(by_hand))
    documents: dict[str, list[str]] = {}
    for passage in passages.values():
        documents.setdefault(passage.document_id, []).append(passage.id)

    def found(name: str) -> tuple[str, ...]:
        if name in evidence:
            return tuple(dict.fromkeys(one for part in evidence[name].parts for one in part))
        return (name,) if name in passages else tuple(documents.get(name, ()))

    split = {name: each.parts for name, each in evidence.items() if len(each.parts) > 1}
    at_hand = without_removed(Holders({name: found(name) for name in gold}, split), set(removed))
    parts = (given, tuple(by_hand), tuple(removed), tuple(absent), at_hand)
    return Gold(*parts, made=made, evidence=evidence)


def with_mark(
    passages: Mapping[str, Passage], gold: Gold, passage_id: str, made: Made, *, on: bool
) -> Gold:
    """Return `gold` of a trace after a passage was marked (`on`) or unmarked."""
    ids = tuple(name for name in gold.ids if name != passage_id)
    added = tuple(name for name in gold.added if name != passage_id)
    removed = tuple(name for name in gold.removed if name != passage_id)
    if on:
        covered = {passages[passage_id].document_id} & set(ids) or gold.evidence_in(passage_id)
        ids = ids if covered else (*ids, passage_id)
        added = added if passage_id in gold.removed else (*added, passage_id)
    elif passage_id not in gold.added:
        removed = (*removed, passage_id)
    by = {**gold.made, passage_id: made}
    return stored_gold(
        passages,
        ids,
        by_hand=added,
        removed=removed,
        absent=gold.absent,
        made={name: by[name] for name in (*added, *removed) if name in by},
        evidence=gold.evidence,
    )


def passages_by_gold_id(query: Query, index: Index) -> Holders:
    """Return the passages of `index` that the gold ids of a question stand for, without marks."""
    held = evidence_holders(evidence_by_id(query))
    missing = {one for passages in held.values() for one in passages} - index.number.keys()
    held = without_removed(held, missing)
    named = {name: held.get(name) or passages_of(index, name) for name in query.gold}
    return Holders({name: holders for name, holders in named.items() if holders}, held.split)


def query_of(index: Index, question: str) -> Query | None:
    """Return the question of that text: of the index, or, where it has none, of those that rules
    made.
    """
    if index.meta.counts.questions:
        return index.question(question)
    return next((query for query in two_hop_questions(index) if query.text == question), None)


def _marks_by_question(index: Index) -> dict[str, list[Mark]]:
    """Return all marks of an index, by the key of their question."""
    marks: dict[str, list[Mark]] = {}
    for mark in Marks(index.path).all():
        marks.setdefault(mark.question, []).append(mark)
    return marks


def gold_with(
    index: Index, query: Query | None, marks: Sequence[Mark], level: GoldLevel = "evidence"
) -> Gold:
    """Return the gold of a question of `index` as these marks leave it."""
    base = base_of(index, query, evidence_counts=level == "evidence")
    done = with_marks(index, base, marks)
    at_hand, added = done.at_hand, done.added
    taken_away = {name for name, passages in at_hand.items() if not passages}
    wanted = distinct_gold(base.given, at_hand)
    evidence = {**base.evidence, **done.evidence}
    return Gold(
        given=wanted,
        added=tuple(added),
        removed=done.removed,
        absent=tuple(n for n in (*wanted, *added) if n not in at_hand and n not in taken_away),
        passages=at_hand,
        titles=_titles(added, evidence, at_hand),
        made=done.made,
        by_rules=bool(base.given) and not index.meta.counts.questions,
        evidence={
            name: remaining_evidence(each, at_hand.get(name, ())) for name, each in evidence.items()
        },
        marked=done.marked,
    )


def _titles(
    added: Mapping[str, str], evidence: Mapping[str, Evidence], at_hand: Holders
) -> dict[str, str]:
    """Return titles for gold that is not in the index, by gold id."""
    lost = {name: each.text for name, each in evidence.items() if name not in at_hand}
    return {
        name: shortened(one_line(title), _TITLE)
        for name, title in {**added, **lost}.items()
        if title
    }
