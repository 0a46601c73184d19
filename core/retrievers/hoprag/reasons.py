"""What the coverage chooser says of its choice: what speaks for an edge, and why it is refused."""

from collections.abc import Sequence
from math import isfinite

from core.steps import Offer

BRINGS, NAMED_WITH = "newly mentions", "named together with"
Refusal = tuple[str, float | None]
"""Why an edge is not followed, and how far its end is above the cut if that is why."""
NOT_REFUSED: Refusal = ("", None)


def refusals(comes: Sequence[float], cut: float, *, top_k: int, width: int) -> list[Refusal]:
    """One for each edge of a vertex, best first.

    Parameters
    ----------
    comes : the score that the end of each edge has by it.
    cut : the score of the last of the first `top_k`, which it has to exceed.
    width : edges followed at most.
    """
    rising = 0
    found: list[Refusal] = []
    for value in comes:
        if value <= cut:
            why = f"by this edge its end has {value:.3f}, the first {top_k} end at {cut:.3f}"
            found.append((why, value - cut))
            continue
        rising += 1
        beaten = rising > width
        found.append((f"only the best {width} are followed", None) if beaten else NOT_REFUSED)
    return found


def notes(brings: Sequence[str], mentions: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The words of the question that an edge's end brings, and those that its question names."""
    if not len(brings):
        return ((NAMED_WITH, ", ".join(mentions)),) if mentions else ()
    brought = (BRINGS, ", ".join(brings))
    return (brought, (NAMED_WITH, ", ".join(mentions))) if mentions else (brought,)


def reason(offers: Sequence[Offer], chosen: Sequence[Offer], cut: float, *, top_k: int) -> str:
    """How many of `offers` are followed, what decided, and which words they bring."""
    last = f", the last of which has {cut:.3f}" if isfinite(cut) else ""
    if not chosen:
        return f"None of {len(offers)} edges leads to one of the first {top_k}{last}."
    one = len(chosen) == 1
    taken = "One edge leads to a passage" if one else f"{len(chosen)} edges lead to passages"
    brought = dict.fromkeys(
        word
        for offer in chosen
        for what, words in offer.notes
        if what == BRINGS
        for word in words.split(", ")
    )
    new = f" Newly mentioned: {', '.join(brought)}." if brought else ""
    return f"{taken} among the first {top_k}{last}.{new}"
