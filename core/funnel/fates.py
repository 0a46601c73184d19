"""The fate of each gold passage, from the steps of a retrieval, the graph and the ranking."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from core.evidence import Parts
from core.funnel.brackets import outermost
from core.funnel.data import Fate
from core.funnel.ends import Ends, furthest
from core.funnel.lists import Lists
from core.funnel.reach import IndexView, distinct_ids, needed
from core.steps import Step


def fates(
    steps: Sequence[Step],
    gold: Collection[str],
    index: IndexView,
    answer: Collection[str] | None = None,
    *,
    passages_by_gold: Mapping[str, Collection[str]] | None = None,
    lists: Lists | None = None,
) -> tuple[Fate, ...]:
    """Return one fate for each gold id, in the order of `distinct_gold`.

    Of several passages that hold a gold id, the fate of the one that came furthest counts. For
    evidence split across passages, the fate of the part that came least far counts.

    Parameters
    ----------
    steps : of a whole retrieval (`core.playback.check`), by any retriever.
    gold : ids of passages or documents.
    answer : ids of the passages that an answer rests on, if there is one.
    passages_by_gold : the passages of each gold id (`core.marks.Gold.passages`); without it those
        of documents.
    lists : ranks what the steps do not list: the entry ranks of gold that no walk saw, and ranks
        below k. Without it they are None.

    Raises
    ------
    ValueError : there is no step.
    """
    parts = {
        name: needed(name, index, passages_by_gold)
        for name in distinct_ids(gold, index, passages_by_gold)
    }
    passages = {one for each in parts.values() for part in each for one in part}
    ends = Ends(outermost(steps), passages, index, lists)
    return tuple(_fate(name, parts[name], ends, answer) for name in parts)


def _fate(name: str, parts: Parts, ends: Ends, answer: Collection[str] | None) -> Fate:
    """Return the fate of a gold id: that of its worst part, each part by its best passage.

    Gold that is kept becomes `unused` if `answer`, the passages that an answer cites, has none of
    it.
    """
    passages = {passage for part in parts for passage in part}
    if not passages:
        return Fate(name, "", "absent")

    def progress(fate: Fate) -> tuple[float, ...]:
        """Return the sort key; among equals, the passage with the gold id itself comes first."""
        stage, *rest = furthest(fate)
        return (stage, fate.passage == name, *rest)

    best = min((max(map(ends.of, part), key=progress) for part in parts), key=progress)
    if best.stage == "kept" and answer is not None and not passages & {*answer}:
        best = replace(best, stage="unused")
    return replace(best, gold=name)
