"""Differences between two retrievals of one question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.marks.gold import Gold
from core.measures import recall
from core.playback.account import account
from core.ranking_comparison import gold_ranks
from core.steps import Arrival, Asked, Offered, Step, result


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of one retrieval.

    `recall` is the share of the gold that the index holds among what is kept, in [0, 1], None
    without gold. `ranks` are those of each such gold id among all that was ranked, kept or cut,
    from 1; None where it was not ranked. `visited` counts passages that walks reached, `ranked`
    those that are ranked, `calls` those of a model, and `replies` what was kept of it and used.
    """

    recall: float | None
    ranks: Mapping[str, int | None]
    kept: int
    visited: int
    ranked: int
    calls: int
    replies: int


def found(steps: Sequence[Step], gold: Gold) -> Found:
    """Return the outcome of `steps`, measured by `gold`."""
    end, cost = result(steps), account(steps)
    ranking = [hit.passage_id for hit in (*end.hits, *end.pruned)]
    ranks = gold_ranks(ranking, gold.held, gold.passages)
    top_k = steps[0].top_k if steps and isinstance(steps[0], Asked) else len(end.hits)
    return Found(
        recall=recall(ranks, top_k),
        ranks=ranks,
        kept=len(end.hits),
        visited=len({arrival.id for arrival in _arrivals(steps)}),
        ranked=len(ranking),
        calls=cost.calls,
        replies=cost.kept,
    )


def _arrivals(steps: Sequence[Step]) -> list[Arrival]:
    return [arrival for s in steps if isinstance(s, Offered) for arrival in s.arrivals]
