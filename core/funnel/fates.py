"""What became of each gold passage, from the steps of a retrieval, the graph and the ranking."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from core.compare import distinct_gold
from core.funnel.brackets import outermost
from core.funnel.data import Fate
from core.funnel.ends import Ends, furthest
from core.funnel.lists import Lists
from core.funnel.reach import Held, standing_for
from core.steps import Step


def fates(
    steps: Sequence[Step],
    gold: Collection[str],
    index: Held,
    answer: Collection[str] | None = None,
    *,
    stands: Mapping[str, Collection[str]] | None = None,
    lists: Lists | None = None,
) -> tuple[Fate, ...]:
    """One fate for each gold id, counted as `core.compare.distinct_gold` does, in that order.

    A document stands for the passage of it that came furthest.

    Parameters
    ----------
    steps : of a whole retrieval (`core.playback.check`), by any retriever.
    gold : ids of passages or documents.
    answer : ids of the passages that an answer rests on, if there is one.
    stands : the passages that an id stands for, where a person took some of them away
        (`core.marks.Gold.passages`).
    lists : ranks what the steps do not list: the entry ranks of gold that no walk saw, and ranks
        below k. Without it they are None.

    Raises
    ------
    ValueError : there is no step.
    """
    names = distinct_gold(gold, index.document_passages)
    passages = {name: standing_for(name, index, stands or {}) for name in names}
    ends = Ends(outermost(steps), {one for each in passages.values() for one in each}, index, lists)
    return tuple(_fate(name, passages[name], ends, answer) for name in names)


def _fate(name: str, passages: Collection[str], ends: Ends, answer: Collection[str] | None) -> Fate:
    if not passages:
        return Fate(name, "", "absent")

    def came(fate: Fate) -> tuple[float, ...]:
        """Among equals the passage of that very id comes first (`core.compare.gold_ranks`)."""
        stage, *rest = furthest(fate)
        return (stage, fate.passage == name, *rest)

    best = max(map(ends.of, passages), key=came)
    if best.stage == "kept" and answer is not None and not {*passages} & {*answer}:
        best = replace(best, stage="unused")
    return replace(best, gold=name)
