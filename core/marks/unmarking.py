"""Match removals of gold in an index whose passages have changed.

A passage may hold that text beside text that is gold. It is gold no more only where all that made
it gold was marked as not gold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.evidence import Holders
from core.marks.following import Followed, common_run, covered
from core.marks.store import Mark
from core.types import Evidence, Passage

_ALL = 0.9
"""Share of the words from which it is all: about one word in ten may differ."""


@dataclass(frozen=True, slots=True)
class Unmarked:
    """The gold that marks remove.

    Parameters
    ----------
    taken : by gold id the passages that are not gold because of them.
    undecided : marks whose passage holds other gold text too, with that passage.
    """

    taken: Mapping[str, frozenset[str]]
    undecided: Mapping[Mark, str]


def removed_passages(
    marks: Sequence[tuple[Mark, Followed]],
    passages_by_gold: Holders,
    evidence: Mapping[str, Evidence],
    passages: Mapping[str, Passage],
) -> Unmarked:
    """Return the passages that matched removals delete from each gold id.

    Parameters
    ----------
    passages_by_gold : the passages of each gold id.
    evidence : by gold id, the evidence; the text of others is that of their passages.
    passages : all passages of `marks`, by id.
    """
    taken: dict[str, frozenset[str]] = {}
    undecided: dict[Mark, str] = {}
    for name, held in passages_by_gold.items():
        gone = set()
        for passage in (passages[one] for one in held if one in passages):
            here = [mark for mark, place in marks if passage.id in place.passages]
            gold = _gold_text(passage, evidence.get(name))
            if here and covered(gold, [mark.text for mark in here]) >= _ALL:
                gone.add(passage.id)
                continue
            for mark in here:
                if common_run(gold, mark.text):
                    undecided.setdefault(mark, passage.id)
        taken[name] = frozenset(gone)
    return Unmarked(taken, undecided)


def _gold_text(passage: Passage, evidence: Evidence | None) -> str:
    """Return the text that makes a passage gold: the evidence,
    unless that is split into passages.
    """
    texts = [passage.text, *([evidence.text] if evidence else [])]
    return min(texts, key=len)
