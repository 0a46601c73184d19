"""Reasons for the place of a node: each time it was a candidate, and what ranked above it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.steps import Asked, Began, Offer, Offered, Ranked, Step


@dataclass(frozen=True, slots=True)
class Occasion:
    """Something on offer at step `t` (from 1), in the list `step`.

    `round` is the one it happened in, None if in none. `place` counts from 1 among the offers of
    that step, best first.
    """

    t: int
    round: Began | None
    step: Offered
    offer: Offer
    place: int


def occasions(steps: Sequence[Step], t: int, *, node: str = "", line: str = "") -> list[Occasion]:
    """Return when `node`, or the line `line`, was a candidate in the first `t` steps."""
    reasons = []
    rounds: list[Began | None] = []
    for number, step in enumerate(steps[:t], start=1):
        match step:
            case Asked():
                rounds.append(None)
            case Began():
                rounds[-1] = step
            case Ranked():
                rounds.pop()
            case Offered():
                reasons += [
                    Occasion(number, rounds[-1], step, offer, place)
                    for place, offer in enumerate(step.offers, start=1)
                    if (node and offer.target == node) or (line and offer.tie == line)
                ]
    return reasons


def beaten(step: Offered) -> Offer | None:
    """Return the refused candidate that best shows what decided, or None.

    If none was selected, it is the one that came closest. Otherwise it is one with a higher score
    than a selected one.
    """
    scored = [offer for offer in step.offers if offer.margin is not None and not offer.taken]
    if not step.taken:
        return max(scored, key=lambda offer: (offer.margin, offer.target), default=None)
    least = min(offer.score for offer in step.taken)
    return next((offer for offer in scored if offer.score > least), None)


_REACHES = re.compile(r"^The passage(s?) reach(?:es)? the top (\d+) \(cut-off ([\d.]+)\)")


def reason_of(step: Step) -> str:
    """Return the reason of a step's decision.

    A walk by coverage compares passages with the cut-off before its step, which they may raise:
    not all of several then stay in the ranking, so this says which cut-off is meant.

    >>> from core.steps import Ranked, Told
    >>> reason_of(Ranked((), told=Told(reason="The passages reach the top 8 (cut-off 0.554).")))
    'The passages score above the cut-off before this step (0.554, rank 8).'
    """
    return _REACHES.sub(_before, step.told.reason)


def _before(found: re.Match[str]) -> str:
    several, rank, cut = found.groups()
    scores = "passages score" if several else "passage scores"
    return f"The {scores} above the cut-off before this step ({cut}, rank {rank})"
