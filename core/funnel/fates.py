"""What became of each gold passage, from the steps of a retrieval, the graph and the ranking."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from core.evidence import Parts
from core.funnel.brackets import outermost
from core.funnel.data import Fate
from core.funnel.ends import Ends, furthest
from core.funnel.lists import Lists
from core.funnel.reach import Held, distinct_ids, needed
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
    """One fate for each gold id, counted as `core.ranking_comparison.distinct_gold` does, in that
    order.

    Of several passages that hold it, it is that of the one that came furthest; of evidence that is
    split across passages, that of the part that came least far.

    Parameters
    ----------
    steps : of a whole retrieval (`core.playback.check`), by any retriever.
    gold : ids of passages or documents.
    answer : ids of the passages that an answer rests on, if there is one.
    stands : the passages that an id stands for (`core.marks.Gold.passages`); without it those of
        documents.
    lists : ranks what the steps do not list: the entry ranks of gold that no walk saw, and ranks
        below k. Without it they are None.

    Raises
    ------
    ValueError : there is no step.
    """
    parts = {name: needed(name, index, stands) for name in distinct_ids(gold, index, stands)}
    passages = {one for each in parts.values() for part in each for one in part}
    ends = Ends(outermost(steps), passages, index, lists)
    return tuple(_fate(name, parts[name], ends, answer) for name in parts)


def _fate(name: str, parts: Parts, ends: Ends, answer: Collection[str] | None) -> Fate:
    passages = {one for part in parts for one in part}
    if not passages:
        return Fate(name, "", "absent")

    def came(fate: Fate) -> tuple[float, ...]:
        """Among equals the passage of that very id comes first
        (`core.ranking_comparison.gold_ranks`).
        """
        stage, *rest = furthest(fate)
        return (stage, fate.passage == name, *rest)

    best = min((max(map(ends.of, part), key=came) for part in parts), key=came)
    if best.stage == "kept" and answer is not None and not passages & {*answer}:
        best = replace(best, stage="unused")
    return replace(best, gold=name)
