"""The best that any choice of edges could have reached, from the seeds that a walk had.

Bounded is the walk of Algorithm 1 with its seeds, its rounds and its cut-off given, and all else
free: at each vertex of the queue any edges of the graph may be followed, in the direction in which
the retriever may, however many, and whatever ranks what was visited puts gold first. A chooser that
follows nothing but the shortest ways to gold visits all gold within as many edges of a seed as
there are rounds, at the same time, as a way through a vertex never needs it earlier than another
does. Of that gold it can keep `top_k`. So the bound is reached: no walk does better, one does as
well.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from core.funnel.brackets import outermost
from core.funnel.reach import IndexView, distinct_ids, hops_from_seeds, needed, rounds_of
from core.steps import Step
from core.text.display.plurals import number


@dataclass(frozen=True, slots=True)
class Oracle:
    """`within` counts the gold of `gold` that lies within `rounds` edges of a seed."""

    within: int
    gold: int
    rounds: int
    top_k: int

    @property
    def kept(self) -> int:
        """Number of gold ids that the best choices retrieve."""
        return min(self.within, self.top_k)

    @property
    def recall(self) -> float:
        """Recall of the best choices, in [0, 1]; an upper bound for any choices."""
        return self.kept / self.gold

    def __str__(self) -> str:
        """Return a phrase for the screen.

        >>> print(Oracle(within=2, gold=3, rounds=4, top_k=20))
        from these seeds, 2 of 3 gold passages can be reached within 4 hops
        """
        near = f"{self.within:,} of {number(self.gold, 'gold passage')}"
        told = f"from these seeds, {near} can be reached within {number(self.rounds, 'hop')}"
        if self.kept == self.within:
            return told
        return f"{told}; at most {self.kept:,} of them fit in the top {self.top_k:,}"


def oracle(
    steps: Sequence[Step],
    gold: Collection[str],
    index: IndexView,
    passages_by_gold: Mapping[str, Collection[str]] | None = None,
) -> Oracle | None:
    """Return the upper bound of the walk in `steps`, or None if it is not on the hop graph.

    Gold is counted as in `core.funnel.fates`; gold that is not in the index is out of reach.

    Raises
    ------
    ValueError : there is no step.
    """
    walk = outermost(steps)
    names = distinct_ids(gold, index, passages_by_gold)
    hops = hops_from_seeds(walk, index) if walk.walks and names else None
    if hops is None:
        return None
    rounds = rounds_of(walk)
    near = [
        all(
            any(hops[index.number[one]] <= rounds for one in part)
            for part in needed(name, index, passages_by_gold)
        )
        for name in names
    ]
    return Oracle(sum(near), len(names), rounds, walk.asked.top_k)
