"""Apply marks to the gold of a question set."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from types import MappingProxyType

from core.evidence import Holders, evidence_by_id, evidence_holders
from core.marks.following import Followed, evidence_of, followed
from core.marks.made import Made
from core.marks.store import Mark
from core.marks.unmarking import removed_passages
from core.store.index import Index
from core.types import Evidence, Passage, Query

_Placed = tuple[Mark, Followed]


@dataclass(frozen=True, slots=True)
class Base:
    """The gold of a question set for a question: ids, the passages they stand for, evidence."""

    given: tuple[str, ...]
    passages_by_gold: Holders
    evidence: Mapping[str, Evidence]


def base_of(index: Index, query: Query | None, *, evidence_counts: bool = True) -> Base:
    """Return the gold of a question of `index` in its question set.

    Parameters
    ----------
    evidence_counts : whether evidence is its gold where it has any, or documents as a whole.
    """
    if query and query.evidence and evidence_counts:
        evidence = evidence_by_id(query)
        return Base(tuple(evidence), evidence_holders(evidence), evidence)
    given = query.gold if query else ()
    return Base(given, Holders({name: passages_of(index, name) for name in given}), {})


def passages_of(index: Index, name: str) -> tuple[str, ...]:
    """Return the passages of a gold id: itself, or those of a document."""
    return (name,) if name in index.number else index.document_passages.get(name, ())


@dataclass(frozen=True, slots=True)
class Marked:
    """The gold of a question set after the marks are applied.

    Parameters
    ----------
    at_hand : the passages of each gold id, without the removed ones.
    added : gold ids that only marks name, each with the title of a missing passage.
    removed : passages that were gold before.
    evidence : by gold id, marks that match several passages.
    marked : by gold id, the marked text.
    made : who added or removed each mark, and when.
    undecided : removals without effect, since the passage with their text now holds other gold as
        well,
        each with that passage.
    """

    at_hand: Holders
    added: Mapping[str, str]
    removed: tuple[str, ...]
    evidence: Mapping[str, Evidence]
    marked: Mapping[str, Evidence]
    made: Mapping[str, Made]
    undecided: Mapping[Mark, str]


def with_marks(index: Index, base: Base, marks: Sequence[Mark]) -> Marked:
    """Apply the marks of a question to its gold.

    A mark of the passage itself counts more than one whose text the passage has from elsewhere.
    """
    places = list(zip(marks, followed(index, marks), strict=True))
    gold = [(mark, place) for mark, place in places if mark.gold]
    not_gold = [(mark, place) for mark, place in places if not mark.gold]
    unmarked_here = frozenset(place.passages[0] for _, place in not_gold if place.same)
    marked_here = frozenset(place.passages[0] for _, place in gold if place.same)
    several = _multi_passage_marks(gold, base.passages_by_gold)
    passages_by_gold, evidence = _with_several(base, several)
    elsewhere = [(mark, place) for mark, place in not_gold if not place.same]
    taken = removed_passages(elsewhere, passages_by_gold, evidence, _passages(index, elsewhere))
    at_hand = without_removed(passages_by_gold, unmarked_here, taken.taken, marked_here)
    covered = {one for name in base.given for one in at_hand.get(name, ())}
    added: dict[str, str] = {}
    made: dict[str, Made] = {}
    for mark, place in gold:
        name = _gold_id(mark, place, several)
        if name in covered or (not place.same and name in unmarked_here):
            continue
        if name is not None and at_hand.get(name) != ():
            added[name] = "" if place.parts else mark.title
            made[name] = Made(mark.who, mark.at)
    own = {name: (name,) for name in added if name in index.number}
    at_hand = Holders({**at_hand, **own}, at_hand.split)
    still = {one for passages in at_hand.values() for one in passages}
    were = {one for passages in passages_by_gold.values() for one in passages}
    gone = {
        one: Made(mark.who, mark.at)
        for mark, place in not_gold
        for one in place.passages
        if one in were and one not in still
    }
    return Marked(
        at_hand=at_hand,
        added=added,
        removed=tuple(gone),
        evidence={name: evidence[name] for name in several},
        marked={
            name: evidence_of(mark, place)
            for mark, place in gold
            if (name := _gold_id(mark, place, several)) in added
        },
        made={**made, **gone},
        undecided={m: one for m, one in taken.undecided.items() if one in still - marked_here},
    )


def _multi_passage_marks(gold: Sequence[_Placed], given: Holders) -> dict[str, _Placed]:
    """Return the marks that map to several passages, by name, without those already gold."""
    single = {place.passage for _, place in gold}
    known = frozenset(one for passages in given.values() for one in passages)
    return {
        mark.name: (mark, place)
        for mark, place in gold
        if len(place.passages) > 1
        and not known.issuperset(place.passages)
        and (len(place.parts) > 1 or single.isdisjoint(place.passages))
    }


def _with_several(
    base: Base, several: Mapping[str, _Placed]
) -> tuple[Holders, dict[str, Evidence]]:
    """Add the marks that map to several passages to the passages and the evidence of gold."""
    by_name = {name: by_name for name, (_, by_name) in several.items()}
    split = {name: placed.parts for name, placed in by_name.items() if len(placed.parts) > 1}
    passages_by_gold = Holders(
        {**base.passages_by_gold, **{name: placed.passages for name, placed in by_name.items()}},
        {**base.passages_by_gold.split, **split},
    )
    by_hand = {name: evidence_of(*placed) for name, placed in several.items()}
    return passages_by_gold, {**base.evidence, **by_hand}


def _gold_id(mark: Mark, found: Followed, several: Mapping[str, _Placed]) -> str | None:
    """Return the gold id of a mark: its only passage, or its name; None if others stand for it."""
    if found.passage:
        return found.passage
    return mark.name if mark.name in several or not found.parts else None


def _passages(index: Index, marks: Sequence[_Placed]) -> dict[str, Passage]:
    ids = dict.fromkeys(one for _, place in marks for one in place.passages)
    return {each.id: each for each in index.passages.take(index.number[one] for one in ids)}


def remaining_evidence(evidence: Evidence, passages: Sequence[str]) -> Evidence:
    """Return evidence without its removed passages; unchanged if none would remain."""
    left = frozenset(passages)
    if not left or left.issuperset(one for part in evidence.parts for one in part):
        return evidence
    parts = (tuple(one for one in part if one in left) for part in evidence.parts)
    return replace(evidence, parts=tuple(part for part in parts if part))


def without_removed(
    passages_by_gold: Holders,
    removed: AbstractSet[str],
    taken: Mapping[str, AbstractSet[str]] = MappingProxyType({}),
    kept: AbstractSet[str] = frozenset(),
) -> Holders:
    """Return the passages of each gold id that has any, without the removed ones.

    Parameters
    ----------
    taken : by gold id, the passages removed for it alone, unless they are in `kept`.
    """

    def left(name: str, passages: Sequence[str]) -> tuple[str, ...]:
        gone = removed | (taken.get(name, frozenset()) - kept)
        return tuple(one for one in passages if one not in gone)

    return Holders(
        {name: left(name, passages) for name, passages in passages_by_gold.items() if passages},
        {
            name: tuple(some for part in parts if (some := left(name, part)))
            for name, parts in passages_by_gold.split.items()
        },
    )
