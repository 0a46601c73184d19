"""What the coverage chooser says of its choice: what speaks for an edge, and why it is refused."""

from collections.abc import Sequence
from math import isfinite

from core.steps import Offer
from core.text.display.scores import both

BRINGS, NAMED_WITH = "new query terms:", "query terms in the edge question:"
Refusal = tuple[str, float | None]
"""Why an edge is not followed, and how far its score is above the cut if that is why."""
NOT_REFUSED: Refusal = ("", None)


def refusals(
    comes: Sequence[float], cut: float, current_ranks: Sequence[int], *, width: int, top_k: int
) -> list[Refusal]:
    """Return the reason why each edge of a vertex is not followed, best edge first.

    Parameters
    ----------
    comes : the score that the end of each edge has by it.
    cut : the score of the last of the top k, which it has to exceed.
    current_ranks : the rank that each end has by what led to it before, 0 for none in the top k.
    width : edges followed at most.
    top_k : the rank that `cut` is the score of.
    """
    rising = 0
    reasons: list[Refusal] = []
    for value, rank in zip(comes, current_ranks, strict=True):
        if value <= cut and rank:
            reasons.append((f"already at rank {rank} without this edge", None))
            continue
        if value <= cut:
            score, last = both(value, cut)
            why = f"score {score}, cut-off {last} (rank {top_k})"
            reasons.append((why, value - cut))
            continue
        rising += 1
        beaten = rising > width
        reasons.append((f"only the best {width} are followed", None) if beaten else NOT_REFUSED)
    return reasons


def notes(brings: Sequence[str], mentions: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the query terms that an edge's target adds, and those that its question names."""
    if not len(brings):
        return ((NAMED_WITH, ", ".join(mentions)),) if mentions else ()
    brought = (BRINGS, ", ".join(brings))
    return (brought, (NAMED_WITH, ", ".join(mentions))) if mentions else (brought,)


def reason(offers: Sequence[Offer], chosen: Sequence[Offer], cut: float, *, top_k: int) -> str:
    """Return how many of `offers` are followed, what decided, and which words they cover."""
    last = f" (cut-off {cut:.3f})" if isfinite(cut) else ""
    if not chosen:
        its = "The passage" if len(offers) == 1 else f"Each of the {len(offers)} passages"
        return f"{its} would rank below the top {top_k}{last}."
    their = "The passage reaches" if len(chosen) == 1 else "The passages reach"
    covered = dict.fromkeys(
        word
        for offer in chosen
        for what, words in offer.notes
        if what == BRINGS
        for word in words.split(", ")
    )
    new = f" New query terms covered: {', '.join(covered)}." if covered else ""
    return f"{their} the top {top_k}{last}.{new}"
